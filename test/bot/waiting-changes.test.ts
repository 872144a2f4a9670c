import { afterEach, describe, expect, it, vi } from 'vitest'
import { directMessages, lastRequest, MAX_WAIT, modalOf, press, sees } from './approval-requests.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import { BAD_POST, openPublishingWorkspace } from './publishing-workspace.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member

const admins: string[] = []
const meet = () => {
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  priya = upnext.person('priya')
  admins.splice(0, admins.length, mara.userId)
}
// It is Friday 20 November 2026, 13:00 in Berlin.
async function open(respond: Respond = () => undefined) {
  const options = { relaxTimeouts: true, disableRateLimits: true, skipsUploadTime: true, admins }
  upnext = await openUpnext({ ...options, respond })
  meet()
}
afterEach(() => upnext.close())

/** From now on, Yuki approves the posts of the project. */
async function requireApproval() {
  await mara.run('/upnext approval')
  const { id } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
  await mara.submitAndHear({ view: id, values }, /need approval/)
}
async function schedule(words: string) {
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, /Scheduled in|Saved as/)
}
const submit = async (member: Member, command: string, title: string, values: Record<string, string>) => {
  await member.run(command)
  const { id } = await member.form(title)
  await member.submitView({ view: id, values: member.fill(values) })
  return id
}
/** Mara's change of her post waits for approval. */
async function askForChange(values: Record<string, string>, member = mara) {
  const view = await submit(member, '/upnext edit launch', 'Edit a post', values)
  await vi.waitFor(() => expect(modalOf(member)).toMatch(/This change is waiting for approval/), MAX_WAIT)
  await member.closeView({ view })
}
async function scheduleAndAskForChange(values: Record<string, string> = { Content: 'Launch night!' }) {
  await schedule('Launch day! tomorrow 9am on X')
  await requireApproval()
  await askForChange(values)
  await sees(yuki, /asks for your approval to change/)
}

const stored = async () =>
  (
    await upnext.service.pool.query(
      "select content, status, to_char(schedule_date, 'DD HH24:MI') as at from service.post order by content",
    )
  ).rows.map(({ content, status, at }) => `${content} ${status} ${at}`)

const seesInForm = (member: Member, words: RegExp) =>
  vi.waitFor(() => expect(modalOf(member)).toMatch(words), MAX_WAIT)

describe('a post whose change waits for approval', () => {
  it('is moved only by someone who has seen the change, and whose move replaces it', async () => {
    await open()
    await scheduleAndAskForChange()
    await submit(priya, '/upnext reschedule launch', 'Reschedule a post', {
      ScheduleDate: 'monday 9am Berlin time',
    })
    await seesInForm(
      priya,
      /A change to this post isn't approved yet: \\"Launch night!\\" · Sat 21 Nov 2026, 09:00\. This would replace it:/,
    )
    expect(await stored()).toEqual(['Launch day! SCHEDULED 21 08:00'])
    await priya.confirm('Replace it')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED 23 08:00']), MAX_WAIT)
    await vi.waitFor(
      () =>
        expect(JSON.stringify(directMessages(mara))).toMatch(
          /<@\w+> changed a post in Acme to \\"Launch day!\\"\. This replaces your change, which hadn't been approved yet/,
        ),
      MAX_WAIT,
    )
    await yuki.runAndHear('/upnext approve', /No posts are waiting/)
  })

  it('is scheduled with its old text by a move only after a question', async () => {
    await open()
    await schedule('Launch dya! tomorrow 9am on X as a draft')
    await requireApproval()
    await askForChange({ Content: 'Launch day!', Status: 'SCHEDULED' })
    await submit(mara, '/upnext reschedule launch', 'Reschedule a post', { ScheduleDate: 'monday 9am' })
    await seesInForm(mara, /A change to this post isn't approved yet: \\"Launch day!\\"/)
    expect(await stored()).toEqual(['Launch dya! DRAFT 21 08:00'])
    await sees(yuki, /Launch day!/)
  })

  it('is not changed by a form that was opened before the change, except after a question', async () => {
    await open()
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await priya.run('/upnext edit launch')
    const { id } = await priya.form('Edit a post')
    await askForChange({ Content: 'Launch night!' })
    await priya.submitView({ view: id, values: priya.fill({ Content: 'Launch week!' }) })
    await seesInForm(priya, /A change to this post isn't approved yet: \\"Launch night!\\"/)
    await priya.confirm('Replace it')
    await sees(yuki, /Launch week!/)
    await sees(
      mara,
      /asked to change a post in Acme to \\"Launch week!\\"\. This replaces your change, which hadn't been approved/,
    )
  })

  it('is not changed without a question if a change arrived while the form was being checked', async () => {
    let answer = () => {}
    const isHeldUp = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isSlow = false
    await open(({ method, url }) => {
      if (!isSlow || method !== 'GET' || !/\/posts\/[\w-]+$/.test(url)) return undefined
      isSlow = false
      return isHeldUp.then(() => undefined)
    })
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await priya.run('/upnext edit launch')
    const { id: view } = await priya.form('Edit a post')
    isSlow = true
    const submitted = priya.submitView({ view, values: priya.fill({ Content: 'Launch week!' }) })
    await vi.waitFor(() => expect(isSlow).toBe(false), MAX_WAIT)
    await askForChange({ Content: 'Launch night!' })
    answer()
    await submitted
    await seesInForm(priya, /A change to this post isn't approved yet: \\"Launch night!\\"/)
  })

  it('is changed without approval by someone who has seen the change', async () => {
    await open()
    await scheduleAndAskForChange()
    await submit(priya, '/upnext edit launch', 'Edit a post', { ScheduleDate: 'monday 9am Berlin time' })
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED 23 08:00']), MAX_WAIT)
    await yuki.runAndHear('/upnext approve', /No posts are waiting/)
  })

  it('is not moved back by Undo', async () => {
    await open()
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await submit(mara, '/upnext reschedule launch', 'Reschedule a post', {
      ScheduleDate: 'monday 9am Berlin time',
    })
    await mara.hears(/Rescheduled/)
    await askForChange({ Content: 'Launch night!' }, priya)
    await mara.pressLast('reschedule:undo')
    await mara.hears(/The post wasn't moved back. A change to this post isn't approved yet: "Launch night!"/)
    expect(await stored()).toEqual(['Launch day! SCHEDULED 23 08:00'])
  })

  it('can be moved to the slot that the change would take', async () => {
    await open()
    await mara.run('/upnext slots weekdays at 9:00')
    const { id } = await mara.form('Slots')
    await mara.submitAndHear({ view: id, values: {} }, /\*Slots of Acme\*/)
    await scheduleAndAskForChange({ Content: 'Launch night!', ScheduleDate: 'monday 9am Berlin time' })
    await submit(mara, '/upnext reschedule launch', 'Reschedule a post', {
      ScheduleDate: 'monday 9am Berlin time',
    })
    await seesInForm(mara, /This would replace it/)
    await mara.confirm('Replace it')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED 23 08:00']), MAX_WAIT)
  })

  it('is cancelled together with the change, whose author reads that', async () => {
    await open()
    await scheduleAndAskForChange()
    await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await priya.pressLast('cancel:confirm')
    await vi.waitFor(async () => expect(await stored()).toEqual([]), MAX_WAIT)
    await vi.waitFor(
      () =>
        expect(JSON.stringify(directMessages(mara))).toMatch(
          /cancelled a post in Acme that you had asked to change to \\"Launch night!\\"/,
        ),
      MAX_WAIT,
    )
  })

  it('is not published again with its old text after it failed', async () => {
    const workspace = await openPublishingWorkspace({ admins })
    upnext = workspace
    meet()
    await workspace.addTelegram()
    workspace.telegram.plan(({ index }) => (index === 0 ? BAD_POST : undefined))
    await workspace.schedule('Launch dya!')
    await workspace.passTo('14:00')
    await workspace.hearOfResults()
    await priya.runAndHear('/upnext retry launch', /Try again/)
    await requireApproval()
    await askForChange({ Content: 'Launch day!', ScheduleDate: 'today 15:00 Berlin time' })
    await priya.pressLast('retry:post')
    await priya.hears(
      /A change to this post isn't approved yet: "Launch day!". Decide on it with `\/upnext approve`/,
    )
    await priya.runAndHear('/upnext retry launch', /Decide on it with `\/upnext approve`/)
    expect(workspace.telegram.sent).toEqual([])
  })
})

describe('a change that waits for approval', () => {
  it('is not posted in the channel, which its author reads', async () => {
    await open()
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await mara.run('/upnext edit launch')
    const { id: view } = await mara.form('Edit a post')
    const values = { ...mara.fill({ Content: 'Launch night!' }), notify: { notify: ['yes'] } }
    await mara.submitView({ view, values })
    await seesInForm(mara, /Nothing is posted in the channel/)
  })

  it('replaces the progress message of its upload', async () => {
    await open()
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await mara.run('/upnext edit launch')
    const { id: view } = await mara.form('Edit a post')
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await mara.submitView({ view, values: mara.fill({ MediaFile: [file] }) })
    await sees(yuki, /asks for your approval to change/)
    await upnext.settled()
    const messages = directMessages(mara).map(({ text }) => text)
    expect(messages.join('\n')).toMatch(/This change is waiting for approval/)
    expect(messages.join('\n')).not.toMatch(/Saving the post/)
  })

  it('is opened again as its author wrote it if an approver only gave a reason', async () => {
    await open()
    const Content = `A long new text. ${'Word by word. '.repeat(15)}The end.`
    await scheduleAndAskForChange({ Content })
    await press(yuki, 'approval:refuse')
    const { id: view } = await yuki.form('Ask for changes')
    await yuki.submitView({ view, values: yuki.fill({ reason: 'Please add a link' }) })
    await sees(mara, /wants you to change/)
    await mara.runAndHear('/upnext approve', /with requested changes/)
    await mara.pressLast('approval:use')
    await mara.form('Edit a post')
    expect(modalOf(mara)).toContain('The end.')
  })

  it('is asked for again with the text that an approver suggests', async () => {
    await open()
    await scheduleAndAskForChange({ Content: 'Launch night!', ScheduleDate: 'monday 9am Berlin time' })
    await press(yuki, 'approval:refuse')
    const { id: view } = await yuki.form('Ask for changes')
    await yuki.submitView({ view, values: yuki.fill({ reason: 'Shorter', suggestion: 'Launch!' }) })
    await sees(mara, /They suggest: \\"Launch!\\"/)
    await mara.runAndHear('/upnext approve', /with requested changes/)
    await mara.pressLast('approval:use')
    const { id } = await mara.form('Edit a post')
    expect(modalOf(mara)).toMatch(/Saving replaces it/)
    await mara.submitView({ view: id, values: {} })
    await vi.waitFor(() => expect(modalOf(mara)).toMatch(/This change is waiting for approval/), MAX_WAIT)
    await sees(yuki, /Launch!/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch! SCHEDULED 23 08:00']), MAX_WAIT)
  })
})

describe('a post whose text comes from a template', () => {
  const addTemplate = async (title: string, content: string) =>
    upnext.service.pool.query(
      'insert into service.template (project_id, title, content) values ($1, $2, $3)',
      [upnext.project, title, content],
    )
  async function pickTemplate(member: Member, values: Record<string, string>) {
    const { container, ...picked } = await member.pick('TemplateId', 'Opening')
    const { view } = container
    await member.submitView({ view, values: { ...picked.values, ...member.fill(values) } })
  }

  it("can't be approved, and warns its author and the approver", async () => {
    await open()
    await addTemplate('Opening', 'We are open!')
    await requireApproval()
    await priya.run('/schedule-post tomorrow 9am Berlin time on X')
    await priya.form('Schedule a post')
    await pickTemplate(priya, { Content: '' })
    await seesInForm(
      priya,
      /Nobody can approve this post, because its text comes from a template or a prompt/,
    )
    await priya.confirm('Schedule anyway')
    await sees(yuki, /\(text from a template\)/)
    await sees(yuki, /This post can't be approved, because its text comes from a template/)
    expect(JSON.stringify(lastRequest(yuki))).not.toMatch(/approval:approve/)
    await yuki.runAndHear('/upnext approve', /This post can't be approved/)
    expect(yuki.lastText()).not.toMatch(/approval:approve"/)
    await submit(priya, '/upnext edit', 'Edit a post', { Content: 'We are open!' })
    await sees(yuki, /Before:.* \(text from a template\).*Now:.* We are open!/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      async () => expect(await stored()).toEqual(['We are open! SCHEDULED 21 08:00']),
      MAX_WAIT,
    )
  })
})

describe('a change that shares a slot on purpose', () => {
  it('is made once it is approved', async () => {
    await open()
    await mara.run('/upnext slots weekdays at 9:00')
    const { id } = await mara.form('Slots')
    await mara.submitAndHear({ view: id, values: {} }, /\*Slots of Acme\*/)
    await schedule('Sale! monday 9am Berlin time on X')
    await schedule('Launch day! tomorrow 9am on X')
    await requireApproval()
    await submit(mara, '/upnext edit launch', 'Edit a post', {
      Content: 'Launch night!',
      ScheduleDate: 'monday 9am Berlin time',
    })
    await seesInForm(mara, /This slot is taken on X/)
    await mara.confirm('Save anyway')
    await sees(yuki, /Launch night!/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      async () =>
        expect(await stored()).toEqual(['Launch night! SCHEDULED 23 08:00', 'Sale! SCHEDULED 23 08:00']),
      MAX_WAIT,
    )
  })
})

it('an edit that was corrected in the outbox does not replace its correction', async () => {
  let isLimited = false
  const slowDown = () => Response.json({}, { status: 429, headers: { 'retry-after': '300' } })
  await open(({ method, url }) =>
    isLimited && method === 'GET' && /\/posts\/[\w-]+$/.test(url) ? slowDown() : undefined,
  )
  await schedule('Launch day! monday 9am on X')
  await requireApproval()
  await mara.run('/upnext edit launch')
  const { id: view } = await mara.form('Edit a post')
  isLimited = true
  const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
  await mara.submitView({ view, values: mara.fill({ Content: 'Launch dya with lamp!', MediaFile: [file] }) })
  const states = async () =>
    (await upnext.service.pool.query("select state from upnext.outbox_item where form = 'edit'")).rows.map(
      ({ state }) => state,
    )
  // The file is uploaded first, a step at a time. Then the edit waits for five minutes.
  for (let step = 0; step < 20 && (await states()).join() !== 'queued'; step++) {
    await upnext.settled()
    upnext.wait({ minutes: 0.1 })
  }
  expect(await states()).toEqual(['queued'])
  isLimited = false
  await mara.runAndHear('/upnext outbox', /Launch dya with lamp!/)
  await mara.pressLast('outbox:edit')
  const edit = await mara.form('Edit a post')
  await mara.submitView({ view: edit.id, values: mara.fill({ Content: 'Launch day with lamp!' }) })
  await sees(yuki, /Launch day with lamp!/)
  await upnext.settled()
  expect(await states()).toEqual(['held'])
})
