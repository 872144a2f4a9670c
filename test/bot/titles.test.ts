import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import type { Db } from '../../src/service/stores/tables.ts'
import { planner } from './planner.ts'
import { openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

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

const buttonOf = ({ blocks }: { blocks: { block_id?: string }[] }, action_id: string) => {
  const block = blocks.find((candidate) => JSON.stringify(candidate).includes(`"${action_id}"`))
  const { elements = [] } = block as { elements?: { action_id: string; value: string }[] }
  const { value = '' } = elements.find((element) => element.action_id === action_id) ?? {}
  return { block_id: block?.block_id ?? '', action_id, value }
}
const saveAndConnect = async (db: Db, place: { project_id: string; platform: 'REDDIT' }) => {
  const account = { publisher: 'POSTIZ', name: 'Acme', settings: '{}', target: 'channel' } as const
  await connectAccount(
    db,
    await saveAccount(db, { ...account, ...place, credentials: null, checked_at: upnext.now() }),
  )
}

const REDDIT = 'Launch day! tomorrow 9am on Reddit and X'

describe('the title of a post', () => {
  beforeEach(() => open())

  it('can be entered for the platforms that have titles, and is shown with the post', async () => {
    const { mara, form } = await startPost(REDDIT)
    expect(titlesShown(form)).toEqual(['Titles.REDDIT'])
    const values = mara.fill({ 'Titles.REDDIT': 'Lamps for <spring>' })
    await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
    expect(mara.lastText()).toContain('Title on Reddit: Lamps for &lt;spring&gt;')
    expect(await storedTitles()).toEqual([{ REDDIT: 'Lamps for <spring>' }])
  })

  it('is optional', async () => {
    const { mara, form } = await startPost(REDDIT)
    await mara.submitAndHear({ view: form.id, values: {} }, /Scheduled in/)
    expect(mara.lastText()).not.toContain('Title on')
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

  it("is required by the service for a post without text, and the error is under the platform's title", async () => {
    const { service, project: project_id } = upnext
    await saveAndConnect(service.db, { project_id, platform: 'REDDIT' })
    const { mara, form } = await startPost('tomorrow 9am on Reddit https://cdn.example/lamp.jpg')
    const response = await mara.submitView({ view: form.id, values: {} })
    expect(response).toMatchObject({
      errors: { 'Titles.REDDIT': 'enter a title, or enter text to use its first line as the title' },
    })
  })

  it('is copied by Duplicate', async () => {
    const { mara, form } = await startPost(REDDIT)
    const values = mara.fill({ 'Titles.REDDIT': 'Lamps for spring' })
    await mara.submitAndHear({ view: form.id, values }, /Scheduled in/)
    await mara.run('/upnext edit launch')
    const edit = await mara.form('Edit a post')
    await mara.dispatchAction({
      container: { view: edit.id },
      ...buttonOf(edit, 'edit:duplicate'),
    })
    const copy = await mara.form('Schedule a post')
    const later = mara.fill({ ScheduleDate: 'in 3 days' })
    await mara.submitAndHear({ view: copy.id, values: later }, /Scheduled in/)
    expect(await storedTitles()).toEqual([{ REDDIT: 'Lamps for spring' }, { REDDIT: 'Lamps for spring' }])
  })

  it('is shown in the preview, as is the first line without one', async () => {
    const { mara, form } = await startPost('Launch day! tomorrow 9am on Reddit')
    await mara.submitAndHear({ view: form.id, values: {} }, /Scheduled in/)
    await mara.runAndHear('/upnext preview launch', /title: Launch day!/)
  })

  it('keeps a day of many posts within the blocks of a message', async () => {
    for (let count = 1; count <= 14; count++)
      await upnext.service.pool.query(
        `insert into service.post (project_id, content, platforms, schedule_date, timezone, status, titles)
         values ($1, $2, '{REDDIT}', $3::timestamptz + interval '2 hours', 'UTC', 'SCHEDULED', '{"REDDIT": "Lamps"}')`,
        [upnext.project, `Post no. ${count}`, upnext.now()],
      )
    await upnext.person('mara').runAndHear('/upnext week', /Post no\. 14/)
  })
})

it("has no field on a service that doesn't publish", async () => {
  respond = withoutExtensions
  await open()
  const { form } = await startPost(REDDIT)
  expect(titlesShown(form)).toEqual([])
})

it('warns of a post that has only a prompt', async () => {
  await open()
  const mara = upnext.person('mara')
  await mara.run('/upnext prompt')
  const { id } = await mara.form('Create a prompt')
  const prompt = mara.fill({ Title: 'Puns', PromptText: 'Write three puns.' })
  await mara.submitAndHear({ view: id, values: prompt }, /Saved the prompt/)
  await mara.pressLast('prompt:use')
  const form = await mara.form('Schedule a post')
  const when = mara.fill({ ScheduleDate: 'tomorrow 9am', Platforms: ['X'] })
  await mara.submitView({ view: form.id, values: when })
  expect(JSON.stringify(mara.state().views.at(-1))).toMatch(/This post has only a prompt/)
})

describe('a platform without an account', () => {
  it.each([
    [false, /Reddit and X aren't connected: posts will only be marked as published there\./],
    [true, /Reddit and X aren't connected, and posts need an account\./],
  ])('is named in the form, whether accounts are required (%s) or not', async (requireAccounts, words) => {
    await open({ publishing: { requireAccounts } })
    // The form that is opened first asks for the accounts.
    await startPost(REDDIT)
    await upnext.settled()
    await vi.waitFor(
      async () => expect(JSON.stringify((await startPost(REDDIT)).form)).toMatch(words),
      MAX_WAIT,
    )
  })

  it('is named in the review of a plan', async () => {
    await open()
    const mara = upnext.person('mara')
    const { importText, seesReview } = planner(() => ({ upnext, mara }))
    await importText('Launch day! tomorrow 9am on Reddit and X\nA draft on Telegram, draft')
    await seesReview(/Reddit and X aren't connected: posts will only be marked as published there\./)
  })

  it('is listed for admins as one whose posts are rejected', async () => {
    await open({ publishing: { requireAccounts: true } })
    const mara = upnext.person('mara')
    await mara.runAndHear('/upnext accounts', /Not connected: .*Instagram.*New posts for them are rejected/)
  })
})
