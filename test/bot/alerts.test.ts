import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'
import { type Respond, withoutExtensions } from './workspace.ts'

let upnext: PublishingWorkspace
let respond: Respond = () => undefined

const open = async (options: Parameters<typeof openPublishingWorkspace>[0] = {}) => {
  upnext = await openPublishingWorkspace({ respond: (request) => respond(request), ...options })
}
beforeEach(async () => {
  respond = () => undefined
  await open()
  await upnext.addTelegram()
})
afterEach(() => upnext.close())

const ALERT = /^\["Acme: Not published on Telegram \(Acme\): wrong file identifier"/
const MENDED = /Resolved in Acme.*Not published on Telegram \(Acme\): wrong file identifier/
const NOT_PUBLISHED = /Not published: Acme/

/** All posts fail, unless their text matches. */
const failPosts = (except = /never/) =>
  upnext.telegram.plan(({ text }) => (except.test(text) ? undefined : BAD_POST))
const publishPosts = () => upnext.telegram.plan(() => undefined)

/** Schedules a post that fails at this time. */
const fail = async (text = 'Launch day!', time = '14:00') => {
  failPosts()
  await upnext.schedule(text, { time })
  await upnext.passTo(time)
}
const turnOn = async (channel = 'launch') => {
  const mara = upnext.person('mara', channel)
  await mara.run('/upnext alerts here')
  const turnedOn = () => upnext.inChannel(channel).filter((text) => /turned on alerts/.test(text))
  await upnext.waitFor(() => expect(turnedOn()).toHaveLength(1))
  await upnext.settled()
}
const isAlert = (text: string) =>
  /^\["(Acme( \(\d+ posts\))?: |Dismissed by|:white_check_mark: Resolved|:warning: \d+ problem|Failed again in)/.test(
    text,
  )
/** The alerts in a channel, or in the person's direct messages. */
const alerts = (channel?: string) =>
  (channel ? upnext.inChannel(channel) : upnext.directMessages()).filter(isAlert)
const expectAlerts = (patterns: RegExp[], channel?: string) =>
  upnext.waitFor(() =>
    expect(alerts(channel)).toEqual(patterns.map((pattern) => expect.stringMatching(pattern))),
  )

describe('an alert about a failed post', () => {
  it('goes to the author, names the post and the account, and has buttons', async () => {
    await fail()
    await expectAlerts([ALERT])
    expect(alerts()[0]).toMatch(/Launch day!.*Fri 20 Nov 2026, 14:00.*"Try again".*"Edit".*"Dismiss"/)
    expect(upnext.inChannel('launch')).toEqual([])
    expect(upnext.directMessages(upnext.yuki)).toEqual([])
  })

  it('also goes to a channel that wants alerts, and to no other', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    expect(alerts('launch')[0]).toMatch(/Launch day!.*"Try again".*"Edit".*"Dismiss"/)
    await expectAlerts([ALERT])
    await upnext.checkOften()
    expect(upnext.inChannel('catalogue')).toEqual([])
  })

  it('also reports a post that nobody scheduled in Slack', async () => {
    await turnOn('launch')
    failPosts()
    const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
    const ScheduleDate = new Date(upnext.now().getTime() + 60_000).toISOString()
    const json = { Content: 'From elsewhere', Platforms: ['TELEGRAM'], ScheduleDate, Timezone: 'UTC' }
    await upnext.service.request('POST', `/api/v1/projects/${upnext.project}/posts`, { token, json })
    await upnext.passTime({ minutes: 1.1 })
    await upnext.hearOfResults()
    await upnext.checkOften()
    await expectAlerts([ALERT], 'launch')
    expect(alerts()).toEqual([])
  })

  it('names the failure on one platform of a post that is out elsewhere, without Edit', async () => {
    await turnOn('launch')
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/Published in/])
    await upnext.service.pool.query(
      `update service.post set platforms = '{TELEGRAM,X}', results = results ||
         '[{"platform": "X", "state": "FAILED", "error": "too long", "at": "2026-11-20T13:00:00Z", "account_name": "@acme"}]'`,
    )
    await upnext.checkOften()
    await expectAlerts([/^\["Acme: Not published on X \(@acme\): too long".*"Try again".*"Dismiss"/])
    expect(alerts()[0]).not.toContain('"Edit"')
  })

  it('is not repeated however often the project is checked', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    await upnext.checkOften()
    await upnext.passTime({ minutes: 12 * 60 })
    await upnext.checkOften()
    await upnext.passTime({ minutes: 12 * 60 })
    await upnext.checkOften()
    await expectAlerts([ALERT], 'launch')
    await expectAlerts([ALERT])
  })

  it('is posted once by two instances', async () => {
    await turnOn('launch')
    await upnext.startSecondBot()
    await fail()
    await expectAlerts([ALERT], 'launch')
    // A run whose lease ends before it has stored the message is repeated.
    await upnext.waitFor(async () => {
      const { rowCount } = await upnext.service.pool.query('select from upnext.alert where ts is not null')
      expect(rowCount).toBe(2)
    })
    await upnext.checkOften()
    await fail('Launch week!', '15:00')
    await expectAlerts([/Acme \(2 posts\): Not published/], 'launch')
    await expectAlerts([/Acme \(2 posts\): Not published/])
  })

  it('is posted after Slack had an outage', async () => {
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'internal_error', times: 100 })
    failPosts()
    await upnext.mara.run('/schedule-post Launch day! today 14:00 Berlin time on Telegram')
    const { id: view } = await upnext.mara.form('Schedule a post')
    await upnext.mara.submitAndHear({ view, values: {} }, /Scheduled in/)
    await upnext.settled()
    upnext.slack.controls.clearFaults()
    await upnext.passTime({ minutes: 1 })
    await upnext.expectDirectMessages([/Scheduled in/])
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'internal_error', times: 100 })
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(NOT_PUBLISHED))
    await upnext.settled()
    upnext.slack.controls.clearFaults()
    await upnext.checkOften()
    await expectAlerts([ALERT])
  })

  it('is cleared in place once the post is published', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await expectAlerts([MENDED], 'launch')
    await expectAlerts([MENDED])
    expect(alerts('launch')[0]).not.toMatch(/"Try again"|"Dismiss"/)
  })

  it('is cleared when the post is cancelled', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await upnext.mara.pressLast('cancel:confirm')
    await upnext.checkOften()
    await expectAlerts([MENDED])
  })

  it('stays dismissed', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    await upnext.press('Dismiss', ALERT, upnext.yuki)
    const dismissed = new RegExp(
      `^\\["Dismissed by <@${upnext.yuki.userId}> in Acme".*wrong file identifier.*Launch day!`,
    )
    await expectAlerts([dismissed], 'launch')
    expect(alerts('launch')[0]).not.toContain('"Try again"')
    await upnext.checkOften()
    await expectAlerts([dismissed], 'launch')
    // The author's own message stays.
    await expectAlerts([ALERT])
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await expectAlerts([MENDED])
    await expectAlerts([dismissed], 'launch')
  })

  it('is replaced by a new one if the post fails again', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await expectAlerts([/^\["Failed again in Acme".*wrong file identifier.*Launch day!/, ALERT])
    expect(alerts()[0]).not.toContain('"Try again"')
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await expectAlerts([/Failed again in Acme/, MENDED])
  })

  it('is new again if a dismissed post fails again', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.press('Dismiss', ALERT)
    await expectAlerts([/Dismissed by/])
    await upnext.press('Try again', NOT_PUBLISHED)
    await upnext.mara.hears(/Telegram failed/)
    await upnext.mara.pressLast('retry:post')
    await upnext.hearOfResults()
    await expectAlerts([/Dismissed by/, ALERT])
  })

  it('is cleared after the person waited for a slow network', async () => {
    await fail()
    await expectAlerts([ALERT])
    upnext.telegram.plan(() => ({ kind: 'hang' }))
    await upnext.press('Try again', ALERT)
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.passTime({ minutes: 0.2 })
    await upnext.settled()
    await expectAlerts([ALERT])
    await upnext.telegram.release()
    await upnext.hearOfResults()
    await expectAlerts([MENDED])
  })

  it('is the only one while the post is tried again later', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.passTime({ minutes: 20 })
    upnext.telegram.plan(() => ({ kind: 'hang' }))
    await upnext.press('Try again', ALERT)
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.passTime({ minutes: 0.2 })
    await upnext.settled()
    expect(alerts()).toEqual([expect.stringMatching(ALERT)])
  })

  it('is also posted if a post fails again more than a day later', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.passTime({ minutes: 25 * 60 })
    await upnext.settled()
    await upnext.press('Try again', ALERT)
    await upnext.mara.hears('Publishing on Telegram (Acme) now.')
    await upnext.waitFor(() => {
      const sends = upnext.telegram.requests.filter(({ method }) => method === 'sendMessage')
      expect(sends).toHaveLength(2)
    })
    await upnext.hearOfResults()
    await upnext.checkOften()
    expect(alerts()).toHaveLength(2)
  })
})

describe('an alert about several posts', () => {
  const THREE = /^\["Acme \(3 posts\): Not published on Telegram \(Acme\): wrong file identifier"/
  const failThree = async () => {
    await turnOn('launch')
    failPosts()
    const times = ['14:00', '15:00', '16:00'] as const
    for (const [index, time] of times.entries()) await upnext.schedule(`Post ${index + 1}`, { time })
    for (const time of times) {
      await upnext.passTo(time)
      await upnext.settled()
      await upnext.waitFor(async () => {
        const { rowCount } = await upnext.service.pool.query(
          "select from service.post where status = 'FAILED'",
        )
        expect(rowCount).toBe(times.indexOf(time) + 1)
      })
      await upnext.checkOften()
    }
    await expectAlerts([THREE], 'launch')
    await expectAlerts([THREE])
  }

  it('is one message that lists the posts, and one button publishes all of them', async () => {
    await failThree()
    expect(alerts('launch')[0]).toMatch(/Post 1.*Post 2.*Post 3.*"Try all again".*"Dismiss"/)
    expect(alerts('launch')[0]).not.toContain('"Edit"')
    publishPosts()
    await upnext.press('Try all again', THREE)
    await upnext.mara.hears('Publishing 3 posts now.')
    await upnext.hearOfResults()
    await expectAlerts([/Resolved in Acme.*Post 1.*Post 2.*Post 3/], 'launch')
    expect(upnext.telegram.sent.map(({ text }) => text).sort()).toEqual(['Post 1', 'Post 2', 'Post 3'])
  })

  it("doesn't publish a post that was edited since, and has failed again", async () => {
    await failThree()
    const { mara } = upnext
    await mara.run('/upnext edit Post 1')
    const { id } = await mara.form('Edit a post')
    const values = mara.fill({ Content: 'Not cleared yet', ScheduleDate: 'today 17:00 Berlin' })
    await mara.submitAndHear({ view: id, values }, /Saved the changes/)
    await upnext.passTo('17:00')
    await upnext.waitFor(async () => {
      const { rowCount } = await upnext.service.pool.query("select from service.post where status = 'FAILED'")
      expect(rowCount).toBe(3)
    })
    await upnext.checkOften()
    publishPosts()
    await upnext.press('Try all again', THREE)
    await mara.hears(
      'Publishing 2 posts now. Not tried again: 1 post. Use `/upnext retry` to see what you can do.',
    )
    await upnext.hearOfResults()
    expect(upnext.telegram.sent.map(({ text }) => text).sort()).toEqual(['Post 2', 'Post 3'])
  })

  it('counts the posts that cannot be tried again', async () => {
    await failThree()
    publishPosts()
    await upnext.mara.runAndHear('/upnext retry Post 2', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.settled()
    await expectAlerts([THREE])
    await upnext.press('Try all again', THREE)
    await upnext.mara.hears(
      'Publishing 2 posts now. Not tried again: 1 post. Use `/upnext retry` to see what you can do.',
    )
    await upnext.press('Try all again', THREE)
    await upnext.mara.hears('Not tried again: 3 posts. Use `/upnext retry` to see what you can do.')
  })

  it('is followed by one for the posts that fail again', async () => {
    await failThree()
    failPosts(/Post 1/)
    await upnext.press('Try all again', THREE)
    await upnext.mara.hears('Publishing 3 posts now.')
    await upnext.hearOfResults()
    await upnext.settled()
    await expectAlerts([
      /Failed again in Acme.*Post 1.*Post 2.*Post 3/,
      /^\["Acme \(2 posts\): .*Post 2.*Post 3/,
    ])
  })

  it('has another message for another reason', async () => {
    failPosts()
    await upnext.schedule('Post 1', { time: '14:00' })
    await upnext.schedule('Post 2', { time: '15:00' })
    await upnext.passTo('14:00')
    await expectAlerts([ALERT])
    upnext.telegram.plan(() => ({ ...BAD_POST, description: 'Bad Request: file is too old' }))
    await upnext.passTo('15:00')
    await expectAlerts([ALERT, /^\["Acme: Not published on Telegram \(Acme\): file is too old".*Post 2/])
  })
})

describe('an alert that cannot be posted or updated', () => {
  const client = () => {
    const { secrets, apiUrl } = upnext.slack
    return new WebClient(secrets.botToken, { slackApiUrl: apiUrl })
  }
  const findChannel = () => upnext.mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''

  it("doesn't keep others from being cleared if its message was deleted", async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    await expectAlerts([ALERT])
    const message = upnext.mara
      .state()
      .messages[findChannel()]?.find(({ text = '' }) => /^Acme: Not/.test(text))
    await client().chat.delete({ channel: findChannel(), ts: message?.ts ?? '' })
    await upnext.waitFor(() => expect(alerts('launch')).toEqual([]))
    publishPosts()
    await upnext.press('Try again', ALERT)
    for (let minutes = 0; minutes < 60; minutes += 6) {
      await upnext.passTime({ minutes: 6 })
      await upnext.settled()
    }
    expect(alerts()).toEqual([expect.stringMatching(MENDED)])
  })

  it("doesn't keep others from being cleared if Upnext was never in its channel", async () => {
    const channel = upnext.person('mara', 'general')
    await channel.run('/upnext alerts here')
    await upnext.settled()
    await fail()
    await upnext.hearOfResults()
    for (let minutes = 0; minutes < 60; minutes += 6) {
      await upnext.passTime({ minutes: 6 })
      await upnext.settled()
    }
    await expectAlerts([ALERT])
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.settled()
    await upnext.hearOfResults()
    for (let minutes = 0; minutes < 60; minutes += 6) {
      await upnext.passTime({ minutes: 6 })
      await upnext.settled()
    }
    expect(alerts()).toEqual([expect.stringMatching(MENDED)])
  })
})

describe('an alert about an overdue post', () => {
  const OVERDUE = /^\["Acme: Not published yet, although the time has passed".*Launch day!/

  const WAITING =
    /^\["Acme: Not published yet, although the time has passed".*Launch day!.*Telegram \(Acme\): Too Many Requests: retry after 2400/

  it('is posted once, after ten minutes, and cleared when the post is out', async () => {
    const limit = {
      kind: 'status',
      status: 429,
      description: 'Too Many Requests',
      retryAfter: 40 * 60,
    } as const
    upnext.telegram.plan(({ index }) => (index === 0 ? limit : undefined))
    await turnOn('launch')
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.expectDirectMessages([/Publishing in Acme.*being published on Telegram/])
    // The post is stored as being published before the network responds.
    await upnext.waitFor(async () => {
      const paused = await upnext.service.pool.query('select from service.account where paused_until > $1', [
        upnext.now(),
      ])
      expect(paused.rowCount).toBe(1)
    })
    await upnext.passTime({ minutes: 9 })
    await upnext.settled()
    expect(alerts('launch')).toEqual([])
    await upnext.checkOften()
    await expectAlerts([WAITING], 'launch')
    await expectAlerts([WAITING])
    await upnext.passTime({ minutes: 20 })
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.checkOften()
    await expectAlerts([/Resolved in Acme.*Not published yet.*Launch day!/], 'launch')
  })

  it.each([
    ['is posted on a service without the extension that has published posts', true],
    ['is missing on a service without the extension that never says that a post is published', false],
  ])('%s', async (_title, hasPublished) => {
    const post = (Status: string, Id: string, Content: string, ScheduleDate: string) => {
      return { Id, Content, Status, ScheduleDate, Timezone: 'UTC', Platforms: ['X'] }
    }
    const overdue = post('SCHEDULED', '1', 'Launch day!', '2026-11-20T11:30:00Z')
    const earlier = post('PUBLISHED', '2', 'Earlier', '2026-10-20T11:30:00Z')
    respond = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (request.method !== 'GET' || !pathname.endsWith('/posts')) return withoutExtensions(request)
      const isPublished = searchParams.getAll('status').join().includes('PUBLISHED')
      const items = isPublished ? (hasPublished ? [earlier] : []) : [overdue]
      return Response.json({ success: true, data: { Items: items, Total: items.length } })
    }
    await upnext.close()
    await open()
    await turnOn('launch')
    await upnext.checkOften()
    if (hasPublished) await expectAlerts([OVERDUE], 'launch')
    else expect(alerts('launch')).toEqual([])
  })
})

it('keeps the direct message current after a failure of Slack, days after the post was scheduled', async () => {
  await upnext.addTelegram()
  await upnext.mara.run('/schedule-post Launch day! 25 november 2026 14:00 Berlin time on Telegram')
  const { id: view } = await upnext.mara.form('Schedule a post')
  await upnext.mara.submitAndHear({ view, values: {} }, /Scheduled in/)
  await upnext.passTime({ minutes: 1 })
  await upnext.expectDirectMessages([/Scheduled in/])
  upnext.slack.controls.injectFault({ method: 'chat.update', error: 'internal_error', times: 1 })
  await upnext.passTime({ minutes: 5 * 24 * 60 + 60 })
  await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
  await upnext.waitFor(async () => {
    await upnext.passTime({ minutes: 1 })
    expect(upnext.directMessages().join()).toMatch(/Published in Acme.*Launch day!/)
  })
})

it('notifies the author of an overdue post on a service without the extension', async () => {
  let id = ''
  respond = (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method !== 'GET' || !pathname.endsWith('/posts')) return withoutExtensions(request)
    const fields = { Timezone: 'UTC', Platforms: ['X'] }
    const earlier = { Id: '2', Content: 'Earlier', Status: 'PUBLISHED', ScheduleDate: '2026-10-20T11:30:00Z' }
    const overdue = {
      Id: id,
      Content: 'Launch day!',
      Status: 'SCHEDULED',
      ScheduleDate: '2026-11-20T13:00:00Z',
    }
    const isPublished = searchParams.getAll('status').join().includes('PUBLISHED')
    const items = isPublished ? [earlier] : id ? [overdue] : []
    return Response.json({
      success: true,
      data: { Items: items.map((item) => ({ ...fields, ...item })), Total: items.length },
    })
  }
  await upnext.close()
  await open()
  await upnext.schedule('Launch day!', { platforms: 'X' })
  id = (await upnext.service.pool.query("select id from service.post where content = 'Launch day!'")).rows[0]
    .id
  await upnext.passTo('14:00')
  await upnext.passTime({ minutes: 11 })
  await expectAlerts([/^\["Acme: Not published yet, although the time has passed".*Launch day!/])
})

describe('an alert about an account', () => {
  const NEEDS_ATTENTION =
    /^\["Acme: Telegram \(Acme\) needs attention: @acme_bot isn't in .*\/upnext accounts.*"Dismiss"/
  /** Someone removes the bot from the chat, and an admin checks the account. */
  const checkAccount = async () => {
    await upnext.mara.runAndHear('/upnext accounts', 'Accounts of Acme')
    await upnext.mara.pressLast('accounts:check')
  }
  const lose = async () => {
    upnext.setChat({ botStatus: 'left' })
    upnext.telegram.planOthers((method) =>
      method === 'getChat'
        ? { kind: 'status', status: 400, description: 'Bad Request: chat not found' }
        : undefined,
    )
    await checkAccount()
    await upnext.mara.hears(/@acme_bot isn't in/)
  }

  it('is posted once in the channel, and cleared when the account works again', async () => {
    await turnOn('launch')
    await lose()
    await upnext.checkOften()
    await expectAlerts([NEEDS_ATTENTION], 'launch')
    expect(alerts('launch')[0]).not.toMatch(/"Try again"|"Edit"/)
    expect(alerts()).toEqual([])
    upnext.setChat({ botStatus: 'administrator' })
    upnext.telegram.planOthers(() => undefined)
    await checkAccount()
    await upnext.mara.hears(/white_check_mark/)
    await upnext.checkOften()
    await expectAlerts([/Resolved in Acme.*Telegram \(Acme\) needs attention/], 'launch')
  })

  it('is not repeated after days', async () => {
    await turnOn('launch')
    await lose()
    await upnext.checkOften()
    await expectAlerts([NEEDS_ATTENTION], 'launch')
    for (let day = 0; day < 3; day++) {
      await upnext.passTime({ minutes: 24 * 60 })
      await upnext.checkOften()
    }
    expect(alerts('launch')).toHaveLength(1)
  })

  const MISSING_CHAT = { kind: 'status', status: 400, description: 'Bad Request: chat not found' } as const
  const FAILED =
    /^\["Acme: Not published on Telegram \(Acme\): chat not found".*Make the bot an administrator/

  it('is not posted in addition to a failed post of that account', async () => {
    await turnOn('launch')
    upnext.telegram.plan(() => MISSING_CHAT)
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await expectAlerts([FAILED], 'launch')
    await upnext.checkOften()
    await expectAlerts([FAILED], 'launch')
    await expectAlerts([FAILED])
  })

  it('is not posted while the failed post is tried again', async () => {
    await turnOn('launch')
    upnext.telegram.plan(({ index }) => (index === 0 ? MISSING_CHAT : { kind: 'hang' }))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await expectAlerts([FAILED], 'launch')
    await upnext.press('Try again', FAILED)
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.passTime({ minutes: 0.2 })
    await upnext.settled()
    expect(alerts('launch')).toEqual([expect.stringMatching(FAILED)])
  })
})

describe('the message about published posts', () => {
  const PUBLISHED = /^\["Acme: Published".*Launch day!.*<https:\/\/t\.me\/acme\/\d\|Telegram>/
  const wantAll = async () => {
    await upnext.mara.run('/upnext alerts all')
    await upnext.waitFor(() =>
      expect(upnext.inChannel('launch').at(-1)).toMatch(/alert, and a message when posts are published/),
    )
  }

  it('is posted once, only in the channel that wants it', async () => {
    await wantAll()
    await upnext.mara.runAndHear(
      '/upnext alerts',
      /gets alerts about \*Acme\*, and a message about each published post\./,
    )
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.checkOften()
    await expectAlerts([PUBLISHED], 'launch')
    expect(alerts('launch')[0]).not.toContain('Dismiss')
    await upnext.checkOften()
    expect(alerts('launch')).toHaveLength(1)
    expect(alerts()).toEqual([])
  })

  it('is one for all posts that were published together', async () => {
    await wantAll()
    await upnext.schedule('Launch day!')
    await upnext.schedule('Spring sale')
    // The next check is some minutes after both posts are published.
    await upnext.passTo('13:59')
    await upnext.settled()
    await upnext.passTo('14:00')
    await upnext.hearOfResults()
    await upnext.checkOften()
    await expectAlerts(
      [/^\["Acme \(2 posts\): Published"(?=.*Launch day! · <https)(?=.*Spring sale · <https)/],
      'launch',
    )
  })

  it('is missing for posts that were published before, and for channels that only want alerts', async () => {
    await turnOn('launch')
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.checkOften()
    expect(alerts('launch')).toEqual([])
    await wantAll()
    await upnext.checkOften()
    expect(alerts('launch')).toEqual([])
  })

  it('reports no published post as failed again', async () => {
    await wantAll()
    await fail()
    await expectAlerts([ALERT])
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await upnext.checkOften()
    await expectAlerts([MENDED, PUBLISHED], 'launch')
  })

  it('is missing after the channel wants only alerts again', async () => {
    await wantAll()
    await upnext.mara.run('/upnext alerts here')
    await upnext.waitFor(() => expect(upnext.inChannel('launch').at(-1)).toMatch(/gets an alert\./))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.checkOften()
    expect(alerts('launch')).toEqual([])
  })

  it('is kept if the channel asks for it again before it is posted', async () => {
    await wantAll()
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.hearOfResults()
    await wantAll()
    await upnext.checkOften()
    await expectAlerts([PUBLISHED], 'launch')
  })

  it('is only a number in a channel that is shared with another organization', async () => {
    await upnext.person('mara', 'catalogue').run('/upnext alerts all')
    await upnext.waitFor(() => expect(upnext.inChannel('catalogue').join()).toMatch(/turned on alerts/))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.checkOften()
    await upnext.waitFor(() =>
      expect(upnext.inChannel('catalogue').at(-1)).toMatch(/1 post published in this channel's project\./),
    )
    expect(upnext.inChannel('catalogue').join()).not.toMatch(/Launch day|t\.me/)
  })

  it('is refused on a service that publishes nothing itself', async () => {
    respond = withoutExtensions
    await upnext.close()
    await open()
    await upnext.mara.runAndHear('/upnext alerts all', "This scheduling service doesn't say where")
  })
})

describe('an alert in a channel that is shared with another organization', () => {
  const NEUTRAL = /^\[":warning: 1 problem in this channel's project\."/

  it('says only how many problems there are', async () => {
    await turnOn('catalogue')
    expect(upnext.inChannel('catalogue').join()).toMatch(/alerts only give a count/)
    await fail()
    await expectAlerts([NEUTRAL], 'catalogue')
    const secret = /Launch day|wrong file|Telegram|actions|button/
    expect(alerts('catalogue').join()).not.toMatch(secret)
    await expectAlerts([ALERT])
    await fail('Launch week!', '15:00')
    await expectAlerts([/^\[":warning: 2 problems in this channel's project/], 'catalogue')
    expect(alerts('catalogue').join()).not.toMatch(secret)
    publishPosts()
    await upnext.mara.runAndHear('/upnext retry launch week', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.mara.runAndHear('/upnext retry launch day', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.hearOfResults()
    await upnext.checkOften()
    await expectAlerts([/^\[":white_check_mark: Resolved\."/], 'catalogue')
    expect(alerts('catalogue').join()).not.toMatch(/Launch|wrong file|Telegram/)
  })

  it('says that publishing has failed again, and nothing else', async () => {
    await turnOn('catalogue')
    await fail()
    await expectAlerts([NEUTRAL], 'catalogue')
    await expectAlerts([ALERT])
    await upnext.press('Try again', ALERT)
    await upnext.hearOfResults()
    await upnext.waitFor(() =>
      expect(upnext.inChannel('catalogue').slice(-2)).toEqual([
        expect.stringMatching(/^\[":warning: Failed again\."/),
        expect.stringMatching(NEUTRAL),
      ]),
    )
  })
})

describe('/upnext alerts', () => {
  it('says the state, and ends the alerts', async () => {
    const { mara } = upnext
    await mara.runAndHear('/upnext alerts', /This channel gets no alerts\..*`\/upnext alerts here`/)
    await turnOn('launch')
    await mara.runAndHear(
      '/upnext alerts',
      /This channel gets alerts about \*Acme\*\..*`\/upnext alerts here`.*`off`/,
    )
    await mara.runAndHear('/upnext alerts off', `<@${mara.userId}> turned off alerts.`)
    await mara.runAndHear('/upnext alerts', 'This channel gets no alerts.')
    await fail()
    await expectAlerts([ALERT])
    expect(alerts('launch')).toEqual([])
  })

  it('says that Upnext must be added to the channel first', async () => {
    const mara = upnext.person('mara', 'general')
    await mara.runAndHear('/upnext alerts here', /./)
    expect(mara.lastText()).toMatch(/isn't in the channel/)
  })

  it('is for admins, except for the state', async () => {
    const { yuki } = upnext
    await yuki.runAndHear('/upnext alerts here', 'Only workspace owners and admins can do this')
    await yuki.runAndHear('/upnext alerts off', 'Only workspace owners and admins can do this')
    await yuki.runAndHear('/upnext alerts', 'This channel gets no alerts.')
  })

  it('is in the audit trail, as is a post that is tried again', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT])
    publishPosts()
    await upnext.press('Try again', ALERT)
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.mara.runAndHear('/upnext alerts off', 'turned off alerts')
    const { rows } = await upnext.service.pool.query(
      'select user_id, action, outcome, target, project_id from upnext.audit_entry order by id',
    )
    const entry = { user_id: upnext.mara.userId, outcome: 'done' }
    const { rows: posts } = await upnext.service.pool.query('select id from service.post')
    expect(rows).toMatchObject([
      { ...entry, action: 'alerts', target: upnext.mara.channel, project_id: upnext.project },
      { ...entry, action: 'schedule' },
      { ...entry, action: 'retry', target: posts[0].id, project_id: upnext.project },
      { ...entry, action: 'alerts', target: upnext.mara.channel },
    ])
    await upnext.mara.runAndHear('/upnext audit', /\*alerts\* · done/)
  })
})

describe('the stored alerts', () => {
  const dump = async () => {
    const { pool } = upnext.service
    const rows = ['alert', 'alert_channel', 'post_message', 'job'].map((table) =>
      pool.query(`select '${table}' as table, t::text as row from upnext.${table} t`),
    )
    return (await Promise.all(rows)).flatMap(({ rows }) => rows as { table: string; row: string }[])
  }

  it('are encrypted', async () => {
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT])
    const rows = await dump()
    expect(rows.filter(({ table }) => table === 'alert')).toHaveLength(2)
    expect(JSON.stringify(rows)).toContain('enc:v1:')
    expect(JSON.stringify(rows)).not.toMatch(/Launch day|wrong file/)
  })

  it('are deleted with the data of an uninstalled workspace, and nothing more is checked', async () => {
    await upnext.close()
    await open({ uninstallRetentionDays: 0 })
    await upnext.addTelegram()
    await turnOn('launch')
    await fail()
    await expectAlerts([ALERT], 'launch')
    await upnext.mara.uninstallApp({})
    await upnext.waitFor(async () => expect(await dump()).toEqual([]))
    await upnext.passTime({ minutes: 10 })
    await upnext.settled()
    expect(await dump()).toEqual([])
  })

  it('are deleted after a week', async () => {
    await fail()
    await expectAlerts([ALERT])
    await upnext.settled()
    const countAlerts = async () => (await dump()).filter(({ table }) => table === 'alert').length
    await upnext.passTime({ minutes: 6 * 24 * 60 })
    await upnext.settled()
    expect(await countAlerts()).toBe(1)
    await upnext.passTime({ minutes: 25 * 60 })
    await upnext.waitFor(async () => expect(await countAlerts()).toBe(0))
  })

  it('explain that they have expired if someone presses their buttons later', async () => {
    await fail()
    await expectAlerts([ALERT])
    // The next check would post an alert again.
    await upnext.settled()
    await upnext.service.pool.query('delete from upnext.alert')
    await upnext.press('Dismiss', ALERT)
    await upnext.mara.hears('This alert has expired, so its buttons no longer work.')
  })
})
