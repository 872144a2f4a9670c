import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { sendWithFate } from '../support/lose-answers.ts'
import { fetchUnreachable } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let admins: string[]
/** Simulates what becomes of a request that creates something. Undefined lets it through. */
let simulate: ((request: Request) => Promise<Response>) | undefined
let creationRequests = 0

beforeEach(async () => {
  simulate = undefined
  creationRequests = 0
  admins = []
  upnext = await openUpnext({
    admins,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        // Without the key, the bot looks up what may have arrived.
        request.headers.delete('idempotency-key')
        if (request.method !== 'POST') return systemRuntime.fetch(request)
        creationRequests += 1
        return simulate ? simulate(request.clone()) : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

/** The request arrives, but its response doesn't. */
const loseResponse = (request: Request) => sendWithFate(request, 'answer lost')
/** The request doesn't arrive, and there is no response. */
const loseRequest = (request: Request) => sendWithFate(request, 'request lost')
const refuse = async () =>
  Response.json({ detail: [{ loc: ['body', 'Content'], msg: 'Too dull', type: 'x' }] }, { status: 422 })

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const formText = (member = mara) => JSON.stringify(member.state().views.at(-1)?.blocks)
const listContents = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post order by created_at, id')
  return rows.map(({ content }) => content)
}
const waitForContents = (contents: string[]) =>
  vi.waitFor(async () => expect(await listContents()).toEqual(contents), MAX_WAIT)

const fillPost = async (content: string, member = mara) => {
  await member.run('/schedule-post tomorrow 9am Berlin time on X')
  const { id } = await member.form('Schedule a post')
  return { view: id, values: member.fill({ Content: content }) }
}
const submitPending = async (content: string, member = mara) => {
  const form = await fillPost(content, member)
  expect(await member.submitView(form)).toEqual({ done: true })
  expect(formText(member)).toContain('*Saved.*')
  await member.closeView({ view: form.view })
  return form
}
const fillInvitation = async (values: Record<string, string>, member = mara) => {
  await member.run('/invite-user')
  const { id } = await member.form('Invite someone')
  return { view: id, values: { ...member.fill(values), ...(await member.pick('Role', 'EDITOR')).values } }
}
const countInvited = async (email: string) => {
  const { rows } = await upnext.service.pool.query('select from service.person where email = $1', [email])
  return rows.length
}

describe('a post that cannot be sent', () => {
  it('is stored, and the user is notified when it has been sent', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears(/Done, after a delay\.[\s\S]*Scheduled in Acme[\s\S]*Launch day!/)
    expect(mara.isAnsweredInPrivate()).toBe(true)
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Launch day!'), MAX_WAIT)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('leads to one notification, even if Slack is slow to deliver it', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = undefined
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', delay_ms: 1500 })
    upnext.wait({ minutes: 1 })
    await mara.hears('Done, after a delay')
    await upnext.settled()
    const notifications = upnext.slack.controls
      .appPayloads()
      .filter(({ body }) => JSON.stringify(body).includes('Done, after a delay'))
    expect(notifications).toHaveLength(1)
  })

  it('is not sent again if a lookup finds it', async () => {
    simulate = loseResponse
    await submitPending('Launch day!')
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears(/after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
    expect(creationRequests).toBe(1)
  })

  it('is sent again if a lookup does not find it', async () => {
    simulate = loseRequest
    await submitPending('Launch day!')
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears(/after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
    expect(creationRequests).toBe(2)
  })

  it.each([
    [1100, 'finds it', /Done, after a delay[\s\S]*Launch day!/],
    [2100, 'asks about it', /no clear response/],
  ])('sends a post once among %i posts of the same minute, and %s', async (count, _result, words) => {
    await upnext.service.addPosts(upnext.project, { count, from: '2026-11-21T08:00Z' })
    simulate = loseResponse
    await submitPending('Launch day!')
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears(words)
    await upnext.settled()
    expect(creationRequests).toBe(1)
  })

  it('is not looked up while its request may still arrive', async () => {
    simulate = loseResponse
    await submitPending('Launch day!')
    upnext.wait({ minutes: 0.3 })
    await upnext.settled()
    await mara.run('/upnext outbox')
    await mara.hears('Checking whether it arrived…')
  })

  it("isn't sent after its time: its author is asked for a new time", async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    upnext.wait({ minutes: 24 * 60 })
    await mara.hears(/couldn't be sent in time[\s\S]*Launch day![\s\S]*Pick a new time/)
    expect(mara.isAnsweredInPrivate()).toBe(true)
    simulate = undefined
    upnext.wait({ minutes: 60 })
    await upnext.settled()
    expect(await listContents()).toEqual([])
    await mara.pressLast('outbox:edit')
    const { id } = await mara.form('Schedule a post')
    const values = mara.fill({ ScheduleDate: '1 march 2027 9am Berlin time' })
    await mara.submitAndHear({ view: id, values }, /Scheduled in Acme[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('expires after a day, and can be sent again', async () => {
    simulate = fetchUnreachable
    const form = await fillPost('Launch day!')
    const later = mara.fill({ ScheduleDate: '1 march 2027 9am Berlin time' })
    expect(await mara.submitView({ ...form, values: { ...form.values, ...later } })).toEqual({ done: true })
    await mara.closeView({ view: form.view })
    upnext.wait({ minutes: 25 * 60 })
    await mara.hears(/tried to send it for a day[\s\S]*Launch day!/)
    simulate = undefined
    await mara.runAndHear('/upnext outbox', /tried to send it for a day/)
    await mara.pressLast('outbox:retry')
    await mara.hears(/after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
    // The earlier message still has its button.
    await mara.pressLast('outbox:retry')
    const messages = () => JSON.stringify(mara.state().messages)
    await vi.waitFor(() => expect(messages()).toMatch(/This item is on its way or already done/), MAX_WAIT)
    expect(messages()).not.toMatch(/If you want to send it anyway/)
  })
})

describe('a post that is on its way', () => {
  it('is listed, and the same post gets a warning', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    await mara.runAndHear('/upnext posts', /Launch day!.*on its way to the scheduling service/s)
    await mara.submitView(await fillPost('Launch day!'))
    expect(formText()).toContain('The same text is already scheduled on X')
  })
})

describe('a slot of a post that cannot be sent', () => {
  const submitInSlot = async (Content: string, member: Member) => {
    const { view, values } = await fillPost(Content, member)
    const slot = member.fill({ ScheduleDate: 'slot 1 march 2027' })
    return member.submitView({ view, values: { ...values, ...slot } })
  }
  beforeEach(async () => {
    await mara.run('/upnext slots mondays at 9:00 Berlin')
    const { id } = await mara.form('Slots')
    await mara.submitAndHear({ view: id, values: {} }, /\*Slots of Acme\*/)
    simulate = fetchUnreachable
    await submitInSlot('Launch day!', mara)
    await vi.waitFor(() => expect(formText()).toContain('*Saved.*'), MAX_WAIT)
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
  })

  it('is kept when the post is edited', async () => {
    await mara.runAndHear('/upnext outbox', /Launch day!/)
    await mara.pressLast('outbox:edit')
    const { id } = await mara.form('Schedule a post')
    simulate = undefined
    await mara.submitAndHear({ view: id, values: mara.fill({ Content: 'Launch night!' }) }, /Scheduled in/)
    expect(await listContents()).toEqual(['Launch night!'])
  })

  it('is not taken from another post when it is sent again', async () => {
    upnext.wait({ minutes: 25 * 60 })
    await mara.hears(/tried to send it for a day[\s\S]*Launch day!/)
    simulate = undefined
    const yuki = upnext.person('yuki')
    await submitInSlot('From Yuki', yuki)
    await yuki.hears(/Scheduled in/)
    await mara.pressLast('outbox:retry')
    await mara.hears(/Another post has this slot now/)
    expect(await listContents()).toEqual(['From Yuki'])
  })
})

describe("the author's permission", () => {
  const inviteAsTemporaryAdmin = async () => {
    const yuki = upnext.person('yuki')
    admins.push(yuki.state().userId)
    const form = await fillInvitation({ FirstName: 'Ada', Email: 'ada@acme.example' }, yuki)
    simulate = fetchUnreachable
    expect(await yuki.submitView(form)).toEqual({ done: true })
    expect(formText(yuki)).toContain('*Saved.*')
    simulate = undefined
    creationRequests = 0
    return yuki
  }

  const submitPendingPost = async (member: Member) => {
    simulate = fetchUnreachable
    await submitPending('Launch day!', member)
    simulate = undefined
    creationRequests = 0
  }

  it('leads to a refusal if it was lost after submitting, and nothing is sent', async () => {
    const yuki = await inviteAsTemporaryAdmin()
    admins.pop()
    upnext.wait({ minutes: 1 })
    await yuki.hears(/You no longer have permission to do this, so it wasn't sent\.[\s\S]*ada@acme\.example/)
    await upnext.settled()
    expect(creationRequests).toBe(0)
    expect(await countInvited('ada@acme.example')).toBe(0)
  })

  it('notifies admins of an item that was not sent because its author left or lost the permission', async () => {
    const yuki = upnext.person('yuki')
    await submitPendingPost(yuki)
    upnext.slack.controls.updateUser({ user: 'yuki', deactivated: true })
    // The bot remembers for a minute who yuki was.
    upnext.wait({ minutes: 1.1 })
    const message = new RegExp(
      `\\*Schedule a post\\* in Acme, submitted by <@${yuki.state().userId}>, wasn't sent, because they no longer have permission[\\s\\S]*Launch day!`,
    )
    for (const admin of [mara, upnext.person('tomas')]) await admin.hears(message)
    await upnext.settled()
    expect(creationRequests).toBe(0)
    expect(await listContents()).toEqual([])
    // Slack rejects the message to someone who left.
    upnext.slack.controls.clearAppPayloads()
  })

  it('keeps an item waiting while Slack cannot say whether its author still has the permission', async () => {
    await submitPendingPost(mara)
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 100 })
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    expect(creationRequests).toBe(0)
    upnext.slack.controls.clearFaults()
    upnext.wait({ minutes: 1 })
    await waitForContents(['Launch day!'])
    upnext.slack.controls.clearAppPayloads()
  })

  it('is checked again before a retry, and lets the item through once it is restored', async () => {
    const yuki = await inviteAsTemporaryAdmin()
    admins.pop()
    upnext.wait({ minutes: 1 })
    await yuki.hears('no longer have permission')
    await yuki.pressLast('outbox:retry')
    await upnext.settled()
    expect(creationRequests).toBe(0)
    await yuki.run('/upnext outbox')
    await yuki.hears('no longer have permission')
    admins.push(yuki.state().userId)
    await yuki.pressLast('outbox:retry')
    await yuki.hears(/Invited ada@acme\.example to Acme/)
    expect(await countInvited('ada@acme.example')).toBe(1)
  })

  it('delays the item until Slack can confirm it', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = undefined
    creationRequests = 0
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 1000 })
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    expect(creationRequests).toBe(0)
    upnext.slack.controls.clearFaults()
    upnext.slack.controls.clearAppPayloads()
    upnext.wait({ minutes: 1 })
    await mara.hears(/after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
  })
})

describe('a late rejection', () => {
  it('lets the user edit the form, with the error above its field', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch <day>!')
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears(/rejected this[\s\S]*Text: Too dull[\s\S]*Launch &lt;day&gt;!/)
    expect(mara.isAnsweredInPrivate()).toBe(true)
    simulate = undefined
    await mara.pressLast('outbox:edit')
    const { id, blocks } = await mara.form('Schedule a post')
    const blockIds = blocks.map(({ block_id }) => block_id)
    expect(blockIds.indexOf('error:Content')).toBe(blockIds.indexOf('Content') - 1)
    expect(JSON.stringify(blocks)).toMatch(
      /Too dull.*"initial_value":"Launch <day>!".*"initial_value":"Sat 21 Nov 2026,? 09:00 (?:Europe\/)?Berlin/,
    )
    expect(await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch night!' }) })).toEqual({
      done: true,
    })
    await mara.hears(/Scheduled in Acme[\s\S]*Launch night!/)
    await mara.run('/upnext outbox')
    await mara.hears(':white_check_mark: Done.')
    expect(mara.lastText()).not.toContain('Too dull')
  })

  it('lets the user edit the form, which is still posted in the channel', async () => {
    simulate = fetchUnreachable
    const { view, values } = await fillPost('Launch day!')
    await mara.submitView({ view, values: { ...values, ...mara.fill({ notify: ['yes'] }) } })
    expect(formText()).toContain('*Saved.*')
    await mara.closeView({ view })
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears(/rejected this/)
    simulate = undefined
    await mara.pressLast('outbox:edit')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch night!' }) })
    await upnext.person('yuki').hears(/Scheduled in Acme[\s\S]*Launch night!/)
  })

  it('stays in the outbox until the next version of the post is accepted', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears(/rejected this/)
    await mara.pressLast('outbox:edit')
    const { id } = await mara.form('Schedule a post')
    const values = mara.fill({ Content: 'Launch evening!' })
    expect(await mara.submitView({ view: id, values })).toEqual({ errors: { Content: 'Too dull' } })
    const { rows } = await upnext.service.pool.query('select state from upnext.outbox_item')
    expect(rows).toEqual([{ state: 'refused' }])
    simulate = undefined
    expect(await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch night!' }) })).toEqual({
      done: true,
    })
    await waitForContents(['Launch night!'])
  })

  it('can be discarded', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears('Too dull')
    await mara.pressLast('outbox:discard')
    await mara.hears(/Removed from your outbox\..*Launch day!/s)
    await mara.run('/upnext outbox')
    await mara.hears('Your outbox is empty.')
  })

  it('adds a note if the outbox has more items', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears('Too dull')
    await upnext.service.pool.query(
      `insert into upnext.outbox_item (id, view_id, team_id, user_id, user_team_id, form, project_id, project_name,
         notify_channel, state, failure, body, form_values, accepted_at)
       select gen_random_uuid(), number::text, team_id, user_id, user_team_id, form, project_id, project_name,
         notify_channel, state, failure, body, form_values, accepted_at
       from upnext.outbox_item, generate_series(1, 10) number`,
    )
    await mara.runAndHear('/upnext outbox', /There are more items. Only the latest 10 are shown./)
  })
})

describe("someone else's outbox", () => {
  it('is shown to admins, who can neither send from it nor discard anything', async () => {
    simulate = fetchUnreachable
    await submitPending('Launch day!')
    simulate = refuse
    upnext.wait({ minutes: 1 })
    await mara.hears('Too dull')
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext outbox @mara', /Only workspace owners and admins can do this/)
    admins.push(yuki.userId)
    await yuki.runAndHear('/upnext outbox @mara', /<@\w+>'s outbox[\s\S]*Too dull/)
    expect(JSON.stringify(yuki.lastMessage()?.blocks)).not.toContain('"actions"')
    await yuki.runAndHear('/upnext outbox @nobody', /No match for .*@nobody.* among the last 50 people/)
    await yuki.runAndHear('/upnext outbox for mara', /Name one person, as in/)
  })
})

describe('a form', () => {
  it('is sent once if it is submitted twice simultaneously', async () => {
    simulate = fetchUnreachable
    const form = await fillPost('Launch day!')
    const results = await Promise.all([mara.submitView(form), mara.submitView(form)])
    expect(results).toEqual([{ done: true }, { done: true }])
    expect(formText()).toContain('*Saved.*')
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears('Done, after a delay')
    await upnext.settled()
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('creates two posts if it is opened and submitted twice with the same content', async () => {
    simulate = loseResponse
    await submitPending('Launch day!')
    simulate = undefined
    const form = await fillPost('Launch day!')
    await mara.submitView(form)
    // The first post is on the service already, so the bot warns once.
    if (formText().includes('already scheduled')) await mara.confirm('Schedule anyway')
    upnext.wait({ minutes: 1 })
    await waitForContents(['Launch day!', 'Launch day!'])
    await upnext.settled()
    expect(await listContents()).toHaveLength(2)
  })
})

describe('a lookup', () => {
  it('does not mistake the record of another item for its own', async () => {
    await mara.submitView(await fillPost('Launch day!'))
    await mara.hears('Scheduled in Acme')
    const form = await fillPost('Launch day!')
    await mara.submitView(form)
    expect(formText()).toContain('The same text is already scheduled on')
    simulate = loseRequest
    await mara.confirm('Schedule anyway')
    expect(formText()).toContain('*Saved.*')
    await mara.closeView({ view: form.view })
    simulate = undefined
    upnext.wait({ minutes: 1 })
    await mara.hears('Done, after a delay')
    expect(await listContents()).toEqual(['Launch day!', 'Launch day!'])
  })

  it('releases a record that another item claims at the same moment', async () => {
    simulate = loseResponse
    await submitPending('Launch day!')
    simulate = undefined
    const { pool } = upnext.service
    const { rows } = await pool.query('select id from service.post')
    const otherInstance = await pool.connect()
    await otherInstance.query('begin')
    await otherInstance.query(
      `insert into upnext.outbox_item (id, view_id, team_id, user_id, user_team_id, form, project_id, project_name,
         notify_channel, state, record_id, accepted_at)
       select gen_random_uuid(), 'another', team_id, 'another', team_id, form, project_id, project_name,
         false, 'sent', $1, accepted_at from upnext.outbox_item`,
      [rows[0].id],
    )
    upnext.wait({ minutes: 1 })
    const countBlocked = async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and query like '%outbox_item%'`,
      )
      return rows.length
    }
    await vi.waitFor(async () => expect(await countBlocked()).toBe(1), MAX_WAIT)
    await otherInstance.query('commit')
    otherInstance.release()
    await mara.hears(/after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!', 'Launch day!'])
  })
})

describe('a Retry-After of a day', () => {
  const limit = async () =>
    Response.json({ detail: 'Too many' }, { status: 429, headers: { 'retry-after': '86400' } })

  it('delays a post for 15 minutes', async () => {
    simulate = limit
    await submitPending('Launch day!')
    simulate = undefined
    upnext.wait({ minutes: 14 })
    await upnext.settled()
    expect(await listContents()).toEqual([])
    upnext.wait({ minutes: 2 })
    await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it("doesn't delay a post beyond its time", async () => {
    simulate = limit
    await mara.run('/schedule-post in 10 minutes on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch day!' }) })
    simulate = undefined
    upnext.wait({ minutes: 6 })
    await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  })

  it('also delays the next posts for 15 minutes', async () => {
    simulate = async (request) =>
      (await request.clone().text()).includes('First') ? limit() : systemRuntime.fetch(request)
    await submitPending('First')
    await submitPending('Second')
    upnext.wait({ minutes: 16 })
    await mara.hears(/Done, after a delay[\s\S]*Second/)
    expect(await mara.submitView(await fillPost('Third'))).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Third/)
    expect(await listContents()).toEqual(['Second', 'Third'])
    simulate = undefined
    upnext.wait({ minutes: 16 })
    await mara.hears(/Done, after a delay[\s\S]*First/)
  })
})

describe('the order of items', () => {
  it('asks Slack about the author of many posts once a minute', async () => {
    simulate = fetchUnreachable
    for (let index = 0; index < 12; index++) await submitPending(`Post ${index}`)
    simulate = undefined
    const countLookups = () =>
      upnext.slack.controls.appPayloads().filter(({ name }) => name === 'users.info').length
    const before = countLookups()
    upnext.wait({ minutes: 1 })
    await vi.waitFor(async () => expect(await listContents()).toHaveLength(12), MAX_WAIT)
    await upnext.settled()
    expect(countLookups() - before).toBeLessThanOrEqual(2)
  })

  it('is kept for each user, without delaying other users', async () => {
    simulate = fetchUnreachable
    await submitPending('First')
    simulate = undefined
    await submitPending('Second')
    const yuki = upnext.person('yuki')
    expect(await yuki.submitView(await fillPost("Yuki's", yuki))).toEqual({ done: true })
    await yuki.hears(/Scheduled in Acme[\s\S]*Yuki's/)
    expect(await listContents()).toEqual(["Yuki's"])
    upnext.wait({ minutes: 1 })
    await mara.hears('Second')
    expect(await listContents()).toEqual(["Yuki's", 'First', 'Second'])
  })

  it('skips an item that may have been sent, and shows the entered values in the question', async () => {
    const form = await fillInvitation({ FirstName: 'Ada', Email: 'ada@acme.example' })
    simulate = loseRequest
    await mara.submitView(form)
    await mara.closeView({ view: form.view })
    simulate = undefined
    expect(await mara.submitView(await fillPost('Second'))).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Second/)
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    await mara.run('/upnext outbox')
    await mara.hears(/no clear response[\s\S]*Ada[\s\S]*ada@acme\.example/)
    await mara.pressLast('outbox:retry')
    await mara.hears(/Invited ada@acme\.example to Acme/)
    expect(await countInvited('ada@acme.example')).toBe(1)
  })
})

describe('the data that a user entered', () => {
  const MONTH_IN_MINUTES = 31 * 24 * 60
  const ENCRYPTED = expect.stringMatching(/^enc:v1:/)

  it('is erased a month after it was sent, and the item after a year', async () => {
    await mara.submitView(await fillPost('Launch day!'))
    await mara.hears('Scheduled in Acme')
    const readItems = async () => {
      const { rows } = await upnext.service.pool.query(
        'select state, form_values, body, record from upnext.outbox_item',
      )
      return rows
    }
    expect(await readItems()).toEqual([
      { state: 'sent', form_values: ENCRYPTED, body: ENCRYPTED, record: ENCRYPTED },
    ])
    upnext.wait({ minutes: MONTH_IN_MINUTES })
    await vi.waitFor(
      async () =>
        expect(await readItems()).toEqual([{ state: 'sent', form_values: null, body: null, record: null }]),
      MAX_WAIT,
    )
    upnext.wait({ minutes: 335 * 24 * 60 })
    await vi.waitFor(async () => expect(await readItems()).toEqual([]), MAX_WAIT)
  })

  it("is encrypted in every table of the bot, and erased after a month except for a person's name", async () => {
    const person = {
      FirstName: 'Ada',
      LastName: 'Byron',
      Email: 'ada@acme.example',
      PhoneNumber: '+49 30 1234567',
    }
    await mara.submitView(await fillInvitation(person))
    await mara.hears('Invited ada@acme.example')
    const { pool } = upnext.service
    const { rows: tables } = await pool.query(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema like 'upnext%'`,
    )
    const dumpTables = async () => {
      const results = await Promise.all(
        tables.map(({ name }) => pool.query(`select to_jsonb(t)::text as row from ${name} t`)),
      )
      return results.flatMap(({ rows }) => rows.map(({ row }) => row)).join()
    }
    const readKnownUsers = async () => {
      const { rows } = await pool.query("select name, email from upnext.known_record where kind = 'user'")
      return rows
    }
    await vi.waitFor(
      async () => expect(await readKnownUsers()).toEqual([{ name: ENCRYPTED, email: ENCRYPTED }]),
      MAX_WAIT,
    )
    expect(await dumpTables()).not.toMatch(/Ada Byron|acme\.example|30 1234567/)
    upnext.wait({ minutes: MONTH_IN_MINUTES })
    await vi.waitFor(
      async () => expect(await readKnownUsers()).toEqual([{ name: ENCRYPTED, email: null }]),
      MAX_WAIT,
    )
    await vi.waitFor(async () => {
      const { rows } = await pool.query('select form_values, body, record from upnext.outbox_item')
      expect(rows).toEqual([{ form_values: null, body: null, record: null }])
    }, MAX_WAIT)
  })
})
