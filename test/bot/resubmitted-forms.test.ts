import type { InputValues } from 'local-slack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAIT, modalOf } from './approval-requests.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

// It is Friday 20 November 2026, 13:00 in Berlin.
beforeEach(async () => {
  respond = () => undefined
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (call) => respond(call),
  })
  mara = upnext.person('mara')
  await mara.run('/schedule-post Launch day! monday 9am Berlin time on X')
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
})
afterEach(() => upnext.close())

/** The bot's database is slow right after the service has saved the change, so Slack stops waiting for the bot. */
async function submitSlowly(view: string, values: InputValues) {
  const client = await upnext.service.pool.connect()
  let isSaved = false
  respond = async (request) => {
    if (request.method !== 'PUT') return undefined
    const response = await fetch(request)
    await client.query('begin')
    await client.query('lock table upnext.submission in exclusive mode')
    isSaved = true
    return response
  }
  const submission = mara.submitView({ view, values })
  await vi.waitFor(() => expect(isSaved).toBe(true), MAX_WAIT)
  upnext.slack.controls.advanceClock({ seconds: 60 })
  expect(await submission).toEqual({ error: expect.stringContaining('trouble connecting') })
  respond = () => undefined
  await client.query('commit')
  client.release()
}
const stored = async () => {
  const query =
    "select content, to_char(schedule_date at time zone 'UTC', 'DD HH24:MI') as at from service.post"
  return (await upnext.service.pool.query(query)).rows
}
const REFUSAL = 'You already submitted this form with different values. Open a new form.'

describe('a form that Slack left open although its values were saved', () => {
  it('says that a corrected text was not saved', async () => {
    await mara.run('/upnext edit launch')
    const { id: view } = await mara.form('Edit a post')
    await submitSlowly(view, mara.fill({ Content: 'Launch day at 9!' }))
    await mara.hears(/Saved the changes/)
    await mara.submitView({ view, values: mara.fill({ Content: 'Launch day at 10!' }) })
    await vi.waitFor(() => expect(modalOf(mara)).toContain(REFUSAL), MAX_WAIT)
    expect(await stored()).toEqual([{ content: 'Launch day at 9!', at: '23 08:00' }])
  })

  it('says that a corrected time was not saved', async () => {
    await mara.run('/upnext move launch')
    const { id: view } = await mara.form('Reschedule a post')
    await submitSlowly(view, mara.fill({ ScheduleDate: '24 nov 9am' }))
    await mara.hears(/Rescheduled/)
    // The form doesn't follow what is typed anymore, so she confirms how the new time is read.
    await mara.submitUnseen({ view, values: mara.fill({ ScheduleDate: '25 nov 9am' }) })
    await vi.waitFor(() => expect(modalOf(mara)).toMatch(/Moves from .* to Wed 25 Nov/), MAX_WAIT)
    await mara.confirm('Move')
    await vi.waitFor(() => expect(modalOf(mara)).toContain(REFUSAL), MAX_WAIT)
    expect(await stored()).toEqual([{ content: 'Launch day!', at: '24 08:00' }])
  })
})
