import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DigestWorkspace, MAX_WAIT, openDigestWorkspace } from './digest-workspace.ts'

let upnext: DigestWorkspace
let mara: DigestWorkspace['mara']
beforeEach(async () => {
  upnext = await openDigestWorkspace()
  mara = upnext.mara
})
afterEach(() => upnext.close())

const misbehave = (method: string, behavior: { error?: string; drop_response?: boolean; times?: number }) =>
  upnext.slack.controls.injectFault({ method, ...behavior })

/** Sets up a digest and waits until Slack has its message, whatever Slack answered. */
const scheduleDigest = async () => {
  await upnext.setUpDigest(14)
  await upnext.waitForScheduled()
  await upnext.settled()
}

/** Lets the bot react in each of the next minutes. */
const passMinutes = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    upnext.advance(1)
    await upnext.settled()
  }
}

const moveDigest = async (minutes: number) => {
  const { id } = await upnext.editDigest()
  const typed = mara.fill({ recurrence: `every day at ${upnext.timeIn(minutes)}` })
  expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
  await upnext.settled()
}

const NOT_CONFIRMED = "Slack didn't confirm in time that the message for Fri 20 Nov was cancelled"

it('notifies the admins that a digest has stopped if its owner has left', async () => {
  const yuki = upnext.person('yuki')
  await yuki.run(`/upnext digest every day at ${upnext.timeIn(40)} Berlin time`)
  await yuki.hears(/Digests in/)
  upnext.slack.controls.updateUser({ user: 'yuki', deactivated: true })
  await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
  await passMinutes(31)
  const texts = () => JSON.stringify(upnext.person('tomas').state().messages)
  await vi.waitFor(
    () =>
      expect(texts()).toMatch(/This message was for <@\w+>, who has left: Your digest Acme.*paused because/),
    MAX_WAIT,
  )
})

describe('a cancelled digest', () => {
  it('is not posted even if it is unknown for a while whether Slack has it', async () => {
    misbehave('chat.scheduleMessage', { drop_response: true })
    misbehave('chat.scheduledMessages.list', { error: 'internal_error', times: 2 })
    await scheduleDigest()
    await mara.run('/upnext digest pause')
    await mara.hears(/, paused\./)
    await upnext.settled()
    await passMinutes(3)
    expect(
      upnext.calls('chat.deleteScheduledMessage').filter(({ problems }) => !problems.length),
    ).toHaveLength(1)
    upnext.advance(20)
    await upnext.settled()
    expect(upnext.posted()).toEqual([])
  })

  it('is cancelled again if Slack did not delete its message', async () => {
    await scheduleDigest()
    misbehave('chat.deleteScheduledMessage', { error: 'internal_error' })
    await mara.run('/upnext digest off')
    await mara.hears('has no digests.')
    await upnext.settled()
    upnext.advance(1)
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(2), MAX_WAIT)
    await upnext.settled()
    upnext.advance(20)
    await upnext.settled()
    expect(upnext.posted()).toEqual([])
  })

  it('is posted once when its time is changed, even if it is unknown whether Slack has the first message', async () => {
    misbehave('chat.scheduleMessage', { drop_response: true })
    misbehave('chat.scheduledMessages.list', { error: 'internal_error', times: 2 })
    await scheduleDigest()
    await moveDigest(16)
    await passMinutes(4)
    await upnext.waitForScheduled(2)
    upnext.advance(20)
    await upnext.waitForPosted()
    await upnext.settled()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is not followed by another on that day if it was posted nevertheless', async () => {
    await scheduleDigest()
    misbehave('chat.deleteScheduledMessage', { error: 'internal_error', times: 100 })
    await moveDigest(60)
    upnext.advance(15)
    await upnext.waitForPosted()
    await upnext.waitForDirectMessage(NOT_CONFIRMED)
    upnext.slack.controls.clearFaults()
    upnext.advance(35)
    await upnext.settled()
    upnext.advance(15)
    await upnext.settled()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is reported to the owner again if the first report did not reach them', async () => {
    await scheduleDigest()
    misbehave('chat.deleteScheduledMessage', { error: 'internal_error', times: 100 })
    await mara.run('/upnext digest off')
    await mara.hears('has no digests.')
    await upnext.settled()
    misbehave('chat.postMessage', { error: 'internal_error' })
    upnext.advance(16)
    await upnext.settled()
    expect(upnext.directMessages()).toBe('')
    upnext.advance(6)
    await upnext.waitForDirectMessage(NOT_CONFIRMED)
  })

  it('is still posted if cancelled in its last minute, and the user is notified', async () => {
    await scheduleDigest()
    upnext.advance(13)
    await mara.run('/upnext digest pause')
    await mara.hears(/The next digest is already on its way and can't be stopped\.[\s\S]*paused/)
    upnext.advance(2)
    await upnext.waitForPosted()
  })

  it('is reported to the owner if Slack never confirmed the cancellation', async () => {
    await scheduleDigest()
    misbehave('chat.deleteScheduledMessage', { error: 'internal_error', times: 50 })
    await mara.run('/upnext digest pause')
    await mara.hears(/, paused\./)
    upnext.advance(16)
    await upnext.waitForDirectMessage(/was cancelled, so it may have been posted\./)
  })
})

describe('a digest that Slack rejects', () => {
  it('is not scheduled again if Slack may have accepted an earlier request', async () => {
    misbehave('chat.scheduleMessage', { drop_response: true })
    await scheduleDigest()
    expect(JSON.stringify(upnext.scheduled()[0]?.body)).toContain('Up next in Acme')
    misbehave('chat.scheduleMessage', { error: 'time_in_past', times: 2 })
    for (const minutes of [13.5, 3, 5]) {
      upnext.advance(minutes)
      await upnext.settled()
    }
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is not scheduled again after the app left the channel and came back', async () => {
    misbehave('chat.scheduleMessage', { drop_response: true })
    await scheduleDigest()
    misbehave('chat.scheduledMessages.list', { error: 'invalid_channel' })
    upnext.advance(3)
    await upnext.waitForDirectMessage('paused because the channel no longer exists')
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await upnext.settled()
    upnext.advance(13)
    await upnext.waitForPosted()
    await upnext.settled()
    expect(upnext.scheduled()).toHaveLength(1)
  })

  it('is skipped after hours, and the owner is notified of the reason', async () => {
    misbehave('chat.scheduleMessage', { error: 'msg_blocks_too_long', times: 500 })
    await upnext.setUpDigest(14)
    await vi.waitFor(() => expect(upnext.calls('chat.scheduleMessage')).not.toEqual([]), MAX_WAIT)
    await upnext.settled()
    upnext.advance(200)
    await upnext.waitForDirectMessage(/was skipped because Slack rejected it \(msg_blocks_too_long\)/)
  })

  it('is skipped after hours of errors, and the owner is notified', async () => {
    const query = (statement: string) => upnext.service.pool.query(statement)
    await upnext.setUpDigest(40)
    await upnext.settled()
    await query('alter table upnext.digest rename to unreadable_digest')
    upnext.advance(30)
    await upnext.settled()
    upnext.advance(200)
    await query('alter table upnext.unreadable_digest rename to digest')
    upnext.advance(20)
    await upnext.waitForDirectMessage(/was skipped because something went wrong in Upnext/)
  })

  it('is given up if its scheduled messages cannot be listed, and the owner is notified', async () => {
    misbehave('chat.scheduleMessage', { drop_response: true })
    misbehave('chat.scheduledMessages.list', { error: 'internal_error', times: 500 })
    await scheduleDigest()
    upnext.advance(15 + 200)
    await upnext.waitForDirectMessage(/Slack didn't confirm whether the message for Fri 20 Nov was posted/)
    const { rows } = await upnext.service.pool.query('select last_at from upnext.digest')
    expect(rows).toEqual([{ last_at: expect.any(Date) }])
  })

  it('is paused if its channel is archived, and says how to choose another one', async () => {
    misbehave('chat.scheduleMessage', { error: 'is_archived' })
    await upnext.setUpDigest(14)
    await upnext.waitForDirectMessage(
      /paused because the channel is archived\. To resume it in another channel, use `\/upnext digest list`/,
    )
    await mara.runAndHear('/upnext digest list', /Press \*Edit\* to resume it in another channel/)
  })

  it('is paused if Upnext loses access to its project', async () => {
    await upnext.setUpDigest(40)
    await upnext.service.pool.query("update service.project_user set status = 'INACTIVE'")
    for (const minutes of [28, 120, 60]) {
      upnext.advance(minutes)
      await upnext.settled()
    }
    await upnext.waitForDirectMessage('paused because its project no longer exists, or Upnext has no access')
    expect(upnext.posted()).toEqual([])
    await mara.runAndHear('/upnext digest resume', /Not resumed, because its project no longer exists/)
    expect(mara.lastText()).toContain('Press *Edit* to choose another project.')
    expect(JSON.stringify(mara.state().messages)).not.toContain('resumed a digest')
  })

  it('is paused if a permission is missing', async () => {
    misbehave('chat.scheduleMessage', { error: 'restricted_action_read_only_channel' })
    await upnext.setUpDigest(14)
    await upnext.waitForDirectMessage("paused because Upnext isn't allowed to post in the channel")
  })
})
