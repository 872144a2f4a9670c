import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'
import type { Respond } from './workspace.ts'

let upnext: PublishingWorkspace
let respond: Respond = () => undefined
let admins: string[] = []

beforeEach(async () => {
  respond = () => undefined
  admins = []
  upnext = await openPublishingWorkspace({ admins, respond: (request) => respond(request) })
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const LINK = 'https://t\\.me/acme/1'
const PUBLISHED = new RegExp(`Published in Acme.*Launch day!.*<${LINK}\\|Telegram>`)

/** Edits the post with these words in the text. */
const edit = async (
  words: string,
  values: Record<string, string | string[]>,
  outcome = /Saved the changes/,
) => {
  const { mara } = upnext
  await mara.run(`/upnext edit ${words}`)
  const { id: view } = await mara.form('Edit a post')
  await mara.submitAndHear({ view, values: mara.fill(values) }, outcome)
  await upnext.settled()
  await upnext.passTime({ minutes: 0.05 })
}

describe('the direct message about a post', () => {
  beforeEach(() => upnext.addTelegram())

  it('says where the post is scheduled, and then where it is published', async () => {
    await upnext.schedule('Launch day!')
    await upnext.expectDirectMessages([
      /Scheduled in Acme.*Launch day!.*Cancel post.*This message will show where/,
    ])
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([PUBLISHED])
    expect(upnext.directMessages().join()).not.toContain('record:menu')
    expect(upnext.telegram.sent).toMatchObject([{ text: 'Launch day!' }])
    await upnext.checkOften()
    await upnext.expectDirectMessages([PUBLISHED])
    expect(upnext.directMessages(upnext.yuki)).toEqual([])
  })

  it('is sent once a post is approved', async () => {
    const { mara, yuki } = upnext
    admins.push(yuki.userId)
    await yuki.run('/upnext approval')
    const { id } = await yuki.form('Approval')
    const values = yuki.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await yuki.submitAndHear({ view: id, values }, /need approval/)
    await upnext.schedule('Launch day!', { words: /Waiting for approval/ })
    await upnext.press('Approve', /asks for your approval/, yuki)
    await upnext.expectDirectMessages([
      /approved.*Launch day!/,
      /Scheduled in Acme.*Launch day!.*This message will show where/,
    ])
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/approved/, PUBLISHED], mara)
  })

  it('names the platforms that are not connected', async () => {
    await upnext.schedule('Launch day!', { platforms: 'Telegram and X' })
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([new RegExp(`Published in.*X isn't connected · <${LINK}\\|Telegram>`)])
  })

  it('says that the post is being published', async () => {
    upnext.telegram.plan(() => ({ kind: 'hang' }))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/Publishing in Acme.*being published on Telegram/])
    // The post is stored as being published before the request is sent.
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.telegram.release()
    await upnext.expectDirectMessages([PUBLISHED])
  })

  it('says that the post was cancelled', async () => {
    await upnext.schedule('Launch day!')
    await upnext.mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await upnext.mara.pressLast('cancel:confirm')
    await upnext.expectDirectMessages([/Cancelled in Acme.*cancelled by/])
  })

  it('follows a change', async () => {
    await upnext.schedule('Launch day!')
    await edit('launch', { Content: 'Launch week!' })
    await upnext.expectDirectMessages([/Changed in Acme.*Launch week!/])
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/Published in Acme.*Launch week!/])
  })

  it('is missing if no account publishes the post', async () => {
    await upnext.schedule('Launch day!', { platforms: 'X' })
    await upnext.passTo('14:00')
    await upnext.checkOften()
    expect(upnext.directMessages()).toEqual([])
  })

  it('says that nothing was published if the account has been disconnected, and alerts the channel', async () => {
    await upnext.mara.run('/upnext alerts here')
    await upnext.schedule('Launch day!')
    await upnext.service.pool.query('update service.account set is_connected = false')
    await upnext.passTo('14:00')
    await upnext.checkOften()
    await upnext.expectDirectMessages([
      /Not published in Acme.*Launch day!.*marked as published, because no account is connected/,
      /Not published on Telegram: no account was connected.*Launch day!/,
    ])
    expect(upnext.inChannel().at(-1)).toMatch(
      /Not published on Telegram: no account was connected.*Launch day!/,
    )
    expect(upnext.telegram.sent).toEqual([])
  })

  it('is missing for a draft until the draft is scheduled with Edit', async () => {
    await upnext.mara.run('/schedule-post Launch day! draft today 14:00 Berlin time on Telegram')
    const { id: view } = await upnext.mara.form('Schedule a post')
    const values = upnext.mara.fill({ Status: 'DRAFT' })
    await upnext.mara.submitAndHear({ view, values }, /Saved as a draft/)
    await upnext.passTime({ minutes: 0.05 })
    await upnext.settled()
    expect(upnext.directMessages()).toEqual([])
    await edit('launch', { Status: 'SCHEDULED' })
    await upnext.expectDirectMessages([/Scheduled in Acme.*Launch day!/])
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([PUBLISHED])
  })

  it('goes to the author of a draft that someone else schedules with Reschedule', async () => {
    const { mara, yuki } = upnext
    await mara.run('/schedule-post Launch day! in 3 days on Telegram')
    const { id: view } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view, values: mara.fill({ Status: 'DRAFT' }) }, /Saved as a draft/)
    await yuki.run('/upnext reschedule launch')
    const { id: timeView } = await yuki.form('Reschedule a post')
    const values = yuki.fill({ ScheduleDate: 'today 14:00 Berlin' })
    await yuki.submitAndHear({ view: timeView, values }, /Rescheduled in/)
    await upnext.passTime({ minutes: 0.05 })
    // The author is also notified of the change.
    const sees = (patterns: RegExp[]) =>
      upnext.waitFor(() => {
        expect(upnext.directMessages()).toHaveLength(patterns.length)
        for (const pattern of patterns) expect(upnext.directMessages().join('\n')).toMatch(pattern)
      })
    await sees([/changed your post in Acme/, /Scheduled in Acme.*Launch day!/])
    await upnext.passTo('14:00')
    await sees([/changed your post in Acme/, PUBLISHED])
    expect(upnext.directMessages(yuki)).toEqual([])
  })

  it('is not repeated when a scheduled post becomes a draft and is scheduled again', async () => {
    await upnext.schedule('Launch day!')
    await edit('launch', { Status: 'DRAFT' })
    await edit('launch', { Status: 'SCHEDULED' })
    await upnext.settled()
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([PUBLISHED])
  })

  it('is the confirmation of a post that could not be sent immediately', async () => {
    respond = ({ method }) => (method === 'POST' ? new Response(null, { status: 503 }) : undefined)
    const { mara } = upnext
    await mara.run('/schedule-post Launch day! today 14:00 Berlin time on Telegram')
    const { id: view } = await mara.form('Schedule a post')
    await mara.submitView({ view, values: {} })
    await upnext.settled()
    const before = upnext.directMessages().length
    respond = () => undefined
    await upnext.passTime({ minutes: 2 })
    await upnext.settled()
    await upnext.passTime({ minutes: 0.05 })
    await upnext.settled()
    const scheduled = () => upnext.directMessages().filter((text) => /Scheduled in Acme/.test(text))
    await upnext.waitFor(() => expect(scheduled()).toHaveLength(1))
    expect(upnext.directMessages().length - before).toBeLessThanOrEqual(1)
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(PUBLISHED))
    expect(scheduled()).toEqual([])
  })

  it('leaves no text of the post in the queue of jobs', async () => {
    const { mara, service } = upnext
    await mara.run('/schedule-post Launch day! today 14:00 Berlin time on Telegram')
    const { id: view } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view, values: {} }, /Scheduled in Acme/)
    const { rows } = await service.pool.query('select kind, data::text from upnext.job')
    expect(rows).toContainEqual({ kind: 'follow post', data: expect.any(String) })
    expect(JSON.stringify(rows)).not.toContain('Launch day!')
  })
})

it('sends no direct message in a project without accounts', async () => {
  await upnext.schedule('Launch day!')
  await upnext.passTo('14:00')
  await upnext.checkOften()
  expect(upnext.directMessages()).toEqual([])
})

describe('a message about a post in a channel', () => {
  beforeEach(() => upnext.addTelegram())

  it('says where the post is published', async () => {
    const values = { notify: { notify: ['yes'] } }
    await upnext.schedule('Launch day!', { values, words: /Posted in/ })
    await upnext.expectInChannel([/Scheduled in Acme.*Launch day!/])
    await upnext.passTo('14:00')
    await upnext.expectInChannel([PUBLISHED])
    await upnext.expectDirectMessages([PUBLISHED])
  })

  it('says where a shared post is published, and keeps the comment', async () => {
    const { mara } = upnext
    await upnext.schedule('Launch day!')
    await mara.run('/upnext share launch')
    const { id: view } = await mara.form('Share a post')
    await mara.submitAndHear({ view, values: mara.fill({ comment: 'Look!' }) }, /Shared in/)
    await upnext.passTo('14:00')
    await upnext.expectInChannel([new RegExp(`Look!.*${PUBLISHED.source}`)])
    await upnext.expectDirectMessages([PUBLISHED])
  })

  it('says that the post failed, and later that it is published', async () => {
    upnext.telegram.plan(({ index }) => (index === 0 ? BAD_POST : undefined))
    const values = { notify: { notify: ['yes'] } }
    await upnext.schedule('Launch day!', { values, words: /Posted in/ })
    await upnext.passTo('14:00')
    await upnext.expectInChannel([/Not published: Acme.*Try again.*Telegram failed: wrong file identifier/])
    await upnext.press('Try again', /Not published on Telegram/)
    await upnext.expectInChannel([PUBLISHED])
  })
})

describe('a post that failed', () => {
  const FAILED = /Not published: Acme.*Launch day!.*failed.*Try again.*Telegram failed: wrong file identifier/
  const ALERT = /Acme: Not published on Telegram \(Acme\): wrong file identifier/
  const fail = async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(({ index }) => (index === 0 ? BAD_POST : undefined))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([FAILED, ALERT])
  }
  const PUBLISHED_AGAIN = [PUBLISHED, /Resolved in Acme.*wrong file identifier.*Launch day!/]

  it('is published again with the button of its alert', async () => {
    await fail()
    await upnext.press('Try again', ALERT)
    await upnext.waitFor(() => expect(upnext.mara.lastText()).toMatch(/Publishing on Telegram \(Acme\) now/))
    await upnext.hearOfResults()
    await upnext.expectDirectMessages(PUBLISHED_AGAIN)
  })

  it('is published again with the command', async () => {
    await fail()
    await upnext.mara.runAndHear(
      '/upnext retry launch',
      /Launch day!.*Telegram failed: wrong file.*Try again/s,
    )
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now.')
    await upnext.hearOfResults()
    await upnext.expectDirectMessages(PUBLISHED_AGAIN)
    await upnext.mara.runAndHear('/upnext retry launch', 'No post was found')
  })

  it('is published again with the entry of its menu', async () => {
    await fail()
    await upnext.press('Try again', FAILED)
    await upnext.mara.hears(/Telegram failed: wrong file identifier/)
    await upnext.mara.pressLast('retry:post')
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(PUBLISHED))
  })

  it('is only tried again once, by a member who may write', async () => {
    await fail()
    const noor = upnext.person('noor')
    await noor.runAndHear('/upnext retry launch', /Guests have view-only access/)
    await upnext.mara.runAndHear('/upnext retry launch', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.settled()
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('This button is out of date, because the post has changed.')
    expect(upnext.telegram.sent).toHaveLength(1)
  })

  it('says why it cannot be tried again if its account was disconnected', async () => {
    await fail()
    await upnext.service.pool.query('update service.account set is_connected = false')
    await upnext.mara.runAndHear('/upnext retry launch', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears(/This project has no account for TELEGRAM/)
  })

  it('is scheduled again when it is edited', async () => {
    await fail()
    await edit('launch', { ScheduleDate: 'today 15:00 Berlin' })
    await upnext.expectDirectMessages([/Changed in Acme.*15:00/, ALERT])
    await upnext.passTo('15:00')
    await upnext.waitFor(() => expect(upnext.directMessages()[0]).toMatch(PUBLISHED))
    await upnext.checkOften()
    await upnext.expectDirectMessages(PUBLISHED_AGAIN)
  })

  it('opens the form with the button of its alert', async () => {
    await fail()
    await upnext.press('Edit', ALERT)
    expect(JSON.stringify(await upnext.mara.form('Edit a post'))).toContain('Launch day!')
  })

  it('is in the list of failed posts, and not in the list of published ones', async () => {
    await fail()
    await upnext.mara.runAndHear('/upnext posts failed', /Posts in Acme.*failed.*Launch day!.*Try again/s)
    await upnext.mara.runAndHear('/upnext posts published', /No posts in Acme/)
    await upnext.mara.runAndHear('/upnext posts failed linkedin', /No posts in Acme/)
  })

  it('comes first on the Home tab', async () => {
    await fail()
    await upnext.mara.openAppTab({ tab: 'home' })
    await upnext.waitFor(() => {
      const home = JSON.stringify(upnext.mara.state().home)
      expect(home).toMatch(/Problems in the last 24 hours.*Launch day!.*Telegram failed: wrong file.*Up next/)
    })
    await upnext.press('Try again', ALERT)
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(PUBLISHED))
    await upnext.mara.openAppTab({ tab: 'home' })
    await upnext.waitFor(() =>
      expect(JSON.stringify(upnext.mara.state().home)).not.toContain('Problems in the last 24 hours'),
    )
  })

  it('is in the digest with the words of the network', async () => {
    await fail()
    await upnext.passTime({ minutes: 10 })
    await upnext.mara.run('/upnext digest now')
    await upnext.mara.hears(/Problems.*Launch day!.*Telegram failed: wrong file identifier/s)
    expect(upnext.mara.lastText()).not.toContain('Failed to publish a post')
  })

  it('is not in the digest once it is published', async () => {
    await fail()
    await upnext.press('Try again', ALERT)
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(PUBLISHED))
    await upnext.passTime({ minutes: 10 })
    await upnext.mara.runAndHear('/upnext digest now', /Published.*Launch day!/s)
    expect(upnext.mara.lastText()).not.toMatch(/Problems|Failed to publish/)
  })
})

it('is a problem in the digest and on the Home tab when it is overdue', async () => {
  await upnext.addTelegram()
  upnext.telegram.plan(() => ({ kind: 'status', status: 429, retryAfter: 60 * 60 }))
  await upnext.schedule('Launch day!')
  await upnext.passTo('14:00')
  await upnext.expectDirectMessages([/Publishing in/])
  await upnext.passTime({ minutes: 12 })
  // The project is checked every five minutes.
  await upnext.waitFor(async () => {
    await upnext.passTime({ minutes: 1 })
    expect(upnext.directMessages().join()).toMatch(/Not published yet/)
  })
  await upnext.mara.runAndHear('/upnext digest now', /Problems.*Launch day!.*being published on Telegram/s)
  await upnext.mara.openAppTab({ tab: 'home' })
  await upnext.waitFor(() =>
    expect(JSON.stringify(upnext.mara.state().home)).toMatch(
      /(Problems in the last 24 hours|Overdue).*Launch day!.*Up next/,
    ),
  )
})

describe('a post that is out on some platforms only', () => {
  it('is in the list of failed posts', async () => {
    await upnext.addTelegram()
    await upnext.schedule('Launch day!', { platforms: 'Telegram and X' })
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/Published in/])
    await upnext.service.pool.query(
      `update service.post set results = (select jsonb_agg(case when r->>'platform' = 'X'
         then r || '{"state": "FAILED", "error": "too long"}' else r end) from jsonb_array_elements(results) r)`,
    )
    await upnext.mara.runAndHear('/upnext retry launch', /X failed: too long/)
    await upnext.mara.runAndHear('/upnext posts failed', 'in Acme')
    expect(upnext.mara.lastText()).toMatch(/Launch day!.*X failed: too long/s)
  })
})

describe('a post without a response from the network', () => {
  const UNKNOWN = /May already be out on Telegram \(Acme\): Telegram didn't respond/
  beforeEach(async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(({ index }) => (index === 0 ? { kind: 'lost' } : undefined))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([
      /May not be published on all platforms: Acme.*may already be on Telegram/,
      UNKNOWN,
    ])
  })

  it('offers to look, and warns before it is sent again', async () => {
    const [, alert = ''] = upnext.directMessages()
    expect(alert).toMatch(
      /"It's out".*"Publish again".*"confirm":.*The post may be out on Telegram already.*"Dismiss"/,
    )
    expect(alert).not.toMatch(/"Try again"/)
  })

  it('is published once someone says that it is out', async () => {
    await upnext.press("It's out", UNKNOWN)
    await upnext.mara.hears('Marked as published on Telegram (Acme).')
    await upnext.hearOfResults()
    await upnext.expectDirectMessages([/Published in Acme.*Launch day!/, /Resolved in Acme/])
    expect(upnext.telegram.requests.filter(({ method }) => method === 'sendMessage')).toHaveLength(1)
  })

  it('is sent again if someone asks for it', async () => {
    await upnext.press('Publish again', UNKNOWN)
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.hearOfResults()
    const again = /Published in Acme.*Launch day!.*https:\/\/t\.me\/acme\/2/
    await upnext.expectDirectMessages([again, /Resolved in Acme/])
    expect(upnext.telegram.sent).toHaveLength(2)
  })

  it('offers the same after the command', async () => {
    await upnext.mara.runAndHear(
      '/upnext retry launch',
      /may already be on Telegram.*It's out.*Publish again/s,
    )
    await upnext.mara.pressLast('retry:out')
    await upnext.mara.hears('Marked as published on Telegram (Acme).')
  })
})

it('a post with an invisible text for one platform shows and publishes the common text there', async () => {
  const { mara, telegram } = upnext
  await upnext.addTelegram()
  await mara.run('/schedule-post Price list today 14:00 Berlin time on Telegram and X')
  const { id: view } = await mara.form('Schedule a post')
  const offer = { block_id: 'offer', action_id: 'change:schedule:offer' }
  await mara.dispatchAction({ container: { view }, ...offer })
  const blocks = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
  await upnext.waitFor(() => expect(blocks()).toMatch(/Text on Telegram/))
  const values = mara.fill({ 'Texts.TELEGRAM': '\u2800' })
  await mara.submitAndHear({ view, values }, /Scheduled in Acme/)
  expect(mara.lastText()).not.toContain('Text on Telegram')
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
  expect(telegram.sent).toMatchObject([{ text: 'Price list' }])
})

it('a post that may be out on two platforms can be published again on the one where it is missing', async () => {
  const { telegram, service, project: project_id } = upnext
  await upnext.addTelegram()
  telegram.addChat({ id: -1009, type: 'channel', title: 'Other', botStatus: 'administrator' })
  const account = await saveAccount(service.db, {
    project_id,
    platform: 'THREADS',
    publisher: 'TELEGRAM',
    name: 'Other',
    settings: '{}',
    target: '-1009',
    credentials: '123456:telegram-token-of-the-test',
    checked_at: upnext.now(),
  })
  await connectAccount(service.db, account)
  const faults = ['lost', 'dropped'] as const
  telegram.plan(({ index }) => (faults[index] ? { kind: faults[index] } : undefined))
  await upnext.schedule('Launch day!', { platforms: 'Telegram and Threads' })
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
  const [arrived] = telegram.sent
  const missing = arrived?.chat === -1009 ? 'Telegram' : 'Threads'
  await upnext.mara.runAndHear('/upnext retry launch', `Publish again on ${missing}`)
  await upnext.press(`Publish again on ${missing}`, /may already be on/)
  await upnext.mara.hears(`Publishing on ${missing}`)
  await upnext.hearOfResults()
  expect(telegram.sent.map(({ chat }) => chat).sort()).toEqual([-1001234567890, -1009])
})

describe('a post that is being published', () => {
  const REFUSAL = "This post is being published, so it can't be changed or cancelled."
  beforeEach(async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => ({ kind: 'hang' }))
    await upnext.schedule('Launch day!')
  })
  const start = async () => {
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
  }

  it('refuses an edit that was begun before', async () => {
    const { mara } = upnext
    await mara.run('/upnext edit launch')
    const { id: view } = await mara.form('Edit a post')
    await start()
    await mara.submitView({
      view,
      values: mara.fill({ Content: 'Launch week!', ScheduleDate: 'tomorrow 9am' }),
    })
    expect(JSON.stringify(mara.state().views)).toContain(REFUSAL)
    expect(JSON.stringify(mara.state().views)).not.toContain('changed this post')
  })

  it('refuses to be rescheduled or cancelled', async () => {
    const { mara } = upnext
    await mara.run('/upnext reschedule launch')
    const { id: view } = await mara.form('Reschedule a post')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await start()
    await mara.pressLast('cancel:confirm')
    await mara.hears(REFUSAL)
    await mara.submitView({ view, values: mara.fill({ ScheduleDate: 'today 16:00 Berlin' }) })
    expect(JSON.stringify(mara.state().views)).toContain(REFUSAL)
  })

  it('is not offered to be edited or cancelled', async () => {
    await start()
    await upnext.mara.runAndHear('/upnext edit launch', 'No scheduled post or draft was found')
    await upnext.mara.runAndHear('/upnext cancel launch', 'No scheduled post or draft was found')
  })
})
