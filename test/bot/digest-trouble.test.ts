import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Morning, openMorning, PATIENCE, rounds } from './digest-morning.ts'

let upnext: Morning
let mara: Morning['mara']
beforeEach(async () => {
  upnext = await openMorning()
  mara = upnext.mara
})
afterEach(() => upnext.close())

const injectFault = (method: string, how: { error?: string; drop_response?: boolean; times?: number }) =>
  upnext.slack.controls.injectFault({ method, ...how })

describe('a digest that is taken back', () => {
  it('does not come where nobody knows whether Slack has it, and Slack does not say so at once', async () => {
    injectFault('chat.scheduleMessage', { drop_response: true })
    injectFault('chat.scheduledMessages.list', { error: 'internal_error', times: 2 })
    await upnext.setUp(14)
    await upnext.handedOver()
    await mara.run('/upnext digest pause')
    await mara.hears(/paused/)
    await rounds()
    for (let minute = 0; minute < 3; minute++) {
      upnext.pass(1)
      await rounds()
    }
    expect(
      upnext.calls('chat.deleteScheduledMessage').filter(({ problems }) => !problems.length),
    ).toHaveLength(1)
    upnext.pass(20)
    await rounds()
    expect(upnext.posted()).toEqual([])
  })

  it('is asked for again where Slack did not give it back', async () => {
    await upnext.setUp(14)
    await upnext.handedOver()
    injectFault('chat.deleteScheduledMessage', { error: 'internal_error' })
    await mara.run('/upnext digest off')
    await mara.hears('has no digest.')
    await rounds()
    upnext.pass(1)
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(2), PATIENCE)
    upnext.pass(20)
    await rounds()
    expect(upnext.posted()).toEqual([])
  })

  it('for another time is one for that day, also while Slack does not say whether it has it', async () => {
    injectFault('chat.scheduleMessage', { drop_response: true })
    injectFault('chat.scheduledMessages.list', { error: 'internal_error', times: 2 })
    await upnext.setUp(14)
    await upnext.handedOver()
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id } = await mara.form('Digest of a channel')
    const later = mara.fill({ words: `every day at ${upnext.clockIn(16)}` })
    expect(await mara.submitView({ view: id, values: later })).toEqual({ done: true })
    for (let minute = 0; minute < 4; minute++) {
      await rounds()
      upnext.pass(1)
    }
    await upnext.handedOver(2)
    upnext.pass(20)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    await rounds()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('and came all the same has no other on that day', async () => {
    await upnext.setUp(14)
    await upnext.handedOver()
    injectFault('chat.deleteScheduledMessage', { error: 'internal_error', times: 100 })
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id } = await mara.form('Digest of a channel')
    const later = mara.fill({ words: `every day at ${upnext.clockIn(60)}` })
    expect(await mara.submitView({ view: id, values: later })).toEqual({ done: true })
    await rounds()
    upnext.pass(15)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    await vi.waitFor(() => expect(upnext.told()).toContain('may have come all the same'), PATIENCE)
    upnext.slack.controls.clearFaults()
    upnext.pass(35)
    await rounds()
    upnext.pass(15)
    await rounds()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is told of until that has reached whoever set it up', async () => {
    await upnext.setUp(14)
    await upnext.handedOver()
    injectFault('chat.deleteScheduledMessage', { error: 'internal_error', times: 100 })
    await mara.run('/upnext digest off')
    await mara.hears('has no digest.')
    await rounds()
    injectFault('chat.postMessage', { error: 'internal_error' })
    upnext.pass(16)
    await rounds()
    expect(upnext.told()).toBe('')
    upnext.pass(6)
    await vi.waitFor(() => expect(upnext.told()).toContain('may have come all the same'), PATIENCE)
  })

  it('in its last minute comes, and it is said that it does', async () => {
    await upnext.setUp(14)
    await upnext.handedOver()
    upnext.pass(13)
    await mara.run('/upnext digest pause')
    await mara.hears(
      /paused[\s\S]*The next one comes all the same: Slack gives nothing back in its last minute/,
    )
    upnext.pass(2)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
  })

  it('and could not be, is told of to who set it up', async () => {
    await upnext.setUp(14)
    await upnext.handedOver()
    injectFault('chat.deleteScheduledMessage', { error: 'internal_error', times: 50 })
    await mara.run('/upnext digest pause')
    await mara.hears(/paused/)
    upnext.pass(16)
    await vi.waitFor(
      () => expect(upnext.told()).toContain('was to be taken back, and may have come'),
      PATIENCE,
    )
  })
})

describe('a digest that Slack does not take', () => {
  it('is not sent again where an earlier call may have been heard', async () => {
    injectFault('chat.scheduleMessage', { drop_response: true })
    await upnext.setUp(14)
    await upnext.handedOver()
    // What Slack holds is not in its list, and it refuses the second.
    const [{ body } = { body: {} }] = upnext.scheduled()
    expect(Object(body).text).toContain('Up next in Acme')
    injectFault('chat.scheduleMessage', { error: 'time_in_past', times: 2 })
    upnext.pass(13.5)
    await rounds()
    upnext.pass(3)
    await rounds()
    upnext.pass(5)
    await rounds()
    expect(upnext.posted()).toHaveLength(1)
  })

  it('is not sent again where the app was out of the channel meanwhile, and came back', async () => {
    injectFault('chat.scheduleMessage', { drop_response: true })
    await upnext.setUp(14)
    await upnext.handedOver()
    injectFault('chat.scheduledMessages.list', { error: 'invalid_channel' })
    upnext.pass(3)
    await vi.waitFor(() => expect(upnext.told()).toContain('Your digest is paused'), PATIENCE)
    await mara.run('/upnext digest resume')
    await mara.hears(/Every day at .*, next/)
    await rounds()
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    await rounds()
    expect(upnext.scheduled()).toHaveLength(1)
  })

  it('for hours, for a reason that may pass, is left out, and who set it up is told why', async () => {
    injectFault('chat.scheduleMessage', { error: 'msg_blocks_too_long', times: 500 })
    await upnext.setUp(14)
    await vi.waitFor(() => expect(upnext.calls('chat.scheduleMessage').length).toBeGreaterThan(0), PATIENCE)
    upnext.pass(200)
    await vi.waitFor(
      () => expect(upnext.told()).toMatch(/was left out: Slack did not take it \(msg_blocks_too_long\)/),
      PATIENCE,
    )
  })

  it('and does not list either, is given up, and who set it up is told', async () => {
    injectFault('chat.scheduleMessage', { drop_response: true })
    injectFault('chat.scheduledMessages.list', { error: 'internal_error', times: 500 })
    await upnext.setUp(14)
    await upnext.handedOver()
    upnext.pass(15 + 200)
    await vi.waitFor(() => expect(upnext.told()).toMatch(/was posted cannot be seen from here/), PATIENCE)
    const { rows } = await upnext.service.pool.query('select state from upnext.digest_run order by due_at')
    expect(rows[0]).toEqual({ state: 'unclear' })
  })

  it('for a right that it lacks, stops', async () => {
    injectFault('chat.scheduleMessage', { error: 'restricted_action_read_only_channel' })
    await upnext.setUp(14)
    await vi.waitFor(() => expect(upnext.told()).toContain('this app may not post there'), PATIENCE)
  })
})
