import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type DigestWorkspace, MAX_WAIT, openDigestWorkspace } from './digest-workspace.ts'

let upnext: DigestWorkspace
let mara: DigestWorkspace['mara']
beforeEach(async () => {
  upnext = await openDigestWorkspace()
  mara = upnext.mara
})
afterEach(() => upnext.close())

const misbehave = (behavior: Parameters<DigestWorkspace['slack']['controls']['injectFault']>[0]) =>
  upnext.slack.controls.injectFault(behavior)

describe('a digest', () => {
  it('is scheduled with Slack ahead of time, and is posted once, on the minute', async () => {
    await mara.run('/schedule-post Launch <!channel> day! in 3 days at 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    await upnext.setUpDigest(40)
    upnext.advance(30)
    await upnext.waitForScheduled()
    expect(upnext.posted()).toEqual([])
    upnext.advance(11)
    await upnext.waitForPosted()
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).toMatch(
      /Launch <!channel> day!.*Coming days.*Launch &lt;!channel&gt; day!/,
    )
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1)
    upnext.advance(24 * 60 - 15)
    await upnext.waitForScheduled(2)
  })

  it('is posted at both times if it has two a day', async () => {
    await upnext.setUpDigest(12, 30)
    await upnext.waitForScheduled()
    upnext.advance(13)
    await upnext.waitForPosted()
    upnext.advance(3)
    await upnext.waitForScheduled(2)
    upnext.advance(15)
    await upnext.waitForPosted(2)
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(2)
  })

  it('is posted once at a time that it keeps when another one is added', async () => {
    const time = upnext.timeIn(5)
    await upnext.setUpDigest(5)
    await upnext.waitForScheduled()
    upnext.advance(4.4)
    const { id } = await upnext.editDigest()
    const words = mara.fill({ recurrence: `daily at ${time} and 23:50` })
    expect(await mara.submitView({ view: id, values: words })).toEqual({ done: true })
    upnext.advance(2)
    await upnext.waitForPosted()
    await upnext.settled()
    upnext.advance(5)
    await upnext.settled()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is posted once if Slack accepted it but its response was lost', async () => {
    misbehave({ method: 'chat.scheduleMessage', drop_response: true })
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    await upnext.settled()
    upnext.advance(2)
    await upnext.settled()
    upnext.advance(15)
    await upnext.waitForPosted()
    await upnext.settled()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is not scheduled again once it may have been posted, and the owner is notified', async () => {
    misbehave({ method: 'chat.scheduleMessage', drop_response: true })
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    // The bot notices that the response is missing.
    await upnext.settled()
    upnext.advance(20)
    await upnext.waitForDirectMessage(
      /Your digest Acme in <#C\w+>: Slack didn't confirm whether the message for Fri 20 Nov was posted\./,
    )
    await upnext.settled()
    expect(upnext.posted()).toHaveLength(1)
    expect(upnext.scheduled()).toHaveLength(1)
  })

  it.each(['ratelimited', 'internal_error'])(
    'is posted even if Slack rejects it at first with %s',
    async (error) => {
      const limit = error === 'ratelimited' ? { status: 429, retry_after: 1 } : {}
      misbehave({ method: 'chat.scheduleMessage', error, ...limit })
      await upnext.setUpDigest(12)
      await vi.waitFor(() => expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1), MAX_WAIT)
      await upnext.settled()
      upnext.advance(2.1)
      await upnext.waitForScheduled()
      upnext.advance(15)
      await upnext.waitForPosted()
    },
  )

  it('can be paused, resumed and deleted after it was scheduled', async () => {
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    await mara.run('/upnext digest pause')
    await mara.hears(/Every day at .*, paused\./)
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(1), MAX_WAIT)
    await upnext.settled()
    upnext.advance(20)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await upnext.settled()
    expect(upnext.posted()).toEqual([])
    await mara.run('/upnext digest off')
    await mara.hears('has no digests.')
  })

  it('waits while the service is down, and apologizes for being late', async () => {
    await upnext.setUpDigest(40)
    upnext.setServiceDown(true)
    upnext.advance(28)
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    upnext.advance(30)
    upnext.setServiceDown(false)
    await upnext.waitForScheduled()
    upnext.advance(4)
    await upnext.waitForPosted()
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).toContain('Sorry, this digest is late.')
  })

  it('pauses when the app is removed from the channel, and notifies the owner once', async () => {
    await upnext.setUpDigest(40)
    await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    upnext.advance(28)
    await upnext.waitForDirectMessage(
      /Your digest Acme in <#C\w+>: paused because Upnext isn't in the channel anymore\. To resume it/,
    )
    await upnext.settled()
    expect(upnext.directMessages().match(/paused because/g)).toHaveLength(1)
    await mara.inviteToChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    await mara.run('/upnext digest list')
    await mara.hears(/paused because Upnext isn't in the channel anymore/)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await upnext.waitForScheduled()
  })

  it('pauses when the app is uninstalled, and notifies the owner when the app is back', async () => {
    await upnext.setUpDigest(40)
    await mara.uninstallApp({})
    const listReasons = async () => {
      const { rows } = await upnext.service.pool.query('select paused_reason from upnext.digest')
      return rows
    }
    await vi.waitFor(
      async () => expect(await listReasons()).toEqual([{ paused_reason: expect.anything() }]),
      MAX_WAIT,
    )
    await upnext.settled()
    expect(upnext.directMessages()).toBe('')
    await mara.installApp({})
    // Upnext asks Slack once a minute, and again a minute later if that fails.
    await vi.waitFor(async () => {
      upnext.advance(1)
      await upnext.settled()
      expect(upnext.directMessages()).toMatch(/paused because Upnext was removed from the workspace/)
    }, MAX_WAIT)
  })

  it('is replaced once by an explanation if the service stays down', async () => {
    await upnext.setUpDigest(40)
    upnext.setServiceDown(true)
    upnext.advance(28)
    await upnext.settled()
    upnext.advance(120)
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    upnext.advance(70)
    await upnext.waitForScheduled()
    upnext.advance(3)
    await mara.hears(/Couldn't load the digest for Acme\.[\s\S]*status 500/)
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1)
  })

  it('covers the time before a day whose digest could not be loaded', async () => {
    await upnext.setUpDigest(40)
    upnext.advance(30)
    await upnext.waitForScheduled()
    upnext.advance(11)
    await upnext.waitForPosted()
    await upnext.settled()
    const at = new Date(upnext.now().getTime() + 60 * 60_000)
    const published = { status: 'PUBLISHED', schedule_date: at, published_at: at, created_at: at } as const
    await insertPost(upnext.service.db, {
      ...{ project_id: upnext.project, content: 'The first day', platforms: ['X'], timezone: 'UTC' },
      ...published,
    })
    upnext.setServiceDown(true)
    for (const minutes of [24 * 60 - 20, 120, 70]) {
      upnext.advance(minutes)
      await upnext.settled()
    }
    upnext.advance(3)
    await mara.hears(/Couldn't load the digest for Acme\./)
    await upnext.settled()
    upnext.setServiceDown(false)
    upnext.advance(24 * 60 - 190)
    for (let minute = 0; minute < 20 && upnext.posted().length < 2; minute++) {
      upnext.advance(1)
      await upnext.settled()
    }
    await upnext.waitForPosted(2)
    expect(JSON.stringify(upnext.posted().at(-1)?.blocks)).toContain('The first day')
  })

  it('is skipped if the bot was down for longer than a digest may be late', async () => {
    await upnext.setUpDigest(40)
    upnext.advance(24 * 60 * 3 + 40 + 200)
    await upnext.settled()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
    await mara.run('/upnext digest list')
    await mara.hears(/next .*in \d+ hours/)
  })

  it('is tried again within seconds of an error, however often it has run', async () => {
    const query = (statement: string) => upnext.service.pool.query(statement)
    await upnext.setUpDigest(40)
    await upnext.settled()
    await query(`update upnext.job set attempts = 100, due_at = added_at where kind = 'digest'`)
    upnext.advance(1)
    await upnext.settled()
    await query('alter table upnext.digest rename to unreadable_digest')
    upnext.advance(26)
    await upnext.settled()
    await query('alter table upnext.unreadable_digest rename to digest')
    upnext.advance(0.2)
    await upnext.waitForScheduled()
  })

  it('does not wait for other digests that Slack rate-limits', async () => {
    misbehave({ method: 'chat.scheduleMessage', status: 429, retry_after: 90, error: 'ratelimited' })
    await upnext.setUpDigest(12)
    await vi.waitFor(() => expect(upnext.calls('chat.scheduleMessage')).toHaveLength(1), MAX_WAIT)
    await upnext.setUpDigest(13)
    await upnext.setUpDigest(14)
    await upnext.service.pool.query(
      `update upnext.digest set team_id = 'T0THER'
       where created_at = (select max(created_at) from upnext.digest)`,
    )
    await upnext.waitForScheduled(2)
    await upnext.settled()
    upnext.advance(2)
    await upnext.waitForScheduled(3)
  })
})
