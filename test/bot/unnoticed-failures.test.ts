import { DateTime } from 'luxon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ERASED } from '../../src/database/personal-data.ts'
import { lastRequest, press, sees } from './approval-requests.ts'
import { planner } from './planner.ts'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

let upnext: PublishingWorkspace

// It is Friday 20 November 2026, 13:00 in Berlin. Posts are due at 14:00.
beforeEach(async () => {
  upnext = await openPublishingWorkspace()
})
afterEach(() => upnext.close())

const publish = async (time = '14:00') => {
  await upnext.passTo(time)
  await upnext.hearOfResults()
  await upnext.checkOften()
}

const FAILED = /Not published on Telegram \(Acme\): .*wrong file identifier/

/** Opens the form on the Home tab, whose confirmation is a direct message. */
async function scheduleOnHome() {
  const { mara } = upnext
  await mara.openAppTab({ tab: 'home' })
  await upnext.waitFor(() => expect(mara.findOnHome('schedule:open').block_id).not.toBe(''))
  await mara.dispatchAction(mara.findOnHome('schedule:open'))
  const { id: view } = await mara.form('Schedule a post')
  const entered = { Content: 'Launch day!', ScheduleDate: 'today 14:00 Berlin', Platforms: ['TELEGRAM'] }
  await mara.submitView({ view, values: mara.fill(entered) })
  await upnext.settled()
  await upnext.passTime({ minutes: 0.05 })
  await upnext.settled()
}

describe('a failure is reported', () => {
  it('to the author of a post that was scheduled before its account was connected', async () => {
    await upnext.schedule('Launch day!')
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await publish()
    await publish('14:40')
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('to the author of a post that the service began to publish too late', async () => {
    await upnext.schedule('Launch day!')
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    const holder = await upnext.service.pool.connect()
    await holder.query('begin; select from service.post for update')
    await upnext.passTo('14:00')
    await upnext.passTime({ minutes: 11 })
    await upnext.waitFor(() => expect(upnext.directMessages().join()).toMatch(/Not published yet/))
    await upnext.settled()
    await holder.query('rollback')
    holder.release()
    await upnext.hearOfResults()
    await upnext.checkOften()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('to the author of a post that was moved after its account was connected', async () => {
    const { mara } = upnext
    await upnext.schedule('Launch day!')
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await mara.run('/upnext reschedule launch')
    const { id: view } = await mara.form('Reschedule a post')
    const values = mara.fill({ ScheduleDate: 'today 16:00 Berlin' })
    await mara.submitAndHear({ view, values }, /Rescheduled/)
    await upnext.settled()
    for (const time of ['14:00', '14:30', '15:30', '16:00']) {
      await upnext.passTo(time)
      await upnext.settled()
    }
    await publish('16:40')
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  const schedulePlan = async (text: string) => {
    const { importText, press, seesReview, waitForDirectMessage } = planner(() => ({
      upnext,
      mara: upnext.mara,
    }))
    await importText(text)
    await seesReview(/\*1 post\* for Acme/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved/)
    await upnext.settled()
  }

  it('to the author of a plan', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await schedulePlan('Launch day! today 14:00 Berlin time on Telegram')
    await publish()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it("to the author of a plan, if the network's limit delayed the post", async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(({ index }) =>
      index ? BAD_POST : { kind: 'status', status: 429, retryAfter: 40 * 60 },
    )
    await schedulePlan('Launch day! today 14:00 Berlin time on Telegram')
    await upnext.passTo('14:00')
    await upnext.waitFor(async () => {
      const paused = 'select from service.account where paused_until is not null'
      expect((await upnext.service.pool.query(paused)).rowCount).toBe(1)
    })
    for (const time of ['14:06', '14:12', '14:20', '14:30']) {
      await upnext.passTo(time)
      await upnext.settled()
    }
    await publish('14:41')
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('to the author of a draft that was scheduled with approval', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    const { mara, yuki } = upnext
    await mara.run('/upnext approval')
    const { id: approval } = await mara.form('Approval')
    const rule = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await mara.submitAndHear({ view: approval, values: rule }, /need approval/)
    await mara.run('/schedule-post draft: Launch day! today 14:00 Berlin time on Telegram')
    const { id: draft } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: draft, values: {} }, /draft/)
    await mara.run('/upnext reschedule launch')
    const { id: view } = await mara.form('Reschedule a post')
    await mara.submitView({ view, values: mara.fill({ ScheduleDate: 'today 14:00 Berlin' }) })
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve', lastRequest(yuki))
    await upnext.waitFor(async () => {
      const scheduled = "select from service.post where status = 'SCHEDULED'"
      expect((await upnext.service.pool.query(scheduled)).rowCount).toBe(1)
    })
    await publish()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('to the admins if the author has left', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await upnext.schedule('Launch day!', { member: upnext.yuki })
    upnext.slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await publish()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('to the admins if the author was erased', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await upnext.schedule('Launch day!', { member: upnext.yuki })
    await upnext.settled()
    await upnext.service.pool.query(`update upnext.outbox_item set user_id = '${ERASED}'`)
    await upnext.service.pool.query(`update upnext.post_message set posted_by = '${ERASED}'`)
    await publish()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it("to the person who scheduled another client's draft", async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    const { service, project, mara } = upnext
    const { token } = await service.addMember(project, 'EDITOR')
    const json = { Content: 'Launch day!', Platforms: ['TELEGRAM'], Status: 'DRAFT' }
    await service.request('POST', `/api/v1/projects/${project}/posts`, { token, json })
    await mara.run('/upnext reschedule launch')
    const { id } = await mara.form('Reschedule a post')
    const values = mara.fill({ ScheduleDate: 'today 14:00 Berlin' })
    await mara.submitAndHear({ view: id, values }, /Rescheduled in/)
    await upnext.settled()
    await upnext.passTime({ minutes: 0.05 })
    await upnext.settled()
    await publish()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(FAILED))
  })

  it('after an outage of two days', async () => {
    await upnext.addTelegram()
    await upnext.mara.run('/upnext alerts here')
    await upnext.schedule('Launch day!')
    await upnext.passTime({ minutes: 2 * 24 * 60 })
    await upnext.hearOfResults()
    await upnext.checkOften()
    expect(upnext.directMessages()).toContainEqual(expect.stringMatching(/Not published.*Launch day!/s))
    expect(upnext.inChannel()).toContainEqual(expect.stringMatching(/Not published.*Launch day!/s))
  })

  it('in a new message on the next day, although the reason is the same', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await upnext.schedule('Launch day!')
    await publish()
    await upnext.mara.run('/schedule-post Second day! tomorrow 14:00 Berlin time on Telegram')
    const { id: view } = await upnext.mara.form('Schedule a post')
    await upnext.mara.submitAndHear({ view, values: {} }, /Scheduled in Acme/)
    await upnext.settled()
    const due = DateTime.fromISO('2026-11-21T13:00:01Z')
    await upnext.passTime({ minutes: (due.toMillis() - upnext.now().getTime()) / 60_000 })
    await upnext.hearOfResults()
    await upnext.checkOften()
    const alerts = upnext.directMessages().filter((text) => FAILED.test(text))
    expect(
      alerts.filter((text) => text.includes('Second day!') && !text.includes('Launch day!')),
    ).not.toEqual([])
  })

  it('if the confirmation was a direct message, and the account was disconnected since', async () => {
    await upnext.addTelegram()
    await scheduleOnHome()
    await upnext.service.pool.query('update service.account set is_connected = false')
    await publish()
    expect(upnext.directMessages()).toContainEqual(
      expect.stringMatching(/Not published on Telegram: no account was connected/),
    )
  })

  it('if the confirmation was a direct message, and the network makes the post wait', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => ({ kind: 'status', status: 429, retryAfter: 50 * 60 }))
    await scheduleOnHome()
    await upnext.passTo('14:00')
    await upnext.waitFor(async () => {
      const paused = 'select from service.account where paused_until is not null'
      expect((await upnext.service.pool.query(paused)).rowCount).toBe(1)
    })
    await upnext.passTime({ minutes: 9 })
    await upnext.settled()
    await upnext.checkOften()
    await upnext.waitFor(() =>
      expect(upnext.directMessages()).toContainEqual(
        expect.stringMatching(/Not published yet, although the time has passed/),
      ),
    )
  })
})

it('says that the common text is not used if each platform has its own, and shows what is published', async () => {
  await upnext.addTelegram()
  const { mara } = upnext
  await mara.run('/schedule-post Join us on tuesday! today 14:00 Berlin time on Telegram and X')
  const { id: view } = await mara.form('Schedule a post')
  const blocks = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
  await upnext.waitFor(() => expect(blocks()).toContain('Vary by platform'))
  await mara.dispatchAction({
    container: { view },
    block_id: 'offer',
    action_id: 'change:schedule:offer',
  })
  await upnext.waitFor(() => expect(blocks()).toContain('Text on Telegram'))
  const values = mara.fill({ Content: 'Join us on friday!' })
  const [action_id = ''] = Object.keys(values.Content ?? {})
  await mara.dispatchAction({
    container: { view },
    block_id: 'Content',
    action_id,
    value: 'Join us on friday!',
    values,
  })
  await upnext.waitFor(() => expect(blocks()).toContain('Not used, because each platform has its own text.'))
  await mara.submitAndHear({ view, values }, /Scheduled in Acme.*Join us on tuesday!/s)
  await mara.runAndHear('/upnext posts', /Join us on tuesday!/)
  expect(mara.lastText()).not.toContain('friday')
})
