import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { openPublishingWorkspace } from './publishing-workspace.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let respond: Respond = () => undefined

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const open = async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
}

beforeEach(async () => {
  respond = () => undefined
  await open()
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const NOTIFY = { notify: { notify: ['yes'] } }

/** Opens a workspace whose service can be kept from saying what it can do. */
async function openDescribed(description: { isDown: boolean }) {
  await upnext.close()
  respond = ({ url }) =>
    description.isDown && url.endsWith('/openapi.json') ? new Response(null, { status: 503 }) : undefined
  await open()
  return description
}

/** Schedules a post and shows it in the channel. */
async function schedule(text: string, member = mara) {
  await member.run(`/schedule-post ${text} tomorrow 9am Berlin time on X`)
  const { id, blocks } = await member.form('Schedule a post')
  const isHeld = JSON.stringify(blocks).includes('"HELD"')
  const values = { ...NOTIFY, ...(isHeld ? member.fill({ Status: 'HELD' }) : {}) }
  await member.submitAndHear({ view: id, values }, /Posted in/)
}
/** The texts of the channel's messages that everyone sees. */
const inChannel = (member = yuki) =>
  (member.state().messages[member.channel] ?? [])
    .filter((message) => 'bot_id' in message && !message.isEphemeral)
    .map(({ blocks }) => JSON.stringify(blocks))
const seesInChannel = (words: RegExp) =>
  vi.waitFor(() => expect(inChannel().join('\n')).toMatch(words), MAX_WAIT)
const directMessages = (member: Member) =>
  Object.entries(member.state().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([, messages]) => messages.map(({ text }) => text))

describe('the message of a post in a channel', () => {
  it('follows a change, and says who made it', async () => {
    await schedule('Launch day!')
    await seesInChannel(/Scheduled in Acme.*Launch day!.*Cancel post.*By <@U\w+>/)
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    const change = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: id, values: change }, /Saved the changes/)
    await seesInChannel(/Changed in Acme.*Launch week!.*By <@U\w+> · changed by <@U\w+>/)
    expect(inChannel()).toHaveLength(1)
  })

  it('says that the post was cancelled, and offers nothing more', async () => {
    await schedule('Launch day!')
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await yuki.pressLast('cancel:confirm')
    await seesInChannel(/Cancelled in Acme.*Launch day!.*cancelled by <@U\w+>/)
    expect(inChannel().join()).not.toContain('record:menu')
  })

  it('follows a change although the service did not say what it can do when Upnext started', async () => {
    const description = await openDescribed({ isDown: true })
    await mara.run('/schedule-post Launch day! tomorrow 9am Berlin time on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: NOTIFY }, /Posted in/)
    await seesInChannel(/Scheduled in Acme.*Launch day!/)
    await upnext.service.pool.query("update service.post set content = 'Launch week!', version = version + 1")
    await upnext.settled()
    description.isDown = false
    await upnext.passTime({ minutes: 0.5 })
    await upnext.settled()
    await upnext.passTime({ minutes: 0.5 })
    await seesInChannel(/Changed in Acme.*Launch week!/)
  })

  it('is posted once although the result could not be stored at first', async () => {
    await upnext.service.pool.query(
      `create function upnext.fail() returns trigger as $$
         begin if new.state = 'sent' then raise exception 'no'; end if; return new; end $$ language plpgsql;
       create trigger fail before update on upnext.outbox_item for each row execute function upnext.fail()`,
    )
    await mara.run('/schedule-post Launch day! tomorrow 9am Berlin time on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: NOTIFY })
    await vi.waitFor(
      () => expect(JSON.stringify(mara.state().views)).toMatch(/it checks whether this was sent/),
      MAX_WAIT,
    )
    await upnext.service.pool.query('drop function upnext.fail cascade')
    await vi.waitFor(async () => {
      upnext.wait({ minutes: 2 })
      await upnext.settled()
      expect(inChannel()).toHaveLength(1)
    }, MAX_WAIT)
    upnext.wait({ minutes: 2 })
    await upnext.settled()
    expect(inChannel()).toHaveLength(1)
  })

  it('opens no form for an edit until it is known what the service can do', async () => {
    const description = await openDescribed({ isDown: false })
    await mara.run('/schedule-post Launch day! tomorrow 9am Berlin time on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    description.isDown = true
    await upnext.stopBot()
    await upnext.startSecondBot()
    await mara.pickLast('Edit')
    await mara.hears(/Couldn't reach the scheduling service/)
    expect(mara.state().views).toEqual([])
  })

  it('follows a change after an outage, an error and another outage', async () => {
    const query = (statement: string) => upnext.service.pool.query(statement)
    let isDown = false
    await schedule('Launch day!')
    respond = ({ method }) => {
      if (method !== 'GET') isDown = true
      return isDown && method === 'GET' ? Response.json({}, { status: 503 }) : undefined
    }
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    const change = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: id, values: change }, /Saved the changes/)
    // The pauses grow up to an hour.
    const tryAgain = async () => {
      upnext.wait({ minutes: 60 })
      await upnext.settled()
    }
    await tryAgain()
    await query('alter table upnext.post_message rename to unreadable_message')
    await tryAgain()
    await query('alter table upnext.unreadable_message rename to post_message')
    await tryAgain()
    isDown = false
    await tryAgain()
    await seesInChannel(/Launch week!/)
  })

  it('has the same menu for everyone, and refuses privately', async () => {
    await schedule('Launch day!')
    const noor = upnext.person('noor')
    await vi.waitFor(() => expect(JSON.stringify(noor.lastMessage())).toContain('Launch day!'), MAX_WAIT)
    await noor.pickLast('Cancel post')
    await noor.hears(/Guests have view-only access/)
    expect(noor.lastMessage()?.isEphemeral).toBe(true)
    await upnext.settled()
    expect(inChannel().join()).toContain('Scheduled in Acme')
  })

  it('also follows a change where the post was shared, and keeps the comment', async () => {
    await schedule('Launch day!')
    await mara.run('/upnext share launch')
    const { id } = await mara.form('Share a post')
    await mara.submitAndHear({ view: id, values: mara.fill({ comment: 'Look <here>' }) }, /Shared in/)
    await seesInChannel(/Look &lt;here&gt;.*Launch day!.*Shared by/s)
    await mara.run('/upnext reschedule launch')
    const { id: timeView } = await mara.form('Reschedule a post')
    const newTime = mara.fill({ ScheduleDate: 'monday 10am' })
    await mara.submitAndHear({ view: timeView, values: newTime }, /Rescheduled/)
    await vi.waitFor(() => {
      const [, shared = ''] = inChannel()
      expect(shared).toMatch(/Look &lt;here&gt;.*Changed in Acme.*Mon 23 Nov 2026, 10:00 Berlin/)
    }, MAX_WAIT)
  })

  it('shows the latest of several changes', async () => {
    await schedule('Launch day!')
    await seesInChannel(/Scheduled in Acme/)
    for (const Content of ['Launch week!', 'Launch month!', 'Launch year!']) {
      // Only the last change is someone else's, because the author's private message about it would come after their reply.
      const member = Content.includes('year') ? yuki : mara
      await member.run('/upnext edit launch')
      const { id } = await member.form('Edit a post')
      await member.submitAndHear({ view: id, values: member.fill({ Content }) }, /Saved the changes/)
    }
    await seesInChannel(/Changed in Acme.*Launch year!/)
    await upnext.settled()
    expect(inChannel().join()).toMatch(/Changed in Acme.*Launch year!.*changed by <@U\w+>/)
  })

  it('says who made a change even if it showed the change before the service confirmed it', async () => {
    await schedule('Launch day!')
    await seesInChannel(/Scheduled in Acme/)
    await upnext.settled()
    const edit = async (Content: string) => {
      await mara.run('/upnext edit launch')
      const { id } = await mara.form('Edit a post')
      return () => mara.submitAndHear({ view: id, values: mara.fill({ Content }) }, /Saved the changes/)
    }
    const submitFirst = await edit('Launch week!')
    // The update of the message is still due when the second change begins.
    respond = ({ method, url }) =>
      method === 'GET' && /posts\/[^/?]+$/.test(url) ? new Response(null, { status: 500 }) : undefined
    await submitFirst()
    await upnext.settled()
    respond = () => undefined
    const submitSecond = await edit('Launch month!')
    respond = async (request) => {
      if (request.method !== 'PUT') return undefined
      const response = await systemRuntime.fetch(request)
      upnext.wait({ minutes: 1 })
      await seesInChannel(/Changed in Acme.*Launch month!/)
      return response
    }
    await submitSecond()
    await seesInChannel(/Changed in Acme.*Launch month!.*changed by <@U\w+>/)
  })

  it('says who cancelled the post even if it showed that before the service confirmed it', async () => {
    await schedule('Launch day!')
    await seesInChannel(/Scheduled in Acme/)
    await upnext.settled()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    // The update of the message is still due when the post is cancelled.
    respond = ({ method, url }) =>
      method === 'GET' && /posts\/[^/?]+$/.test(url) ? new Response(null, { status: 500 }) : undefined
    const change = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: id, values: change }, /Saved the changes/)
    await upnext.settled()
    respond = () => undefined
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    respond = async (request) => {
      if (request.method !== 'DELETE') return undefined
      const response = await systemRuntime.fetch(request)
      upnext.wait({ minutes: 0.6 })
      await seesInChannel(/Cancelled in Acme/)
      return response
    }
    await yuki.pressLast('cancel:confirm')
    await seesInChannel(/Cancelled in Acme.*cancelled by <@U\w+>/)
  })

  it('says that the post was cancelled even if the response of the service was lost', async () => {
    await schedule('Launch day!')
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    respond = (request) => (request.method === 'DELETE' ? new Response(null, { status: 500 }) : undefined)
    await yuki.pressLast('cancel:confirm')
    await upnext.settled()
    expect(inChannel().join()).toContain('Scheduled in Acme')
    await upnext.service.pool.query('delete from service.post')
    upnext.wait({ minutes: 1 })
    await seesInChannel(/Cancelled in Acme.*Launch day!/)
  })

  it('says that the post was cancelled even if another change came in between and the response was lost', async () => {
    await schedule('Launch day!')
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    respond = async (request) => {
      if (request.method !== 'DELETE') return undefined
      await answered
      return new Response(null, { status: 500 })
    }
    await yuki.pressLast('cancel:confirm')
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    const change = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: id, values: change }, /Saved the changes/)
    await seesInChannel(/Changed in Acme.*Launch week!/)
    answer()
    await upnext.settled()
    await upnext.service.pool.query('delete from service.post')
    upnext.wait({ minutes: 1 })
    await seesInChannel(/Cancelled in Acme.*Launch week!/)
  })

  it('loses its menu when a held post is handed over', async () => {
    respond = withoutExtensions
    await upnext.close()
    await open()
    await schedule('Launch day!')
    await seesInChannel(/Held in Upnext for Acme.*Cancel post/)
    upnext.wait({ minutes: 20 * 60 - 15 })
    await seesInChannel(/Handed over to the scheduling service for Acme.*Launch day!/)
    expect(inChannel().join()).not.toContain('record:menu')
  })

  it('says that a held post was perhaps not sent, until its author has looked', async () => {
    await upnext.close()
    // Nothing that is certainly there shows that the list of this service can be trusted.
    respond = (request) =>
      request.method === 'POST' ? new Response(null, { status: 503 }) : withoutExtensions(request)
    await open()
    await schedule('Launch day!')
    upnext.wait({ minutes: 20 * 60 - 15 })
    await seesInChannel(/Handed over to the scheduling service for Acme.*Launch day!/)
    // The looks count from the first attempt.
    await upnext.settled()
    for (let look = 1; look <= 2; look++) {
      upnext.wait({ minutes: 2 })
      await upnext.settled()
    }
    await mara.hears(/no clear response.*It's there/s)
    await seesInChannel(/May not have been sent: Acme.*Launch day!/)
    await mara.pressLast('outbox:confirm')
    await mara.hears('Marked as sent.')
    await seesInChannel(/Handed over to the scheduling service for Acme.*Launch day!/)
  })

  it('no longer says that a held post was not sent once it has been sent after all', async () => {
    await upnext.close()
    respond = (request) =>
      request.method === 'POST' ? Response.json({ detail: [] }, { status: 422 }) : withoutExtensions(request)
    await open()
    await schedule('Launch day!')
    upnext.wait({ minutes: 20 * 60 - 15 })
    await seesInChannel(/Not sent: Acme.*Launch day!/)
    await mara.hears(/rejected this.*Try again/s)
    respond = withoutExtensions
    await mara.pressLast('outbox:retry')
    await seesInChannel(/Handed over to the scheduling service for Acme.*Launch day!/)
  })
})

describe('a private confirmation', () => {
  const privateMessages = () =>
    (mara.state().messages[mara.channel] ?? []).filter(({ isEphemeral }) => isEphemeral)

  it('is replaced when its menu changes the post, and stays when another change is made', async () => {
    await mara.run('/schedule-post Launch day! tomorrow 9am Berlin time on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    const [confirmation] = privateMessages()
    await mara.pickLast('Edit')
    const { id: editView } = await mara.form('Edit a post')
    await mara.submitView({ view: editView, values: mara.fill({ Content: 'Launch week!' }) })
    await mara.hears(/Saved the changes in Acme.*Launch week!/s)
    expect(privateMessages().map(({ ts }) => ts)).toEqual([confirmation?.ts])
    await mara.pickLast('Preview')
    await mara.hears(/\d left/)
    expect(privateMessages()).toHaveLength(2)
    await mara.run('/upnext reschedule launch')
    const { id: timeView } = await mara.form('Reschedule a post')
    const newTime = mara.fill({ ScheduleDate: 'monday 10am' })
    await mara.submitAndHear({ view: timeView, values: newTime }, /Rescheduled in Acme/)
    expect(privateMessages()).toHaveLength(3)
    await mara.pickLast('Cancel post')
    await mara.hears(/Cancel this post\?/)
    await mara.pressLast('cancel:keep')
    await mara.hears(/Kept.*Launch week!/s)
    await mara.pickLast('Cancel post')
    await mara.hears(/Cancel this post\?/)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Cancelled\. This post won't go out/)
    expect(privateMessages()).toHaveLength(3)
  })
})

describe('the author of a post', () => {
  it('is notified once when someone else changes or cancels it, and not of their own changes', async () => {
    await schedule('Launch day!')
    await mara.run('/upnext edit launch')
    const { id: ownView } = await mara.form('Edit a post')
    await mara.submitAndHear({ view: ownView, values: mara.fill({ Content: 'Launch 2!' }) }, /Saved/)
    await yuki.run('/upnext edit launch')
    const { id } = await yuki.form('Edit a post')
    await yuki.submitAndHear({ view: id, values: yuki.fill({ Content: 'Launch week!' }) }, /Saved/)
    await mara.hears(
      /^<@U\w+> changed your post in Acme: "Launch week!" · Sat 21 Nov 2026, 09:00 Berlin .* · X\.$/,
    )
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await yuki.pressLast('cancel:confirm')
    await mara.hears(
      /^<@U\w+> cancelled your post in Acme: "Launch week!" · Sat 21 Nov 2026, 09:00 Berlin .* · X\. It won't go out\.$/,
    )
    await upnext.settled()
    expect(directMessages(mara)).toHaveLength(2)
    expect(directMessages(yuki)).toEqual([])
  })

  it('is also notified if the post was held', async () => {
    respond = withoutExtensions
    await upnext.close()
    await open()
    await schedule('Launch day!')
    await yuki.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await yuki.pressLast('cancel:confirm')
    await mara.hears(/^<@U\w+> cancelled your post in Acme: "Launch day!" · Sat 21 Nov/)
  })

  it('gets a message that follows a post onto a platform that had no account at first', async () => {
    await upnext.close()
    const workspace = await openPublishingWorkspace()
    upnext = workspace
    await workspace.addTelegram()
    await workspace.schedule('Launch day!')
    const setConnected = (isConnected: boolean) =>
      upnext.service.pool.query('update service.account set is_connected = $1', [isConnected])
    await setConnected(false)
    await workspace.passTo('14:00')
    await workspace.checkOften()
    await upnext.waitFor(() =>
      expect(workspace.directMessages().join()).toMatch(/Not published in.*no account was connected/),
    )
    await setConnected(true)
    await workspace.press('Publish now', /no account was connected/)
    await workspace.hearOfResults()
    const isPublished = expect.stringMatching(/Published in.*t\.me\/acme/)
    await upnext.waitFor(() => expect(workspace.directMessages()).toContainEqual(isPublished))
    expect(workspace.directMessages().join()).not.toMatch(/Not published in/)
  })
})
