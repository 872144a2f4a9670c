import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

const MAX_WAIT = { timeout: 60_000, interval: 20 }

beforeEach(async () => {
  respond = () => undefined
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: async (request) => (await withoutExtensions(request)) ?? respond(request),
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

// The clock starts on Friday 20 November 2026 at noon UTC; Mara's time zone is Berlin.
const openForm = async (text: string, member = mara) => {
  await member.run(`/schedule-post ${text} tomorrow 9am on X`)
  return member.form('Schedule a post')
}
const hold = async (text: string, member = mara) => {
  const { id } = await openForm(text, member)
  await member.submitAndHear({ view: id, values: member.fill({ Status: 'HELD' }) }, /Held in Upnext for Acme/)
}
/** The post goes out at 08:00 UTC on the next day. */
const MINUTES_TO_HAND_OVER = 20 * 60 - 15

const listContents = async () =>
  (await upnext.service.pool.query('select content from service.post order by content')).rows.map(
    ({ content }) => content,
  )
const countHeld = async () =>
  Number(
    (await upnext.service.pool.query("select count(*) from upnext.outbox_item where state = 'held'")).rows[0]
      .count,
  )
const homeText = () => JSON.stringify(mara.state().home)

describe('a held post, with a service that cannot change posts', () => {
  it('says that the post can still be changed, and shows it with the others', async () => {
    await hold('Launch day!')
    expect(mara.lastText()).toMatch(/held in Upnext.*Launch day!.*You can edit or cancel it until then/s)
    expect(await listContents()).toEqual([])
    await mara.runAndHear('/upnext', /Up next in Acme.*Launch day!.*held in Upnext.*Edit.*Move.*Cancel/s)
    await mara.runAndHear('/upnext posts', /Upcoming posts in Acme.*Launch day!.*held in Upnext/s)
    await mara.runAndHear('/upnext digest now', /Up next in Acme.*Launch day!/s)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText()).toMatch(/Launch day!.*held in Upnext/s), MAX_WAIT)
  })

  it('is only in the list of its day, not in the list of an earlier or later day', async () => {
    await hold('Launch day!')
    await mara.runAndHear('/upnext posts tomorrow', /Launch day!.*held in Upnext/s)
    await mara.runAndHear('/upnext posts today', /No posts in Acme on Fri 20 Nov/)
    await mara.runAndHear('/upnext posts on Sunday', /No posts in Acme on Sun 22 Nov/)
  })

  it('says plainly that a post that was not held cannot be changed', async () => {
    const { id } = await openForm('Launch day!')
    await mara.submitAndHear({ view: id, values: {} }, /can't change posts in this scheduling service/)
    expect(mara.lastText()).not.toContain('Move')
  })

  it("is handed over once, 15 minutes before it goes out, and can't be cancelled afterwards", async () => {
    await hold('Launch day!')
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER - 1 })
    await upnext.settled()
    expect(await listContents()).toEqual([])
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    upnext.wait({ minutes: 1 })
    await vi.waitFor(async () => expect(await listContents()).toEqual(['Launch day!']), MAX_WAIT)
    await upnext.settled()
    expect(mara.lastText()).toMatch(/Cancel this post\?/)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/was sent to the scheduling service/)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('stays in every list while the service accepts no posts', async () => {
    // A post that the service lists shows later that its list can be trusted.
    await mara.run('/schedule-post Certainly there in 3 days at 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    upnext.wait({ minutes: 2 })
    await hold('Launch day!')
    respond = (request) =>
      request.method === 'POST' ? new Response(null, { status: 503 }) : withoutExtensions(request)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await upnext.settled()
    expect(await countHeld()).toBe(0)
    const onItsWay = /Launch day!.*on its way to the scheduling service/s
    await mara.runAndHear('/upnext posts', onItsWay)
    expect(mara.lastText()).not.toContain('cancel:ask')
    await mara.runAndHear('/upnext', onItsWay)
    await mara.runAndHear('/upnext week', onItsWay)
    await mara.runAndHear('/upnext digest now', /Up next in Acme.*Launch day!/s)
    await mara.runAndHear('/upnext preview launch', /No post was found|on its way/)
    respond = withoutExtensions
    // Another service may list the post late, so Upnext looks twice.
    for (let look = 1; look <= 2; look++) {
      upnext.wait({ minutes: 2 })
      await upnext.settled()
    }
    const contents = ['Certainly there', 'Launch day!']
    await vi.waitFor(async () => expect(await listContents()).toEqual(contents), MAX_WAIT)
    await upnext.settled()
    await mara.runAndHear('/upnext posts', /Launch day!/)
    expect(mara.lastText()).not.toMatch(onItsWay)
  })

  it('can be listed and cancelled while the service is down', async () => {
    await hold('Launch day!')
    respond = () => new Response(null, { status: 503 })
    await mara.runAndHear(
      '/upnext posts',
      /Launch day!.*held in Upnext.*couldn't be loaded from the scheduling service, so these are only/s,
    )
    await mara.runAndHear('/upnext posts published', /scheduling service/)
    await mara.runAndHear('/upnext cancel brunch', /scheduling service/)
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await mara.pressLast('cancel:confirm')
    await mara.hears("Cancelled. This post won't go out")
    expect(await countHeld()).toBe(0)
  })

  it('can be edited, rescheduled and cancelled until it is handed over', async () => {
    await hold('Launch day!')
    await mara.run('/upnext edit launch')
    const { id: editView } = await mara.form('Edit a post')
    const newText = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: editView, values: newText }, /Saved the changes.*Launch week!/s)
    await mara.pressLast('reschedule:ask')
    const { id: timeView } = await mara.form('Reschedule a post')
    const newTime = mara.fill({ ScheduleDate: 'monday 10am' })
    await mara.submitView({ view: timeView, values: newTime })
    await mara.hears(/Rescheduled.*Mon 23 Nov, 10:00/s)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await upnext.settled()
    expect(await listContents()).toEqual([])
    await mara.pickLast('Cancel post')
    await mara.hears(/Cancel this post\?/)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Cancelled.*won't go out.*Launch week!/s)
    expect(await countHeld()).toBe(0)
    upnext.wait({ minutes: 4 * 24 * 60 })
    await upnext.settled()
    expect(await listContents()).toEqual([])
  })

  it('shows a version that someone else saved first, and asks before replacing it', async () => {
    await hold('Launch day!')
    const yuki = upnext.person('yuki')
    await mara.run('/upnext edit launch')
    await yuki.run('/upnext edit launch')
    const [first, second] = [await mara.form('Edit a post'), await yuki.form('Edit a post')]
    await yuki.submitAndHear({ view: second.id, values: yuki.fill({ Content: 'Lunch day!' }) }, /Lunch day!/)
    await mara.hears('changed your post')
    await mara.submitView({ view: first.id, values: mara.fill({ Content: 'Launch week!' }) })
    expect(JSON.stringify(mara.state().views)).toMatch(/@yuki changed this post.*Lunch day!/s)
    await mara.confirm('Replace this text')
    await mara.hears(/Saved the changes.*Launch week!/s)
  })

  it('warns that the same text is already held', async () => {
    await hold('Launch day!')
    const { id } = await openForm('Launch day!')
    await mara.submitView({ view: id, values: {} })
    expect(JSON.stringify(mara.state().views)).toContain('The same text is already scheduled on X')
  })

  it("refuses to hold a post that goes out in less than 15 minutes, and says so under 'Save as'", async () => {
    const { id } = await openForm('Launch day!')
    const values = mara.fill({ ScheduleDate: 'in 10 minutes', Status: 'HELD' })
    expect(await mara.submitView({ view: id, values })).toEqual({
      errors: { Status: 'The time is less than 15 minutes away. Pick "Scheduled post", or a later time.' },
    })
  })

  it('is held once if the form is submitted twice', async () => {
    const { id } = await openForm('Launch day!')
    const form = { view: id, values: mara.fill({ Status: 'HELD' }) }
    await Promise.all([mara.submitView(form), mara.submitView(form).catch(() => undefined)])
    await mara.hears(/Held in Upnext/)
    expect(await countHeld()).toBe(1)
  })
})

describe('the handover of a held post', () => {
  it('shows the author a rejection by the service immediately, while there is time to fix the post', async () => {
    await hold('Launch day!')
    respond = ({ method }) =>
      method === 'POST'
        ? Response.json(
            { detail: [{ loc: ['body', 'Content'], msg: 'Too dull', type: 'x' }] },
            { status: 422 },
          )
        : undefined
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await mara.hears(/Too dull.*Launch day!.*Edit/s)
    respond = () => undefined
    await mara.pressLast('outbox:edit')
    const { id, blocks } = await mara.form('Schedule a post')
    expect(JSON.stringify(blocks)).toContain('Sat 21 Nov 2026, 09:00 Europe/Berlin')
    const values = mara.fill({ Content: 'Launch party!', Status: 'SCHEDULED' })
    await mara.submitAndHear({ view: id, values }, /Scheduled in Acme/)
    expect(await listContents()).toEqual(['Launch party!'])
  })

  it("doesn't say that a post is cancelled or on its way if the service rejected it", async () => {
    await hold('Launch day!')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    const { ts = '', blocks = [] } = mara.lastMessage() ?? {}
    respond = ({ method }) => (method === 'POST' ? Response.json({ detail: [] }, { status: 422 }) : undefined)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await mara.hears(/The scheduling service rejected this/)
    const block = blocks.find((candidate) => JSON.stringify(candidate).includes('cancel:confirm'))
    await mara.dispatchAction({
      container: { channel: mara.channel, ts },
      block_id: block?.block_id ?? '',
      action_id: 'cancel:confirm',
    })
    await vi.waitFor(() => {
      const shown = JSON.stringify(mara.state().messages)
      expect(shown).toContain("This post couldn't be sent. Its author has been asked what to do with it.")
    }, MAX_WAIT)
  })

  it('sends nothing late after an outage, and asks the author instead', async () => {
    await hold('Launch day!')
    upnext.wait({ minutes: 21 * 60 })
    await mara.hears(/couldn't be sent in time.*Launch day!.*Pick a new time/s)
    expect(await listContents()).toEqual([])
    await mara.pressLast('outbox:discard')
    await mara.hears('Removed from your outbox.')
  })

  it('notifies the author and the admins if the author may no longer post', async () => {
    const yuki = upnext.person('yuki')
    await hold('Launch day!', yuki)
    upnext.slack.controls.updateUser({ user: 'yuki', role: 'guest' })
    // Nine in the morning comes eight hours earlier in Tokyo.
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER - 8 * 60 })
    await yuki.hears(/You no longer have permission to do this, so it wasn't sent/)
    await mara.hears(/submitted by .*wasn't sent, because they no longer have permission/)
    expect(await listContents()).toEqual([])
  })

  it('either hands over or cancels a post, never both', async () => {
    for (let round = 0; round < 10; round++) {
      await upnext.service.pool.query('delete from service.post')
      await hold(`Launch ${round}!`)
      await mara.runAndHear(`/upnext cancel ${round}`, /Cancel this post\?/)
      await upnext.service.pool.query("update upnext.outbox_item set held_until = '2026-11-20T12:00Z'")
      await upnext.service.pool.query("update upnext.job set due_at = '2026-11-20T12:00Z'")
      await mara.pressLast('cancel:confirm')
      await mara.hears(/Cancelled|already on its way/)
      await upnext.settled()
      expect(await listContents()).toEqual(mara.lastText()?.includes('Cancelled') ? [] : [`Launch ${round}!`])
    }
  })
})

describe('holding by default', () => {
  it('is set for a channel by an admin, and preselected in the forms there', async () => {
    await mara.runAndHear('/upnext hold', /New posts go to the scheduling service by default in this channel/)
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext hold on', /Only workspace owners and admins/)
    await mara.runAndHear('/upnext hold on', /New posts from this channel are now held in Upnext/)
    const { id } = await openForm('Launch day!')
    await mara.submitAndHear({ view: id, values: {} }, /Held in Upnext for Acme/)
    const elsewhere = upnext.person('mara', 'general')
    await elsewhere.run('/schedule-post Lunch day! tomorrow 9am on X')
    const { id: other } = await elsewhere.form('Schedule a post')
    await elsewhere.submitAndHear({ view: other, values: {} }, /Scheduled in Acme/)
    await mara.runAndHear('/upnext hold off', /now go to the scheduling service immediately/)
  })
})

it('offers no holding if the service can change posts', async () => {
  await upnext.close()
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
  const { blocks } = await openForm('Launch day!')
  expect(JSON.stringify(blocks)).not.toContain('HELD')
  await mara.runAndHear('/upnext hold', /no need to hold posts/)
})
