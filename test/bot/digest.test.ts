import { DateTime } from 'luxon'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let isDown = false
beforeEach(async () => {
  isDown = false
  upnext = await openUpnext({
    isUnlimited: true,
    api: {
      fetch: (input, init) =>
        isDown ? Promise.resolve(Response.json({}, { status: 500 })) : fetch(input, init),
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

/** Long enough for whatever is due to be done, several times over. */
const rounds = () => new Promise((resolve) => setTimeout(resolve, 2500))
const PATIENCE = { timeout: 15_000, interval: 100 }

/** Time passes for the bot and for Slack alike. */
const pass = (minutes: number) => {
  upnext.wait({ minutes })
  upnext.slack.control.moveClock({ seconds: minutes * 60 })
}

/** So many minutes from now, as the clock of Berlin has it. */
const clockIn = (minutes: number) =>
  DateTime.fromJSDate(upnext.slack.control.now(), { zone: 'Europe/Berlin' })
    .plus({ minutes })
    .toFormat('HH:mm')

const calls = (method: string) => upnext.slack.control.sent().filter(({ what }) => what === method)
/** What Slack took for later. */
const scheduled = () =>
  upnext.slack.control.sent().filter(({ what, faults }) => what === 'chat.scheduleMessage' && !faults.length)
const posted = () =>
  (mara.sees().messages[mara.channel] ?? []).filter(
    ({ text, only }) => !only && text?.includes('Up next in Acme'),
  )

const setUp = async (minutes: number) => {
  await mara.run(`/upnext digest every day at ${clockIn(minutes)}`)
  await mara.hears(
    /gets:\n• \*Acme\*: Every day at \d\d:\d\d Berlin, next .* Berlin .*, then .* Berlin .*\(set by <@U\w+>\)/,
  )
}
const handedOver = (times = 1) =>
  vi.waitFor(() => expect(calls('chat.scheduleMessage')).toHaveLength(times), PATIENCE)

describe('a digest', () => {
  it('is handed to Slack ahead of its time, and comes on the minute, once', async () => {
    await mara.run('/schedule-post Launch <!channel> day! in 3 days at 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, typed: {} })
    await setUp(40)
    pass(30)
    await handedOver()
    expect(posted()).toEqual([])
    pass(11)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(posted()[0]?.blocks)).toMatch(
      /Launch <!channel> day!.*The coming days.*Launch &lt;!channel&gt; day!/,
    )
    await rounds()
    expect(calls('chat.scheduleMessage')).toHaveLength(1)
    pass(24 * 60 - 15)
    await handedOver(2)
  })

  it('is not sent twice where Slack took it and nobody heard so', async () => {
    upnext.slack.control.misbehave({ method: 'chat.scheduleMessage', lose_answer: true })
    await setUp(12)
    await vi.waitFor(() => expect(upnext.slack.control.sent().length).toBeGreaterThan(0))
    await rounds()
    pass(2)
    await rounds()
    pass(15)
    await vi.waitFor(() => expect(posted().length).toBeGreaterThan(0), PATIENCE)
    expect(posted()).toHaveLength(1)
  })

  it('is not sent again where it may have been posted already, and who set it up is told so', async () => {
    upnext.slack.control.misbehave({ method: 'chat.scheduleMessage', lose_answer: true })
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    pass(20)
    await vi.waitFor(
      () =>
        expect(told()).toMatch(
          /About your digest of Acme in <#C\w+>: Whether the one of .* was posted cannot be seen/,
        ),
      PATIENCE,
    )
    await rounds()
    expect(posted()).toHaveLength(1)
    expect(scheduled()).toHaveLength(1)
  })

  it.each(['ratelimited', 'internal_error'])(
    'comes all the same where Slack refused it at first: %s',
    async (error) => {
      upnext.slack.control.misbehave(
        error === 'ratelimited'
          ? { method: 'chat.scheduleMessage', status: 429, retry_after: 1, error }
          : { method: 'chat.scheduleMessage', error },
      )
      await setUp(12)
      await rounds()
      pass(2)
      await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
      pass(15)
      await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    },
  )

  it('can be paused: what Slack holds already does not come; and resumed, and ended', async () => {
    await setUp(12)
    await handedOver()
    await mara.run('/upnext digest pause')
    await mara.hears(/Every day at .*, paused/)
    expect(calls('chat.deleteScheduledMessage')).toHaveLength(1)
    pass(20)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    expect(posted()).toEqual([])
    await mara.run('/upnext digest off')
    await mara.hears('has no digest.')
  })

  it('waits while the service is away, and comes when it is back', async () => {
    await setUp(12)
    isDown = true
    await rounds()
    expect(calls('chat.scheduleMessage')).toEqual([])
    pass(30)
    isDown = false
    await handedOver()
    pass(4)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(posted()[0]?.blocks)).toContain('This comes late')
  })

  it('pauses where the app was taken out of the channel, and tells who set it up, once', async () => {
    await setUp(12)
    await mara.remove({ channel: mara.channel, user: upnext.slack.botUser })
    await vi.waitFor(
      () =>
        expect(told()).toMatch(
          /Your digest is paused, for this app is not in the channel any more: Acme in <#C\w+>/,
        ),
      PATIENCE,
    )
    await rounds()
    expect(told().match(/Your digest is paused/g)).toHaveLength(1)
    await mara.invite({ channel: mara.channel, user: upnext.slack.botUser })
    await mara.run('/upnext digest list')
    await mara.hears(/paused \(this app is not in the channel any more\)/)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await handedOver(2)
  })

  it('pauses where the app was taken out of the workspace, and who set it up is told when it is back', async () => {
    await setUp(40)
    await mara.uninstallApp({})
    const paused = async () => {
      const { rows } = await upnext.service.pool.query('select paused_for from upnext.digest')
      return rows
    }
    await vi.waitFor(
      async () => expect(await paused()).toEqual([{ paused_for: expect.anything() }]),
      PATIENCE,
    )
    await rounds()
    expect(told()).toBe('')
    await mara.installApp({})
    pass(6)
    await vi.waitFor(
      () => expect(told()).toContain('Your digest is paused, for this app was taken out of the workspace'),
      PATIENCE,
    )
  })

  it('says in the channel that it could not be read, once, where the service stays away', async () => {
    await setUp(12)
    isDown = true
    await rounds()
    pass(120)
    await rounds()
    expect(calls('chat.scheduleMessage')).toEqual([])
    pass(70)
    await handedOver()
    pass(3)
    await mara.hears(/The digest of Acme could not be read\.[\s\S]*status 500/)
    await rounds()
    expect(calls('chat.scheduleMessage')).toHaveLength(1)
  })

  it('is skipped where the bot was away for longer than it may be late', async () => {
    await setUp(40)
    pass(24 * 60 * 3 + 40 + 200)
    await rounds()
    expect(calls('chat.scheduleMessage')).toEqual([])
    await mara.run('/upnext digest list')
    await mara.hears(/next .*in \d+ hours/)
  })

  it('of one workspace does not wait for that of another, where Slack asks for a pause', async () => {
    upnext.slack.control.misbehave({
      method: 'chat.scheduleMessage',
      status: 429,
      retry_after: 90,
      error: 'ratelimited',
    })
    await setUp(12)
    await handedOver()
    await setUp(13)
    await setUp(14)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query('select from upnext.digest')
      expect(rows).toHaveLength(3)
    })
    await upnext.service.pool.query(
      "update upnext.digest set team_id = 'T0THER' where set_at = (select max(set_at) from upnext.digest)",
    )
    await handedOver(2)
    await rounds()
    expect(calls('chat.scheduleMessage')).toHaveLength(2)
    pass(2)
    await handedOver(4)
  })
})

/** Posts of the coming days, as many as that; some of them on two platforms. */
async function schedulePosts(count: number): Promise<void> {
  const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
  for (let number = 1; number <= count; number++) {
    const ScheduleDate = DateTime.utc().plus({ days: 1, minutes: number }).toISO()
    const Platforms = number % 3 ? ['X'] : ['X', 'LINKEDIN']
    const json = { Content: `Post ${number}.`, Platforms, ScheduleDate, Timezone: 'UTC', Status: 'SCHEDULED' }
    const { status } = await upnext.service.request('POST', `/api/v1/projects/${upnext.project}/posts`, {
      token,
      json,
    })
    expect(status).toBeLessThan(300)
  }
}

describe('what a digest says', () => {
  const blocksOf = (message: { blocks?: unknown } | undefined) => JSON.stringify(message?.blocks)

  it('is folded where it is long, and unfolded and folded for all at a press', async () => {
    await schedulePosts(20)
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    pass(13)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    expect(posted()[0]?.text).toMatch(/^Up next in Acme: 20 in the coming days \[/)
    expect(blocksOf(posted()[0])).toMatch(/Post 8\..*and 12 more/)
    expect(blocksOf(posted()[0])).not.toContain('Post 9.')
    const yuki = upnext.person('yuki')
    await yuki.pressLast('digest:turn:coming')
    await vi.waitFor(() => expect(blocksOf(posted()[0])).toMatch(/Post 20\..*Show less/), PATIENCE)
    await mara.pressLast('digest:turn:coming')
    await vi.waitFor(() => expect(blocksOf(posted()[0])).toContain('and 12 more'), PATIENCE)
    expect(blocksOf(yuki.lastMessage())).not.toContain('Post 9.')
  })

  it('can be unfolded for a month', async () => {
    await schedulePosts(10)
    await mara.run('/upnext digest now')
    await mara.hears(/and 2 more/)
    pass(31 * 24 * 60)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query('select from upnext.digest_content')
      expect(rows).toEqual([])
    }, PATIENCE)
    await mara.pressLast('digest:turn:coming')
    await mara.hears('This is too long ago to be unfolded.')
  })

  it('has a picture of the week, with the same in words', async () => {
    await schedulePosts(4)
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    pass(13)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    const image = posted()[0]?.blocks?.find(({ type }) => type === 'image')
    expect(image).toMatchObject({
      slack_file: { id: expect.stringMatching(/^F/) },
      alt_text: expect.stringMatching(/^Posts of the week by day and platform\. .*: 4 on X, 1 on LinkedIn$/),
    })
  })

  it.each([
    ['Slack has not looked at it yet', 'chat.scheduleMessage', 'invalid_blocks', 2],
    ['Slack can fetch no picture at all', 'chat.scheduleMessage', 'invalid_blocks', 3],
    ['it cannot be uploaded', 'files.getUploadURLExternal', 'internal_error', 1],
  ])('comes without its picture where %s', async (_why, method, error, times) => {
    await schedulePosts(1)
    upnext.slack.control.misbehave({ method, error, times })
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    pass(13)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    expect(blocksOf(posted()[0])).toContain('Post 1.')
    expect(blocksOf(posted()[0])).not.toContain('slack_file')
  })

  it('is what comes after it is read, also where more went out since it was handed over', async () => {
    await schedulePosts(2)
    await upnext.service.pool.query(
      "update service.post set schedule_date = now() + interval '5 minutes' where content = 'Post 1.'",
    )
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(scheduled())).toContain('Post 2.')
    expect(JSON.stringify(scheduled())).not.toContain('Post 1.')
  })

  it('is what went out, drafts with a date and what went wrong, too', async () => {
    const { pool } = upnext.service
    await schedulePosts(3)
    await pool.query(
      "update service.post set status = 'PUBLISHED', schedule_date = now() - interval '1 hour' where content = 'Post 1.'",
    )
    await pool.query("update service.post set status = 'DRAFT' where content = 'Post 2.'")
    await pool.query(
      "update service.post set schedule_date = now() - interval '3 days', status = 'PUBLISHED' where content = 'Post 3.'",
    )
    await mara.run('/upnext digest now')
    await mara.hears(
      /Up next in Acme: 1 went out, 1 with a date, and not scheduled[\s\S]*Nothing is scheduled\.[\s\S]*Went out[\s\S]*Post 1\.[\s\S]*Drafts with a date[\s\S]*Post 2\./,
    )
    expect(mara.told()).not.toContain('Post 3.')
  })
})

describe('the form behind /upnext digest', () => {
  const open = async (member = mara) => {
    await member.run('/upnext digest')
    const { id, blocks } = await member.form('Set up a digest')
    return { id, blocks: JSON.stringify(blocks) }
  }

  it('says when it comes next, and sets it up; the channel is told', async () => {
    const { id, blocks } = await open()
    expect(blocks).toMatch(/Weekdays at 09:00 Berlin: next .*09:00 Berlin.*, then .*09:00 Berlin/)
    expect(blocks).toContain(`"initial_conversation":"${mara.channel}"`)
    expect(
      await mara.submitView({
        view: id,
        typed: mara.fill({ words: 'mon and thu 8:30', includes: ['coming', 'drafts'] }),
      }),
    ).toEqual({ done: true })
    await mara.hears(
      /gets:\n• \*Acme\*: Mon and Thu at 08:30 Berlin, without what went out, what went wrong, a picture, next .*, then .*set by/,
    )
    const all = upnext.person('yuki').sees().messages[mara.channel] ?? []
    expect(all.map(({ text }) => text)).toContain(
      `<@${mara.id}> has set up a digest here, of Acme: Mon and Thu at 08:30 Berlin.`,
    )
  })

  it('takes pickers for words', async () => {
    const { id } = await open()
    const at = { view: id }
    const picker = (type: string) => {
      const block = mara
        .sees()
        .views.at(-1)
        ?.blocks.find(({ block_id }) => block_id === 'instead:words')
      const elements: { type: string; action_id?: string }[] = Object(block).elements
      return {
        block_id: block?.block_id ?? '',
        action_id: elements.find((one) => one.type === type)?.action_id ?? '',
      }
    }
    await mara.press({ at, ...picker('static_select'), chosen: 'Saturdays' })
    const words = () => JSON.stringify(mara.sees().views.at(-1)?.blocks)
    await vi.waitFor(() => expect(words()).toContain('Every Saturday at 09:00 Berlin: next'), PATIENCE)
    await mara.press({ at, ...picker('timepicker'), chosen: '17:45' })
    await vi.waitFor(() => expect(words()).toContain('"initial_value":"Every Saturday at 17:45"'), PATIENCE)
  })

  it('refuses a channel that the app is not in, and says how to add it; nothing is lost by it', async () => {
    const tomas = upnext.person('tomas', 'general')
    const { id } = await open(tomas)
    expect(await tomas.submitView({ view: id, typed: {} })).toEqual({
      errors: {
        channel_id:
          'This app is not in that channel. Write "/invite @Upnext" there, and send this off again.',
      },
    })
    await tomas.invite({ channel: tomas.channel, user: upnext.slack.botUser })
    expect(await tomas.submitView({ view: id, typed: {} })).toEqual({ done: true })
    await tomas.hears(/gets:\n• \*Acme\*: Weekdays at 09:00 New York/)
  })

  it('takes a zone of its own, and none that the words contradict', async () => {
    const { id } = await open()
    const { typed } = await mara.pick('zone', 'Asia/Tokyo')
    expect(
      await mara.submitView({
        view: id,
        typed: { ...typed, ...mara.fill({ words: 'weekdays 9am Lisbon' }) },
      }),
    ).toEqual({
      errors: { zone: 'The words say Europe/Lisbon. Take the zone out of them, or choose none here.' },
    })
    expect(
      await mara.submitView({ view: id, typed: { ...typed, ...mara.fill({ words: 'weekdays 9am' }) } }),
    ).toEqual({ done: true })
    await mara.hears('Weekdays at 09:00 Tokyo')
  })

  it('knows a digest that is there already; in words, too', async () => {
    await mara.run('/upnext digest weekdays at 9am')
    await mara.hears('gets:')
    const { id } = await open()
    expect(await mara.submitView({ view: id, typed: {} })).toEqual({
      errors: { words: 'That channel has this digest already, at that time.' },
    })
    await mara.run('/upnext digest every weekday 9:00')
    await mara.hears(/It is there already: Weekdays at 09:00 Berlin/)
    const { rows } = await upnext.service.pool.query('select from upnext.digest')
    expect(rows).toHaveLength(1)
  })

  it('opens as it is for one that is there, and takes back what was handed over', async () => {
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id, blocks } = await mara.form('Set up a digest')
    expect(JSON.stringify(blocks)).toMatch(/"initial_value":"Every day at \d\d:\d\d"/)
    const later = `every day at ${clockIn(14)}`
    expect(await mara.submitView({ view: id, typed: mara.fill({ words: later }) })).toEqual({ done: true })
    await vi.waitFor(() => expect(scheduled()).toHaveLength(2), PATIENCE)
    expect(calls('chat.deleteScheduledMessage')).toHaveLength(1)
    pass(20)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    const { rows } = await upnext.service.pool.query('select from upnext.digest')
    expect(rows).toHaveLength(1)
  })

  it('lets one that has nothing to tell stay away', async () => {
    const { id } = await open()
    const typed = mara.fill({ words: `every day at ${clockIn(12)}`, if_empty: 'skip' })
    expect(await mara.submitView({ view: id, typed })).toEqual({ done: true })
    const ended = async () => {
      const { rows } = await upnext.service.pool.query('select state from upnext.digest_run')
      return rows
    }
    await vi.waitFor(async () => expect(await ended()).toEqual([{ state: 'skipped' }]), PATIENCE)
    expect(calls('chat.scheduleMessage')).toEqual([])
  })

  it('is for one day one digest, also where it is changed after it came', async () => {
    await setUp(12)
    await vi.waitFor(() => expect(scheduled()).toHaveLength(1), PATIENCE)
    pass(13)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id } = await mara.form('Set up a digest')
    await mara.submitView({ view: id, typed: mara.fill({ words: `every day at ${clockIn(20)}` }) })
    await mara.hears(/gets:\n• \*Acme\*: Every day at .*next .*in (1 day|2[34] hours)/)
  })

  it('is ended by its button', async () => {
    await setUp(40)
    await mara.pressLast('digest:off')
    await mara.hears('has no digest.')
  })
})

/** All that mara was told by the app itself. */
const told = () =>
  Object.entries(mara.sees().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([, messages]) => messages.map(({ text }) => text))
    .join('\n')

describe('/upnext digest', () => {
  it('now shows what it would say, to the person alone', async () => {
    await mara.run('/upnext digest now')
    await mara.hears(/Up next in Acme[\s\S]*Nothing is scheduled/)
    expect(mara.lastMessage()?.only).toBe(true)
  })

  it.each([
    ['wibble', /Write the days and the time/],
    ['list', /has no digest. `\/upnext digest weekdays at 9am` sets one up./],
    ['pause', /There is no digest here/],
  ])('%s is answered', async (words, answer) => {
    await mara.run(`/upnext digest ${words}`)
    await mara.hears(answer)
  })

  it('is set up by members, and not by guests', async () => {
    const noor = upnext.person('noor')
    await noor.run('/upnext digest weekdays at 9am')
    await noor.hears('Guests can look here')
  })
})
