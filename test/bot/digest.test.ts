import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Morning, openMorning, PATIENCE, rounds } from './digest-morning.ts'

let upnext: Morning
let mara: Morning['mara']
beforeEach(async () => {
  upnext = await openMorning()
  mara = upnext.mara
})
afterEach(() => upnext.close())

describe('a digest', () => {
  it('is handed to Slack ahead of its time, and comes on the minute, once', async () => {
    await mara.run('/schedule-post Launch <!channel> day! in 3 days at 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await upnext.setUp(40)
    upnext.pass(30)
    await upnext.handedOver()
    expect(upnext.posted()).toEqual([])
    upnext.pass(11)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).toMatch(
      /Launch <!channel> day!.*The coming days.*Launch &lt;!channel&gt; day!/,
    )
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1)
    upnext.pass(24 * 60 - 15)
    await upnext.handedOver(2)
  })

  it('is not sent twice where Slack took it and nobody heard so', async () => {
    upnext.slack.controls.injectFault({ method: 'chat.scheduleMessage', drop_response: true })
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.slack.controls.appPayloads().length).toBeGreaterThan(0))
    await rounds()
    upnext.pass(2)
    await rounds()
    upnext.pass(15)
    await vi.waitFor(() => expect(upnext.posted().length).toBeGreaterThan(0), PATIENCE)
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is not sent again where it may have been posted already, and who set it up is told so', async () => {
    upnext.slack.controls.injectFault({ method: 'chat.scheduleMessage', drop_response: true })
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    upnext.pass(20)
    await vi.waitFor(
      () =>
        expect(upnext.told()).toMatch(
          /About your digest of Acme in <#C\w+>: Whether the one of .* was posted cannot be seen/,
        ),
      PATIENCE,
    )
    await rounds()
    expect(upnext.posted()).toHaveLength(1)
    expect(upnext.scheduled()).toHaveLength(1)
  })

  it.each(['ratelimited', 'internal_error'])(
    'comes all the same where Slack refused it at first: %s',
    async (error) => {
      upnext.slack.controls.injectFault(
        error === 'ratelimited'
          ? { method: 'chat.scheduleMessage', status: 429, retry_after: 1, error }
          : { method: 'chat.scheduleMessage', error },
      )
      await upnext.setUp(12)
      await rounds()
      upnext.pass(2)
      await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
      upnext.pass(15)
      await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    },
  )

  it('can be paused: what Slack holds already does not come; and resumed, and ended', async () => {
    await upnext.setUp(12)
    await upnext.handedOver()
    await mara.run('/upnext digest pause')
    await mara.hears(/Every day at .*, paused/)
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(1), PATIENCE)
    upnext.pass(20)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    expect(upnext.posted()).toEqual([])
    await mara.run('/upnext digest off')
    await mara.hears('has no digest.')
  })

  it('waits while the service is away, and comes when it is back', async () => {
    await upnext.setUp(12)
    upnext.service_is('away')
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    upnext.pass(30)
    upnext.service_is('there')
    await upnext.handedOver()
    upnext.pass(4)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).toContain('This comes late')
  })

  it('pauses where the app was taken out of the channel, and tells who set it up, once', async () => {
    await upnext.setUp(12)
    await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    await vi.waitFor(
      () =>
        expect(upnext.told()).toMatch(
          /Your digest is paused, for this app is not in the channel any more: Acme in <#C\w+>/,
        ),
      PATIENCE,
    )
    await rounds()
    expect(upnext.told().match(/Your digest is paused/g)).toHaveLength(1)
    await mara.inviteToChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    await mara.run('/upnext digest list')
    await mara.hears(/paused \(this app is not in the channel any more\)/)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await upnext.handedOver()
  })

  it('pauses where the app was taken out of the workspace, and who set it up is told when it is back', async () => {
    await upnext.setUp(40)
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
    expect(upnext.told()).toBe('')
    await mara.installApp({})
    upnext.pass(6)
    await vi.waitFor(
      () =>
        expect(upnext.told()).toContain('Your digest is paused, for this app was taken out of the workspace'),
      PATIENCE,
    )
  })

  it('says in the channel that it could not be read, once, where the service stays away', async () => {
    await upnext.setUp(12)
    upnext.service_is('away')
    await rounds()
    upnext.pass(120)
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    upnext.pass(70)
    await upnext.handedOver()
    upnext.pass(3)
    await mara.hears(/The digest of Acme could not be read\.[\s\S]*status 500/)
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1)
  })

  it('is skipped where the bot was away for longer than it may be late', async () => {
    await upnext.setUp(40)
    upnext.pass(24 * 60 * 3 + 40 + 200)
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    await mara.run('/upnext digest list')
    await mara.hears(/next .*in \d+ hours/)
  })

  it('of one workspace does not wait for that of another, where Slack asks for a pause', async () => {
    upnext.slack.controls.injectFault({
      method: 'chat.scheduleMessage',
      status: 429,
      retry_after: 90,
      error: 'ratelimited',
    })
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1), PATIENCE)
    await upnext.setUp(13)
    await upnext.setUp(14)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query('select from upnext.digest')
      expect(rows).toHaveLength(3)
    })
    await upnext.service.pool.query(
      "update upnext.digest set team_id = 'T0THER' where set_at = (select max(set_at) from upnext.digest)",
    )
    await upnext.handedOver(1)
    await rounds()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(2)
    upnext.pass(2)
    await upnext.handedOver(3)
  })
})
