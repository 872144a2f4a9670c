import { afterEach, expect, it, vi } from 'vitest'
import {
  hasSeen,
  MAX_WAIT,
  directMessages as messagesOf,
  modalOf,
  openWithAdmin,
  press as pressFor,
  sees,
} from './approval-requests.ts'
import { planner } from './planner.ts'
import { type Member, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member

const open = async (respond?: Respond) => {
  ;({ upnext, mara, yuki, priya } = await openWithAdmin({ ...(respond && { respond }) }))
}

afterEach(() => upnext.close())

const {
  seesReview,
  shown,
  waitForDirectMessage,
  storedPosts,
  press,
  pressInMessage,
  importText,
  importFile,
  views,
} = planner(() => ({ upnext, mara }))

async function changeRule(mode: string) {
  await mara.run('/upnext approval')
  const { id } = await mara.form('Approval')
  const values = mara.fill({ mode, approvers: [yuki.userId] })
  await mara.submitAndHear({ view: id, values }, /need approval/)
}

async function submit(person: Member, words: string, changes: Record<string, string> = {}) {
  await person.run(`/schedule-post ${words}`)
  const { id } = await person.form('Schedule a post')
  await person.submitAndHear({ view: id, values: person.fill(changes) }, /Scheduled in|Waiting for approval/)
}

async function send(words: string, result: RegExp) {
  await importText(words)
  await seesReview(/Schedule/)
  await press('plan:schedule')
  await waitForDirectMessage(result)
  await mara.closeView({ view: views().at(-1)?.id ?? '' })
}

const sharedFiles = () =>
  Object.entries(mara.state().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([, messages]) => messages.flatMap(({ files = [] }) => files))

async function exportNextWeek(): Promise<string> {
  await mara.runAndHear('/upnext export next week', /the file is in your messages from Upnext/)
  await vi.waitFor(() => expect(sharedFiles()).toHaveLength(1), MAX_WAIT)
  const { url_private } = sharedFiles()[0] as { url_private?: string }
  return (await fetch(`${url_private}?session=${mara.sessionId}`)).text()
}

const listItems = async () =>
  (
    await upnext.service.pool.query(
      'select form, state, held_until, failure from upnext.outbox_item order by seq',
    )
  ).rows

const messagesInBlocks = (person: Member) =>
  messagesOf(person).map(({ text, blocks }) => `${text} ${JSON.stringify(blocks)}`)

it('keeps an approved post approved if its author asks for approval again', async () => {
  await open(withoutExtensions)
  await changeRule('optional')
  await submit(priya, 'Launch day! monday 9am Berlin time on X', { Status: 'TO_APPROVE' })
  await sees(yuki, /asks for your approval/)
  await pressFor(yuki, 'approval:approve')
  await sees(priya, /approved/)
  await priya.run('/upnext edit launch')
  const { id } = await priya.form('Edit a post')
  const values = priya.fill({ Status: 'TO_APPROVE', ScheduleDate: 'tuesday 9am Berlin time' })
  await priya.submitAndHear({ view: id, values }, /Saved the changes/)
  expect(priya.lastText()).not.toContain('waiting for approval')
  expect((await listItems()).map(({ failure }) => failure)).toEqual([null])
})

it('ends the request for a change of a held post when the post is handed over', async () => {
  await open(withoutExtensions)
  await changeRule('required')
  await submit(priya, 'Launch day! tomorrow 9am Berlin time on X')
  await sees(yuki, /asks for your approval/)
  await pressFor(yuki, 'approval:approve')
  await sees(priya, /approved/)
  await priya.run('/upnext edit launch')
  const { id } = await priya.form('Edit a post')
  await priya.submitView({ view: id, values: priya.fill({ Content: 'Launch night!' }) })
  await sees(yuki, /to change a post in Acme.*Launch night!/s)
  // It is 13:00 in Berlin.
  upnext.wait({ minutes: 20 * 60 - 10 })
  await upnext.settled()
  await hasSeen(yuki, /wasn't approved in time/)
  await yuki.runAndHear('/upnext approve', 'No posts are waiting')
})

it("doesn't turn scheduled posts into drafts from an older review", async () => {
  await open()
  await send('Launch day! monday 9am on X\nTwo tuesday 9am on X', /Saved 2/)
  const csv = await exportNextWeek()
  await upnext.service.pool.query(
    "update service.post set content = 'Launch week!', version = version + 1 where content = 'Launch day!'",
  )
  const added = ',,"A new one","2026-11-27 16:00","Europe/Berlin","X","","scheduled"\r\n'
  await importFile('posts.csv', csv.replace('Launch day!', 'Launch night!') + added)
  await seesReview(/skip 1/)
  const older = views().at(-1)
  const buttons = older?.blocks.find((block) => JSON.stringify(block).includes('plan:drafts'))
  await mara.run('/upnext review')
  await vi.waitFor(() => expect(views().at(-1)?.id).not.toBe(older?.id), MAX_WAIT)
  await press('plan:fix')
  const { id } = await mara.form('Change a row')
  await mara.submitView({ view: id, values: {} })
  await seesReview(/Save all 2 posts/)
  const before = await storedPosts()
  await mara.dispatchAction({
    container: { view: older?.id ?? '' },
    block_id: buttons?.block_id ?? '',
    action_id: 'plan:drafts',
  })
  await upnext.settled()
  expect(await storedPosts()).toEqual(before)
  expect(await listItems()).toHaveLength(2)
})

it('follows a post that is approved while the service is down to its end', async () => {
  let isDown = false
  await open(({ method, url }) =>
    isDown && method === 'POST' && /\/posts$/.test(url) ? new Response(null, { status: 503 }) : undefined,
  )
  await changeRule('required')
  await send('One monday 9am on X\nTwo tuesday 9am on X', /wait for approval/)
  isDown = true
  await yuki.runAndHear('/upnext approve', /Waiting for your approval/)
  await yuki.pressLast('approval:approve')
  await upnext.settled()
  upnext.wait({ minutes: 11 })
  isDown = false
  upnext.wait({ minutes: 60 })
  await vi.waitFor(async () => expect(await storedPosts()).toHaveLength(1), MAX_WAIT)
  await vi.waitFor(() => expect(messagesInBlocks(mara).join()).not.toContain('plan:undo'), MAX_WAIT)
  expect(messagesInBlocks(mara).join()).not.toContain("couldn't be sent")
})

it("doesn't hold a post that is already in the service", async () => {
  await open()
  await send('Launch day! monday 9am on X', /Saved 1/)
  await changeRule('required')
  const csv = await exportNextWeek()
  await importFile('posts.csv', csv.replace('Launch day!', 'Launch night!'))
  await seesReview(/Save 1 post/)
  await press('plan:fix')
  const { id } = await mara.form('Change a row')
  expect(await mara.submitView({ view: id, values: mara.fill({ Status: 'HELD' }) })).toMatchObject({
    errors: { Status: "This post is already in the scheduling service, so Upnext can't hold it." },
  })
})

it('ends Undo immediately if the service cannot cancel posts', async () => {
  await open(withoutExtensions)
  const rows = ['One\t2026-11-23 9:00\tX\theld', 'Two\t2026-11-24 9:00\tX\tscheduled']
  await send(`text\tdate\tplatforms\tstatus\n${rows.join('\n')}`, /Saved 2/)
  await pressInMessage('plan:undo')
  await waitForDirectMessage(/Undone: cancelled 1 post in Acme\. Not cancelled: 1 post/)
})

it('counts unchanged rows of posts that were published or cancelled since as unchanged', async () => {
  await open()
  await send('One monday 9am on X\nTwo tuesday 9am on X\nThree wednesday 9am on X', /Saved 3/)
  const csv = await exportNextWeek()
  await upnext.service.pool.query("update service.post set status = 'PUBLISHED' where content = 'One'")
  await upnext.service.pool.query("delete from service.post where content = 'Two'")
  await importFile('posts.csv', csv.replace('Three', 'Three!'))
  await seesReview(/Save 1 post/)
  expect(shown()).not.toMatch(/attention|skip/)
})

it('edits a change that was sent back without text that the change had removed', async () => {
  await open()
  await submit(priya, 'Sale: 20% off monday 9am on X and LinkedIn')
  await upnext.service.pool.query(`update service.post set texts = '{"X": "20% off!"}'`)
  await changeRule('required')
  await priya.run('/upnext edit sale')
  const edit = await priya.form('Edit a post')
  await priya.submitView({
    view: edit.id,
    values: priya.fill({ Content: 'Sale: 10% off', 'Texts.X': '' }),
  })
  await vi.waitFor(() => expect(modalOf(priya)).toMatch(/waiting for approval/), MAX_WAIT)
  await priya.closeView({ view: edit.id })
  await sees(yuki, /to change a post/)
  await pressFor(yuki, 'approval:refuse')
  const refusal = await yuki.form('Ask for changes')
  await yuki.submitView({ view: refusal.id, values: yuki.fill({ reason: 'Say until when.' }) })
  await sees(priya, /wants you to change/)
  await priya.runAndHear('/upnext approve', /requested changes/)
  await priya.pressLast('approval:use')
  const again = await priya.form('Edit a post')
  expect(JSON.stringify(again.blocks)).toContain('Sale: 10% off')
  expect(JSON.stringify(again.blocks)).not.toContain('20% off!')
})

it('says if a list of posts cannot be read, rather than that there are none', async () => {
  let isOdd = false
  await open(({ method, url }) =>
    isOdd && method === 'GET' && /\/posts(\?|$)/.test(url) ? Response.json({ oops: 1 }) : undefined,
  )
  await submit(mara, 'One monday 9am Berlin time on X')
  isOdd = true
  await mara.runAndHear('/upnext export next week', "sent a response that Upnext can't read")
  await importText('One monday 9am on X')
  await seesReview(/couldn't check which of these posts Acme already has/)
})

it("doesn't save a change whose new time has passed", async () => {
  let isDown = false
  await open(({ method }) =>
    isDown && ['PUT', 'PATCH'].includes(method) ? new Response(null, { status: 503 }) : undefined,
  )
  await submit(priya, 'Launch day! tomorrow 3pm Berlin time on X')
  await changeRule('required')
  await priya.run('/upnext edit launch')
  const { id } = await priya.form('Edit a post')
  const values = priya.fill({ Content: 'Launch night!', ScheduleDate: 'today 2pm Berlin time' })
  await priya.submitView({ view: id, values })
  await sees(yuki, /to change a post/)
  isDown = true
  upnext.wait({ minutes: 55 })
  await upnext.settled()
  await pressFor(yuki, 'approval:approve')
  await upnext.settled()
  await upnext.passTime({ minutes: 20 })
  isDown = false
  await upnext.passTime({ minutes: 10 })
  await sees(priya, /The new time passed before this change could be saved/)
  expect(JSON.stringify(await storedPosts())).toContain('Launch day!')
})

it('asks the second of two people who change a post in the same moment', async () => {
  let held: (() => void)[] | undefined
  await open(({ method, url }) => {
    if (!held || method !== 'GET' || !/\/posts\/[\w-]+$/.test(url)) return undefined
    return new Promise<undefined>((resolve) => held?.push(() => resolve(undefined)))
  })
  await submit(priya, 'Launch day! monday 3pm Berlin time on X')
  await changeRule('required')
  await priya.run('/upnext edit launch')
  const first = await priya.form('Edit a post')
  await mara.run('/upnext edit launch')
  const second = await mara.form('Edit a post')
  held = []
  const submissions = Promise.all([
    priya.submitView({ view: first.id, values: priya.fill({ Content: 'Launch night!' }) }),
    mara.submitView({ view: second.id, values: mara.fill({ Content: 'Launch week!' }) }),
  ])
  // Both have read the post, and neither has stored a change.
  for (let rounds = 0; rounds < 3; rounds++) {
    await vi.waitFor(() => expect(held?.length ?? 0).toBeGreaterThanOrEqual(rounds < 2 ? 2 : 0), MAX_WAIT)
    for (const release of held.splice(0)) release()
  }
  const waiting = held
  held = undefined
  for (const release of waiting) release()
  await submissions
  await upnext.settled()
  expect((await listItems()).filter(({ form, state }) => form === 'edit' && state === 'held')).toHaveLength(1)
})
