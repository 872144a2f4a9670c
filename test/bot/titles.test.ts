import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let respond: Respond = () => undefined

const open = async (options: Parameters<typeof openUpnext>[0] = {}) => {
  upnext = await openUpnext({ respond: (request) => respond(request), ...options })
}
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
  respond = () => undefined
})

/** Opens the form for a post. */
const startPost = async (words: string) => {
  const mara = upnext.person('mara')
  await mara.run(`/schedule-post ${words}`)
  return { mara, form: await mara.form('Schedule a post') }
}
const blockIds = (view: { blocks: { block_id?: string }[] }) => view.blocks.map(({ block_id }) => block_id)
const titlesShown = (view: Parameters<typeof blockIds>[0]) =>
  blockIds(view).filter((id) => id?.startsWith('Titles.'))
const storedTitles = async () =>
  (await upnext.service.pool.query('select titles from service.post')).rows.map(({ titles }) => titles)

const REDDIT = 'Launch day! tomorrow 9am on Reddit and X'

describe('the title of a post', () => {
  beforeEach(() => open())

  it('can be entered for the platforms that have titles, and is shown with the post', async () => {
    const { mara, form } = await startPost(REDDIT)
    expect(titlesShown(form)).toEqual(['Titles.REDDIT'])
    const values = mara.fill({ 'Titles.REDDIT': 'Lamps for <spring>' })
    await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
    expect(mara.told()).toContain('Title on Reddit: Lamps for &lt;spring&gt;')
    expect(await storedTitles()).toEqual([{ REDDIT: 'Lamps for <spring>' }])
  })

  it('is optional', async () => {
    const { mara, form } = await startPost(REDDIT)
    await mara.submitAndHear({ view: form.id, values: {} }, /Scheduled in/)
    expect(mara.told()).not.toContain('Title on')
    expect(await storedTitles()).toEqual([null])
  })

  it('is kept by an edit and by a move', async () => {
    const { mara, form } = await startPost(REDDIT)
    const values = mara.fill({ 'Titles.REDDIT': 'Lamps for spring' })
    await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
    await mara.run('/upnext edit launch')
    const edit = await mara.form('Edit a post')
    const changed = mara.fill({ Content: 'Launch week!' })
    await mara.submitAndHear({ view: edit.id, values: changed }, /Saved the changes/)
    expect(await storedTitles()).toEqual([{ REDDIT: 'Lamps for spring' }])
    await mara.run('/upnext reschedule launch')
    const move = await mara.form('Reschedule a post')
    const later = mara.fill({ ScheduleDate: 'tomorrow 11am' })
    await mara.submitAndHear({ view: move.id, values: later }, /Rescheduled in/)
    expect(await storedTitles()).toEqual([{ REDDIT: 'Lamps for spring' }])
  })

  it('can be removed', async () => {
    const { mara, form } = await startPost(REDDIT)
    const values = mara.fill({ 'Titles.REDDIT': 'Lamps for spring' })
    await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
    await mara.run('/upnext edit launch')
    const edit = await mara.form('Edit a post')
    await mara.submitAndHear(
      { view: edit.id, values: mara.fill({ 'Titles.REDDIT': '' }) },
      /Saved the changes/,
    )
    expect(await storedTitles()).toEqual([null])
  })

  it("is checked by the service, and the error is under the platform's title", async () => {
    const words = 'Launch day! tomorrow 9am on Pinterest https://cdn.example/lamp.jpg'
    const { mara, form } = await startPost(words)
    const values = mara.fill({ 'Titles.PINTEREST': 'x'.repeat(101) })
    const response = await mara.submitView({ view: form.id, values })
    expect(response).toMatchObject({
      errors: { 'Titles.PINTEREST': 'String should have at most 100 characters' },
    })
  })
})

it("has no field on a service that doesn't publish", async () => {
  respond = withoutExtensions
  await open()
  const { form } = await startPost(REDDIT)
  expect(titlesShown(form)).toEqual([])
})

describe('a platform without an account', () => {
  it.each([
    [false, /Reddit and X aren't connected: the post will only be marked as published there\./],
    [true, /Reddit and X aren't connected, and posts need an account\./],
  ])('is named in the form if accounts are required (%s)', async (requireAccounts, words) => {
    await open({ publishing: { requireAccounts } })
    // The form that is opened first asks for the accounts.
    await startPost(REDDIT)
    await upnext.settled()
    await vi.waitFor(async () => expect(JSON.stringify((await startPost(REDDIT)).form)).toMatch(words))
  })

  it('is listed for admins as one whose posts are rejected', async () => {
    await open({ publishing: { requireAccounts: true } })
    const mara = upnext.person('mara')
    await mara.runAndHear('/upnext accounts', /Not connected, so posts are rejected: Instagram/)
  })
})
