import { afterEach, expect, it, vi } from 'vitest'
import { directMessages, MAX_WAIT, modalOf, press, sees } from './approval-requests.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member
afterEach(() => upnext.close())

async function prepare() {
  const admins: string[] = []
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, admins })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  priya = upnext.person('priya')
  admins.push(mara.userId)
  await mara.run('/upnext slots weekdays at 9:00')
  const { id: slots } = await mara.form('Slots')
  await mara.submitAndHear({ view: slots, values: {} }, /\*Slots of Acme\*/)
  // It is Friday 20 November 2026, 13:00 in Berlin.
  await mara.run('/schedule-post Launch day! november 27 9am on X')
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
  await mara.run('/upnext approval')
  const { id: rule } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
  await mara.submitAndHear({ view: rule, values }, /need approval/)
  await mara.run('/upnext edit launch')
  const { id: edit } = await mara.form('Edit a post')
  await mara.submitView({
    view: edit,
    values: mara.fill({ Content: 'Launch night!', ScheduleDate: 'november 26 9am' }),
  })
  await vi.waitFor(() => expect(modalOf(mara)).toMatch(/This change is waiting for approval/), MAX_WAIT)
  await mara.closeView({ view: edit })
  await sees(yuki, /asks for your approval to change/)
}

const stored = async () =>
  (
    await upnext.service.pool.query(
      "select content, to_char(schedule_date, 'DD HH24:MI') as at from service.post order by content",
    )
  ).rows.map(({ content, at }) => `${content} ${at}`)

it.each([1, 49])('lets an approved change have its slot after %i hours', async (hours) => {
  await prepare()
  for (let i = 0; i < 4; i++) {
    upnext.wait({ minutes: (hours * 60) / 4 })
    await upnext.settled()
  }
  upnext.wait({ minutes: 61 })
  await upnext.settled()
  // Priya looks for the next free slot from Thursday on.
  await priya.run('/schedule-post Other slot next thursday or later on X')
  const { id } = await priya.form('Schedule a post')
  await priya.submitView({
    view: id,
    values: priya.fill({ Content: 'Other', ScheduleDate: 'next free slot thursday' }),
  })
  await upnext.settled()
  const request = directMessages(yuki).find(
    ({ blocks }) =>
      JSON.stringify(blocks).includes('approval:approve') && /Launch night/.test(JSON.stringify(blocks)),
  )
  await press(yuki, 'approval:approve', request)
  await vi.waitFor(
    async () => {
      upnext.wait({ minutes: 0.1 })
      const { rows } = await upnext.service.pool.query(
        "select state from upnext.outbox_item where form = 'edit' and state in ('sent', 'refused')",
      )
      expect(rows).toHaveLength(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  await upnext.settled()
  expect(await stored()).toContain('Launch night! 26 08:00')
})
