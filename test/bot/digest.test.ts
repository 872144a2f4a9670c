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
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(calls('chat.scheduleMessage')).toHaveLength(1)
    pass(24 * 60 - 15)
    await handedOver(2)
  })

  it('is not sent twice where Slack took it and nobody heard so', async () => {
    upnext.slack.control.misbehave({ method: 'chat.scheduleMessage', lose_answer: true })
    await setUp(12)
    await vi.waitFor(() => expect(upnext.slack.control.sent().length).toBeGreaterThan(0))
    await new Promise((resolve) => setTimeout(resolve, 9000))
    pass(2)
    await new Promise((resolve) => setTimeout(resolve, 9000))
    pass(15)
    await vi.waitFor(() => expect(posted().length).toBeGreaterThan(0), PATIENCE)
    expect(posted()).toHaveLength(1)
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
      await new Promise((resolve) => setTimeout(resolve, 8000))
      pass(2)
      await vi.waitFor(
        () =>
          expect(
            upnext.slack.control
              .sent()
              .filter(({ what, faults }) => what === 'chat.scheduleMessage' && !faults.length),
          ).toHaveLength(1),
        PATIENCE,
      )
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
    await new Promise((resolve) => setTimeout(resolve, 8000))
    expect(calls('chat.scheduleMessage')).toEqual([])
    pass(30)
    isDown = false
    await handedOver()
    pass(4)
    await vi.waitFor(() => expect(posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(posted()[0]?.blocks)).toContain('This comes late')
  })

  it('pauses where the app is not in the channel, and tells who set it up', async () => {
    const tomas = upnext.person('tomas', 'general')
    await tomas.run(`/upnext digest every day at ${clockIn(12)} Berlin time`)
    await tomas.hears('Every day at')
    await vi.waitFor(
      () =>
        expect(tomas.told()).toMatch(
          /About the digest of Acme in <#C\w+>: It is paused: this app is not in the channel/,
        ),
      PATIENCE,
    )
    await tomas.run('/upnext digest list')
    await tomas.hears('paused')
  })
})

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
