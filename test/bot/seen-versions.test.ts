import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectAccount } from '../../src/service/stores/accounts-store.ts'
import { MAX_WAIT, modalOf } from './approval-requests.ts'
import { openDigestWorkspace } from './digest-workspace.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import { BAD_POST, openPublishingWorkspace } from './publishing-workspace.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member

// It is Friday 20 November 2026, 13:00 in Berlin.
async function open(respond?: Respond) {
  const options = { relaxTimeouts: true, disableRateLimits: true, skipsUploadTime: true }
  upnext = await openUpnext({ ...options, ...(respond && { respond }) })
  mara = upnext.person('mara')
}
afterEach(() => upnext.close())

async function schedule(words: string) {
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
}
const countPosts = async () => (await upnext.service.pool.query('select from service.post')).rowCount

const inChannel = (member: Member) =>
  JSON.stringify((member.state().messages[member.channel] ?? []).filter(({ isEphemeral }) => !isEphemeral))

it('a share form does not share a version that its user has not seen', async () => {
  await open()
  await schedule('Launch day! monday 9am on X')
  const priya = upnext.person('priya')
  await priya.run('/upnext share launch')
  const { id: view } = await priya.form('Share a post')
  await mara.run('/upnext edit launch')
  const edit = await mara.form('Edit a post')
  await mara.submitAndHear(
    { view: edit.id, values: mara.fill({ Content: 'We close.' }) },
    /Saved the changes/,
  )
  const answer = await priya.submitView({ view, values: priya.fill({ comment: 'Please like this!' }) })
  expect(JSON.stringify(answer)).toContain('This post has changed since you opened the form.')
  expect(inChannel(priya)).not.toContain('Please like this!')
})

it("an edit does not replace a colleague's choice of a template without naming it", async () => {
  await open()
  const { pool } = upnext.service
  await schedule('Launch day! monday 9am on X')
  await mara.run('/upnext edit launch')
  const { id } = await mara.form('Edit a post')
  const { rows } = await pool.query(
    "insert into service.template (project_id, title, content) values ($1, 'Sale', 'Now!') returning id",
    [upnext.project],
  )
  await pool.query('update service.post set template_id = $1, version = version + 1', [rows[0].id])
  await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
  await vi.waitFor(() => expect(modalOf(mara)).toMatch(/changed this post.*with another template/), MAX_WAIT)
})

describe('a post that failed is not published in another account without a question', () => {
  it.each([
    ['the alert', 'Staff only'],
    ['the command', 'Staff only'],
    // Another account may have the same name.
    ['the command', 'Acme'],
  ])('by the button of %s, if it is named %s', async (place, name) => {
    const workspace = await openPublishingWorkspace()
    upnext = workspace
    mara = workspace.mara
    await workspace.addTelegram()
    workspace.telegram.plan(({ index }) => (index === 0 ? BAD_POST : undefined))
    await workspace.schedule('Launch day!')
    await workspace.passTo('14:00')
    await workspace.hearOfResults()
    await upnext.waitFor(() => expect(workspace.directMessages().join()).toMatch(/Try again/))
    if (place === 'the command') await mara.runAndHear('/upnext retry launch', /Try again/)
    workspace.telegram.addChat({ id: -1009, type: 'channel', title: 'Staff', botStatus: 'administrator' })
    const id = await workspace.addTelegram({ name, chat: -1009, isConnected: false })
    const account = { id, project_id: upnext.project, platform: 'TELEGRAM' as const }
    await connectAccount(upnext.service.db, account as never)
    if (place === 'the alert') await workspace.press('Try again', /wrong file identifier/)
    else await mara.pressLast('retry:post')
    await mara.hears(
      `A different account is connected now. The post would be published on Telegram (${name})`,
    )
    expect(workspace.telegram.sent).toEqual([])
    await mara.pressLast('retry:unknown')
    await mara.hears(`Publishing on Telegram (${name}) now`)
    await workspace.hearOfResults()
    expect(workspace.telegram.sent).toMatchObject([{ chat: -1009, text: 'Launch day!' }])
  })
})

/** When the digests are posted, as JSON. */
const recurrences = async () =>
  (await upnext.service.pool.query('select recurrence from upnext.digest')).rows.map((row) =>
    JSON.stringify(row),
  )

it('a question about all digests deletes only those that it was about', async () => {
  const workspace = await openDigestWorkspace()
  upnext = workspace
  mara = workspace.mara
  const yuki = workspace.person('yuki')
  for (const words of ['mondays at 9:00', 'tuesdays at 9:00'])
    await mara.runAndHear(`/upnext digest ${words}`, /Digests in/)
  await mara.runAndHear('/upnext digest delete', /There are 2 digests here/)
  await yuki.runAndHear('/upnext digest fridays at 16:00', /Digests in/)
  await mara.pressLast('digest:delete-all')
  await vi.waitFor(async () => expect(await recurrences()).toEqual([expect.stringMatching(/16/)]), MAX_WAIT)
})

describe('deleting digests that have changed since they were shown', () => {
  async function openWithDigests(...digests: string[]) {
    upnext = await openDigestWorkspace()
    mara = upnext.person('mara')
    for (const words of digests) await mara.runAndHear(`/upnext digest ${words}`, /Digests in/)
  }
  /** Yuki moves the first digest to Fridays. */
  async function moveDigest() {
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext digest list', /Digests in/)
    await yuki.pressLast('digest:edit')
    const { id: view } = await yuki.form('Channel digest')
    await yuki.submitAndHear({ view, values: yuki.fill({ recurrence: 'fridays at 16:00' }) }, /Friday/)
  }
  const seesInChannel = (words: RegExp) =>
    vi.waitFor(() => expect(JSON.stringify(mara.state().messages[mara.channel])).toMatch(words), MAX_WAIT)
  const expectDeleted = () => vi.waitFor(async () => expect(await recurrences()).toEqual([]), MAX_WAIT)

  it('keeps one, and shows how it is now', async () => {
    await openWithDigests('mondays at 9:00')
    await mara.runAndHear('/upnext digest list', /Monday/)
    await moveDigest()
    await mara.pressLast('digest:delete')
    await seesInChannel(/This digest has changed since you saw it, so it wasn't deleted\..*Friday/)
    expect(await recurrences()).toEqual([expect.stringMatching(/16/)])
    await mara.pressLast('digest:delete')
    await expectDeleted()
  })

  it('asks again about all of them', async () => {
    await openWithDigests('mondays at 9:00', 'tuesdays at 9:00')
    await mara.runAndHear('/upnext digest delete', /There are 2 digests here/)
    await moveDigest()
    await mara.pressLast('digest:delete-all')
    await seesInChannel(/There are 2 digests here.*Friday/)
    expect(await recurrences()).toHaveLength(2)
    await mara.pressLast('digest:delete-all')
    await expectDeleted()
  })
})

it.each([
  'Launch day!',
  // She confirms the warning about the placeholder.
  'Launch day of {{name}}!',
])(
  'an old "Try again" does not schedule "%s", which was scheduled since, without a question',
  async (text) => {
    const answers = [429, 422]
    const detail = [{ loc: ['body', 'Content'], msg: 'not now', type: 'x' }]
    await open(({ method, url }) => {
      const status = method === 'POST' && /\/posts$/.test(url) ? answers.shift() : undefined
      return status ? Response.json({ detail }, { status }) : undefined
    })
    const submit = async (words: RegExp) => {
      await mara.run(`/schedule-post ${text} monday 9am on X`)
      const { id: view } = await mara.form('Schedule a post')
      await mara.submitView({ view, values: {} })
      if (text.includes('{{')) {
        await vi.waitFor(() => expect(modalOf(mara)).toMatch(/still contains/), MAX_WAIT)
        await mara.confirm('Schedule anyway')
      }
      await vi.waitFor(() => expect(`${modalOf(mara)} ${mara.lastText()}`).toMatch(words), MAX_WAIT)
      if (modalOf(mara)) await mara.closeView({ view })
    }
    await submit(/Saved/)
    await vi.waitFor(() => {
      upnext.wait({ minutes: 2 })
      expect(answers).toEqual([])
    }, MAX_WAIT)
    const messages = () => JSON.stringify(mara.state().messages)
    await vi.waitFor(() => expect(messages()).toContain('outbox:retry'), MAX_WAIT)
    await submit(/Scheduled in/)
    await mara.pressLast('outbox:retry')
    await vi.waitFor(
      () => expect(messages()).toMatch(/The same text is already scheduled on X.*press \*Edit\*/),
      MAX_WAIT,
    )
    await upnext.settled()
    expect(await countPosts()).toBe(1)
  },
)

describe('a form that is continued', () => {
  const typeAndClose = async (member: Member, values = {}) => {
    const { id: view } = await member.form('Schedule a post')
    const blocks: { block_id: string; element: { action_id: string } }[] = JSON.parse(modalOf(member))
    const action_id = blocks.find(({ block_id }) => block_id === 'Content')?.element.action_id ?? ''
    const key = { container: { view }, block_id: 'Content', action_id, value: 'Lamps for all' }
    await member.dispatchAction({
      ...key,
      values: { ...values, ...member.fill({ Content: 'Lamps for all' }) },
    })
    const saved = async () =>
      (await upnext.service.pool.query('select form_values from upnext.open_form where view_id = $1', [view]))
        .rows
    await vi.waitFor(async () => expect(JSON.stringify(await saved())).toMatch(/form_values":[^n]/), MAX_WAIT)
    await upnext.settled()
    await member.closeView({ view })
  }
  const continueForm = async (entered: Record<string, string> = {}) => {
    await mara.run('/schedule-post')
    const { id: view } = await mara.form('Schedule a post')
    const action_id = 'change:schedule:unfinished'
    const values = mara.fill(entered)
    const pressed = { container: { view }, block_id: 'unfinished', action_id, values }
    await mara.dispatchAction(pressed)
    await vi.waitFor(() => expect(modalOf(mara)).toContain('"initial_value":"Lamps for all"'), MAX_WAIT)
  }

  it('holds the post if its channel holds posts by default', async () => {
    await open(withoutExtensions)
    await mara.runAndHear('/upnext hold on', /now held in Upnext/)
    const elsewhere = upnext.person('mara', 'catalogue')
    await elsewhere.run('/schedule-post')
    await typeAndClose(elsewhere)
    await continueForm({ Status: 'HELD' })
    expect(modalOf(mara)).toMatch(/"initial_option":\{"text":[^}]*\},"value":"HELD"/)
  })

  it('keeps its prompt', async () => {
    await open()
    await mara.run('/upnext prompt')
    const prompt = await mara.form('Create a prompt')
    const values = mara.fill({ PromptText: 'Write about lamps', Title: 'Lamps' })
    await mara.submitAndHear({ view: prompt.id, values }, /prompt/i)
    await mara.run('/schedule-post')
    await mara.form('Schedule a post')
    const picked = await mara.pick('PromptId', 'Lamps')
    await mara.dispatchAction(picked)
    await typeAndClose(mara, picked.values)
    await continueForm()
    if (!modalOf(mara).includes('PromptId')) await mara.showMore()
    expect(modalOf(mara)).toMatch(/"text":"Lamps"/)
  })
})

it('an edit that was not sent names its day in the outbox', async () => {
  await open()
  await schedule('Launch day! in 5 days 9am on X')
  await mara.run('/upnext edit launch')
  const { id: view } = await mara.form('Edit a post')
  await upnext.service.pool.query("update service.post set content = 'Lunch day', version = version + 1")
  const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
  await mara.submitView({ view, values: mara.fill({ ScheduleDate: 'tomorrow 9am', MediaFile: [file] }) })
  const messages = () => JSON.stringify(mara.state().messages)
  await vi.waitFor(
    () => expect(messages()).toMatch(/Press \\"Try again\\" to replace that version/),
    MAX_WAIT,
  )
  await mara.runAndHear('/upnext outbox', /\*When\*: Sat 21 Nov 2026, 09:00 Europe\/Berlin/)
})

it('a question about a change at the end of a long text shows that end', async () => {
  await open()
  const beginning = 'We are opening our new shop in Berlin. '.repeat(8)
  await mara.run('/schedule-post tomorrow 9am on LinkedIn')
  const form = await mara.form('Schedule a post')
  const values = mara.fill({ Content: `${beginning}Doors open at 9.` })
  await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
  const yuki = upnext.person('yuki')
  await yuki.run('/upnext edit opening')
  const { id } = await yuki.form('Edit a post')
  await mara.run('/upnext edit opening')
  const edit = await mara.form('Edit a post')
  const changes = mara.fill({ Content: `${beginning}Doors open at 11, because of the strike.` })
  await mara.submitAndHear({ view: edit.id, values: changes }, /Saved the changes/)
  await yuki.submitView({ view: id, values: yuki.fill({ Content: `${beginning}Doors open at 9. Hello!` }) })
  await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/It is now: \\"….*because of the strike/), MAX_WAIT)
})
