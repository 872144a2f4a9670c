import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { MODULES } from '../../src/bot/features/index.ts'
import { listForms } from '../../src/bot/forms/form.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

const forms = listForms(MODULES)

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  respond = () => undefined
  for (const { id } of mara.state().views.toReversed()) await mara.closeView({ view: id })
  await upnext.settled()
  await upnext.service.pool.query('delete from service.post')
})
afterAll(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
  // One of the tests makes Slack fail.
  expect(problems.filter((problem) => problem !== 'internal_error')).toEqual([])
  await upnext.close()
})

const topView = () => mara.state().views.at(-1)
const topText = () => JSON.stringify(topView()?.blocks)
const listContents = async () =>
  (await upnext.service.pool.query('select content from service.post order by content')).rows.map(
    ({ content }) => content,
  )
const addPost = (content: string, date = '2026-11-27T17:00Z') =>
  insertPost(upnext.service.db, {
    project_id: upnext.project,
    content,
    media: null,
    timezone: 'Europe/Berlin',
    platforms: ['X'],
    status: 'SCHEDULED',
    schedule_date: new Date(date),
  })

const LONG_TEXT = 'b'.repeat(281)

/** Submits a form whose text is too long for X. */
async function submitLongText() {
  await mara.run('/schedule-post tomorrow 9am on X')
  const form = await mara.form('Schedule a post')
  const values = mara.fill({ Content: LONG_TEXT })
  expect(await mara.submitView({ view: form.id, values })).toEqual({ done: true })
  expect(topText()).toContain(':warning: X: 1 over the 280 limit')
  return { form, values }
}

async function openEdit(content: string) {
  await addPost(content)
  await mara.run(`/upnext edit ${content}`)
  return mara.form('Edit a post')
}

describe('a warning', () => {
  it('opens alone above the form, with the post and a button that names the action', async () => {
    await submitLongText()
    expect(mara.state().views).toHaveLength(2)
    expect(topView()?.submit?.text).toBe('Schedule anyway')
    expect(topText()).toMatch(/b{199}….* · X.*\*When\*: Sat 21 Nov, 09:00 Berlin/)
    expect(topText()).not.toContain('"input"')
  })

  it('is not confirmed by the second click of a double click', async () => {
    await submitLongText()
    const warning = topView()?.id ?? ''
    expect(await mara.submitUnseen({ view: warning, values: {} })).toEqual({ done: true })
    expect(topView()?.id).toBe(warning)
    expect(topText()).toContain(':warning: X: 1 over the 280 limit')
    expect(await listContents()).toEqual([])
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    expect(await listContents()).toEqual([LONG_TEXT])
    expect(mara.state().views).toEqual([])
  })

  it('is not confirmed by the second click of a double click when the service is slow', async () => {
    respond = ({ method, url }) => {
      if (method === 'GET' && url.includes('/posts')) upnext.wait({ minutes: 0.05 })
      return undefined
    }
    await submitLongText()
    expect(await mara.submitUnseen({ view: topView()?.id ?? '', values: {} })).toEqual({ done: true })
    expect(topView()?.submit?.text).toBe('Schedule anyway')
    expect(await listContents()).toEqual([])
  })

  it('closes with its form if the form was sent but Slack missed the response', async () => {
    await submitLongText()
    await upnext.service.pool.query("update upnext.open_form set form = 'submitted', submitted_view = null")
    await mara.confirm('Schedule anyway')
    expect(mara.state().views).toEqual([])
    expect(await listContents()).toEqual([])
  })

  it('stays open if something goes wrong', async () => {
    await submitLongText()
    await upnext.service.pool.query('alter table upnext.open_form rename to missing')
    await mara.confirm('Schedule anyway')
    await upnext.service.pool.query('alter table upnext.missing rename to open_form')
    expect(topText()).toMatch(/Something went wrong.*1 over the 280 limit/)
    await mara.confirm('Schedule anyway')
    expect(await listContents()).toEqual([LONG_TEXT])
  })

  it('leads back to the form, which asks again when submitted', async () => {
    const { form, values } = await submitLongText()
    await mara.closeView({ view: topView()?.id ?? '' })
    expect(topView()?.id).toBe(form.id)
    upnext.wait({ minutes: 1 })
    expect(await mara.submitView({ view: form.id, values })).toEqual({ done: true })
    expect(topView()?.submit?.text).toBe('Schedule anyway')
    expect(await listContents()).toEqual([])
  })

  it('asks again if another warning has come up', async () => {
    await submitLongText()
    await addPost(LONG_TEXT)
    await upnext.service.pool.query("update service.post set schedule_date = '2026-11-21T10:00Z'")
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    expect(topText()).toMatch(/1 over the 280 limit.*already scheduled on X/)
    expect(await mara.submitUnseen({ view: topView()?.id ?? '', values: {} })).toEqual({ done: true })
    expect(await listContents()).toHaveLength(1)
    await mara.confirm('Schedule anyway')
    await mara.hears(/You confirmed this warning: X: 1 over.*You confirmed this warning: The same text/s)
    expect(await listContents()).toHaveLength(2)
  })

  it('is mentioned in the message if the post goes out later', async () => {
    await submitLongText()
    respond = ({ method }) => (method === 'POST' ? new Response(null, { status: 503 }) : undefined)
    await mara.confirm('Schedule anyway')
    await vi.waitFor(() => expect(topText()).toContain('*Saved.*'), { timeout: 60_000, interval: 20 })
    expect(mara.state().views).toHaveLength(1)
    respond = () => undefined
    upnext.wait({ minutes: 1 })
    await mara.hears(/Done, after a delay.*You confirmed this warning: X: 1 over the 280 limit/s)
  })

  it("can only be confirmed by its own user, for a form that isn't sent yet", async () => {
    const { form } = await submitLongText()
    await upnext.service.pool.query("update upnext.open_form set user_id = 'U0OTHER'")
    await mara.confirm('Schedule anyway')
    expect(topText()).toContain('Go back to the form and submit it again.')
    expect(await listContents()).toEqual([])
    expect(mara.state().views[0]?.id).toBe(form.id)
  })
})

describe('the form behind a confirmation', () => {
  it("shows the service's errors, with everything that was typed", async () => {
    const { form } = await submitLongText()
    respond = ({ method }) =>
      method === 'POST'
        ? Response.json(
            { detail: [{ loc: ['body', 'Content'], msg: 'Too dull', type: 'x' }] },
            { status: 422 },
          )
        : undefined
    await mara.confirm('Schedule anyway')
    await vi.waitFor(() => expect(topView()?.id).toBe(form.id), { timeout: 60_000, interval: 20 })
    expect(topText()).toMatch(/:warning: Too dull.*b{281}/)
    respond = () => undefined
    await mara.submitUnseen({ view: form.id, values: {} })
    await mara.confirm('Schedule anyway')
    expect(await listContents()).toEqual([LONG_TEXT])
  })

  it('keeps the confirmation if Slack does not say who the user is', async () => {
    await submitLongText()
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 3 })
    await mara.confirm('Schedule anyway')
    expect(topText()).toMatch(/Couldn't check with Slack.*1 over the 280 limit/)
    upnext.slack.controls.clearFaults()
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    expect(await listContents()).toEqual([LONG_TEXT])
  })
})

describe('a date that the form has not shown yet', () => {
  it('is shown with the time that it replaces', async () => {
    await addPost('Launch day!')
    await mara.run('/upnext reschedule launch')
    const { id } = await mara.form('Reschedule a post')
    await mara.submitUnseen({ view: id, values: mara.fill({ ScheduleDate: 'tomorrow 9pm' }) })
    expect(topText()).toContain('Sat 21 Nov, 21:00 Berlin')
    expect(await mara.confirm('Move')).toEqual({ done: true })
    await mara.hears(/Sat 21 Nov, 21:00 Berlin/)
  })
})

it('also asks to confirm warnings when a post is edited', async () => {
  const { id } = await openEdit('Launch day!')
  await mara.submitView({ view: id, values: mara.fill({ Content: 'Hello {name}' }) })
  expect(topText()).toContain('The text still contains {name}.')
  await mara.confirm('Save anyway')
  expect(await listContents()).toEqual(['Hello {name}'])
})

describe("someone else's changes", () => {
  it('are shown with the name of their author, and replaced only when confirmed', async () => {
    const { id } = await openEdit('Launch day!')
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext edit launch')
    const other = await yuki.form('Edit a post')
    await yuki.submitAndHear(
      { view: other.id, values: yuki.fill({ Content: 'Lunch day!' }) },
      'Saved the changes',
    )
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
    expect(topText()).toMatch(
      /@yuki changed this post\. It is now: .*Lunch day!.* You're about to replace it with:.*Launch week!/,
    )
    await mara.submitUnseen({ view: topView()?.id ?? '', values: {} })
    expect(await listContents()).toEqual(['Lunch day!'])
    await mara.confirm('Replace this text')
    await mara.hears(
      /Saved the changes.*Launch week!.*@yuki had changed this post\. You replaced that version/s,
    )
    expect(await listContents()).toEqual(['Launch week!'])
  })

  it.each([
    ["status = 'DRAFT'", 'a draft'],
    ["media = 'https://acme.example/new.png'", 'with https://acme.example/new.png'],
  ])('are shown if only %s has changed', async (change, shown) => {
    const { id } = await openEdit('Launch day!')
    await upnext.service.pool.query(`update service.post set ${change}, version = version + 1`)
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
    expect(topText()).toMatch(new RegExp(`It is now: .*Launch day!.* · ${shown}\\. You're about to`))
  })

  it('count as the previous version in the question, the confirmation and Undo', async () => {
    const { id } = await openEdit('Launch day!')
    const later = "schedule_date = '2026-11-27T19:00Z', version = version + 1"
    await upnext.service.pool.query(`update service.post set ${later}`)
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'Fri 27 Nov 2026, 21:00 Berlin' }) })
    expect(topText()).toMatch(/You're about to move it:.*Moves from Fri 27 Nov 2026, 20:00 to .* 21:00/)
    await mara.confirm('Move anyway')
    await mara.hears(/Moved from Fri 27 Nov, 20:00.*Someone else had changed this post before you moved it/s)
    await mara.pressLast('reschedule:undo')
    await mara.hears(/Moved back.*Fri 27 Nov, 20:00/s)
  })

  it('are not attributed to someone who only shared the post', async () => {
    const { id } = await openEdit('Launch day!')
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext share launch')
    const share = await yuki.form('Share a post')
    await yuki.submitView({ view: share.id, values: {} })
    await upnext.service.pool.query("update service.post set content = 'Lunch day!', version = version + 1")
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
    expect(topText()).toContain('Someone else changed this post.')
  })

  it('are also shown if the user made them in another form', async () => {
    const { id } = await openEdit('Launch day!')
    const window = upnext.person('mara')
    await window.run('/upnext edit launch')
    const other = await window.form('Edit a post')
    await window.submitAndHear(
      { view: other.id, values: window.fill({ Content: 'Lunch day!' }) },
      'Saved the changes',
    )
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
    expect(topText()).toContain('You changed this post.')
  })

  it('are shown again if the post has changed once more', async () => {
    const { id } = await openEdit('Launch day!')
    await upnext.service.pool.query("update service.post set content = 'Lunch day!', version = version + 1")
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })
    await upnext.service.pool.query("update service.post set content = 'Brunch day!', version = version + 1")
    await mara.confirm('Replace this text')
    expect(topText()).toMatch(/It is now: .*Brunch day!.* You're about to replace it with:/)
    expect(await listContents()).toEqual(['Brunch day!'])
  })
})

it('has no button label that is longer than Slack allows', () => {
  const labels = forms.flatMap(({ submitLabel, fields }) =>
    typeof submitLabel === 'string'
      ? [submitLabel]
      : ['SCHEDULED', 'DRAFT', 'HELD'].map((Status) =>
          submitLabel(fields.Status ? { Status } : {}, undefined),
        ),
  )
  expect(labels.length).toBeGreaterThan(8)
  expect(labels.map((label) => `${label} anyway`).filter((label) => label.length > 24)).toEqual([])
})

describe('a moved post', () => {
  const openReschedule = async () => {
    await addPost('Launch day!')
    await mara.run('/upnext reschedule launch')
    return mara.form('Reschedule a post')
  }
  const move = async (words: string) => {
    const { id } = await openReschedule()
    await mara.submitAndHear({ view: id, values: mara.fill({ ScheduleDate: words }) }, 'Rescheduled in Acme')
  }
  const scheduledAt = async (): Promise<string> =>
    (
      await upnext.service.pool.query('select schedule_date from service.post')
    ).rows[0].schedule_date.toISOString()

  // The post goes out on Friday 27 November at 18:00 in Berlin. It is Friday 20 November, 13:00 there.
  it.each([
    ['9pm', '2026-11-27T20:00:00.000Z'],
    ['saturday', '2026-11-21T17:00:00.000Z'],
    ['same time saturday', '2026-11-21T17:00:00.000Z'],
    ['2 hours later', '2026-11-27T19:00:00.000Z'],
    ['a day earlier', '2026-11-26T17:00:00.000Z'],
    ['in 2 hours', /^2026-11-20T14:0/],
    ['tonight 9pm', '2026-11-20T20:00:00.000Z'],
    ['1 december 10:00', '2026-12-01T09:00:00.000Z'],
  ])('reads "%s" relative to its own time or to now', async (words, expected) => {
    await move(words)
    expect(await scheduledAt()).toMatch(expected)
  })

  it('shows its old time next to the new one, in the form and in the confirmation', async () => {
    const { id } = await openReschedule()
    const values = mara.fill({ ScheduleDate: '9pm' })
    await mara.submitUnseen({ view: id, values })
    expect(topText()).toContain('Moves from Fri 27 Nov 2026, 18:00 to Fri 27 Nov, 21:00 Berlin')
    await mara.confirm('Move')
    await mara.hears(/Fri 27 Nov, 21:00.*Moved from Fri 27 Nov, 18:00.*Undo/s)
  })

  it('is moved back with Undo', async () => {
    await move('9pm')
    await mara.pressLast('reschedule:undo')
    await mara.hears(/Moved back.*Fri 27 Nov, 18:00/s)
    expect(await scheduledAt()).toBe('2026-11-27T17:00:00.000Z')
  })

  it('is moved back once, however often Undo is pressed, in place of the message', async () => {
    const countUndoButtons = () => JSON.stringify(mara.state().messages).split('reschedule:undo').length
    const before = countUndoButtons()
    await move('9pm')
    const press = () => mara.pressLast('reschedule:undo')
    await Promise.all([press(), press()])
    await upnext.settled()
    await mara.hears('Moved back')
    await vi.waitFor(() => expect(countUndoButtons()).toBe(before), { timeout: 60_000, interval: 20 })
    expect(await scheduledAt()).toBe('2026-11-27T17:00:00.000Z')
  })

  it('has no Undo if it became a draft', async () => {
    const { id } = await openEdit('Launch day!')
    const values = mara.fill({ ScheduleDate: '9pm', Status: 'DRAFT' })
    await mara.submitAndHear({ view: id, values }, 'Saved the changes')
    expect(mara.lastText()).not.toMatch(/Undo|Moved from/)
  })

  it('is shown and checked as a whole if it was a draft', async () => {
    await addPost('Hello {name}')
    const media = 'https://acme.example/lamp.jpg'
    await upnext.service.pool.query("update service.post set status = 'DRAFT', media = $1", [media])
    await mara.run('/upnext reschedule hello')
    const form = await mara.form('Reschedule a post')
    expect(JSON.stringify(form.blocks)).toContain(`Hello {name}\\" · X · with ${media}`)
    expect(form.submit?.text).toBe('Schedule')
    await mara.submitView({ view: form.id, values: mara.fill({ ScheduleDate: '9pm' }) })
    expect(topText()).toContain('The text still contains {name}.')
    await mara.confirm('Schedule anyway')
    await mara.hears('Rescheduled in Acme')
  })

  it('is not scheduled unchecked if it was a draft', async () => {
    await addPost('Hello {name}')
    await upnext.service.pool.query("update service.post set status = 'DRAFT'")
    await mara.run('/upnext reschedule hello')
    const form = await mara.form('Reschedule a post')
    respond = ({ method }) => (method === 'GET' ? new Response(null, { status: 503 }) : undefined)
    await mara.submitView({ view: form.id, values: mara.fill({ ScheduleDate: '9pm' }) })
    expect(topText()).toContain("This draft couldn't be checked in time.")
  })

  it('is compared with the posts around its new time', async () => {
    const { id } = await openReschedule()
    await addPost('Launch day!', '2026-12-10T17:00Z')
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: '10 december 9pm' }) })
    expect(topText()).toContain('The same text is already scheduled on X')
  })

  it('is not moved back if someone has changed it since', async () => {
    await move('9pm')
    await upnext.service.pool.query("update service.post set content = 'Lunch day!', version = version + 1")
    await mara.pressLast('reschedule:undo')
    await mara.hears("This post was changed after the move, so it wasn't moved back.")
    expect(await scheduledAt()).toBe('2026-11-27T20:00:00.000Z')
  })

  it('is not moved back after ten minutes', async () => {
    await move('9pm')
    upnext.wait({ minutes: 11 })
    await mara.pressLast('reschedule:undo')
    await mara.hears('A move can only be undone for 10 minutes.')
    expect(await scheduledAt()).toBe('2026-11-27T20:00:00.000Z')
  })

  it('has no Undo after an edit that keeps its time', async () => {
    const { id } = await openEdit('Launch day!')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch week!' }) },
      'Saved the changes',
    )
    expect(mara.lastText()).not.toMatch(/Undo|Moved from/)
  })

  it('has an Undo after an edit of its time', async () => {
    const { id } = await openEdit('Launch day!')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ ScheduleDate: '9pm' }) },
      /Moved from .*18:00.*Undo/s,
    )
    expect(await scheduledAt()).toBe('2026-11-27T20:00:00.000Z')
  })
})
