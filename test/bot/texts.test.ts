import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const open = async () => {
  upnext = await openUpnext({ disableRateLimits: true, respond: (request) => respond(request) })
  mara = upnext.person('mara')
}
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
  respond = () => undefined
})

const shown = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
const textsShown = () =>
  mara
    .state()
    .views.at(-1)
    ?.blocks.flatMap(({ block_id }) => (block_id?.startsWith('Texts.') ? [block_id] : []))

/** Opens the form, and gives each platform its own text. */
const vary = async (words = 'Launch day! tomorrow 9am on LinkedIn, X and Threads') => {
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  expect(textsShown()).toEqual([])
  await mara.dispatchAction({
    container: { view: id },
    block_id: 'offer',
    action_id: 'change:schedule:offer',
  })
  await vi.waitFor(
    () => expect(textsShown()).toEqual(['Texts.LINKEDIN', 'Texts.X', 'Texts.THREADS']),
    MAX_WAIT,
  )
  return id
}
const stored = async () =>
  (await upnext.service.pool.query('select content, texts, platforms from service.post order by content'))
    .rows
const setClearedText = { 'Texts.THREADS': '' }

describe('a text for each platform', () => {
  beforeEach(open)

  it('begins as the common text, and belongs to one post', async () => {
    const view = await vary()
    expect(shown()).not.toContain('offer')
    const values = mara.fill({
      'Texts.X': 'Launch!',
      'Texts.LINKEDIN': 'We launch <today>.',
      ...setClearedText,
    })
    await mara.submitAndHear({ view, values }, /Scheduled in/)
    expect(mara.lastText()).toMatch(/Text on LinkedIn: We launch &lt;today&gt;\.\s*Text on X: Launch!/)
    expect(await stored()).toEqual([
      {
        content: 'Launch day!',
        texts: { LINKEDIN: 'We launch <today>.', X: 'Launch!' },
        platforms: expect.arrayContaining(['LINKEDIN', 'X', 'THREADS']),
      },
    ])
    await mara.runAndHear('/upnext preview launch', /LinkedIn.*We launch.*Threads.*Launch day!/s)
    await mara.runAndHear('/upnext find launch!', /Launch day!/)
  })

  it('is checked against the limit of its platform only', async () => {
    const view = await vary()
    const long = mara.fill({ 'Texts.LINKEDIN': 'a'.repeat(300), 'Texts.THREADS': 'b'.repeat(501) })
    const response = await mara.submitView({ view, values: long })
    expect(response).toMatchObject({ errors: { 'Texts.THREADS': expect.stringMatching(/Threads: 1 over/) } })
    expect(response).not.toMatchObject({ errors: { 'Texts.LINKEDIN': expect.anything() } })
  })

  it('is changed, moved and cancelled with its post, and dropped with its platform', async () => {
    const view = await vary()
    await mara.submitAndHear({ view, values: mara.fill({ 'Texts.X': 'Launch!' }) }, /Scheduled in/)
    await mara.run('/upnext reschedule launch')
    const move = await mara.form('Reschedule a post')
    const later = mara.fill({ ScheduleDate: 'tomorrow 11am' })
    await mara.submitAndHear({ view: move.id, values: later }, /Rescheduled in/)
    await mara.run('/upnext edit launch')
    const edit = await mara.form('Edit a post')
    const changed = mara.fill({ 'Texts.X': 'Launch now!', Platforms: ['X', 'THREADS'] })
    await mara.submitAndHear({ view: edit.id, values: changed }, /Saved the changes/)
    expect(await stored()).toMatchObject([{ texts: { X: 'Launch now!' }, platforms: ['X', 'THREADS'] }])
  })
})

describe('texts for a service whose posts have one text', () => {
  beforeEach(async () => {
    respond = withoutExtensions
    await open()
  })

  const TWO_POSTS = [
    { content: 'Launch day!', texts: null, platforms: ['LINKEDIN', 'THREADS'] },
    { content: 'Launch!', texts: null, platforms: ['X'] },
  ]

  it('become several posts, as the form explains', async () => {
    const view = await vary()
    await mara.submitView({ view, values: mara.fill({ 'Texts.X': 'Launch!', ...setClearedText }) })
    await vi.waitFor(
      () => expect(shown()).toMatch(/can't vary a post's text by platform\. So Upnext is sending 2 posts/),
      MAX_WAIT,
    )
    await mara.hears(/Scheduled in[\s\S]*Launch!/)
    expect(await stored()).toEqual(TWO_POSTS)
  })

  it('become as many posts after a double click', async () => {
    const view = await vary()
    const values = mara.fill({ 'Texts.X': 'Launch!' })
    await Promise.all([mara.submitView({ view, values }), mara.submitView({ view, values })])
    await mara.hears(/Scheduled in[\s\S]*Launch!/)
    await upnext.settled()
    expect(await stored()).toEqual(TWO_POSTS)
  })

  it('are each in a slot of their platform, or none of them is', async () => {
    await mara.run('/upnext slots mondays at 9:00 Berlin')
    const { id } = await mara.form('Slots')
    await mara.submitAndHear({ view: id, values: {} }, /\*Slots of Acme\*/)
    const view = await vary('Launch day! monday 9am on LinkedIn, X and Threads')
    await mara.submitView({ view, values: mara.fill({ 'Texts.X': 'Launch!' }) })
    await mara.hears(/Scheduled in[\s\S]*Launch!/)
    const { rows } = await upnext.service.pool.query(
      'select platform from upnext.slot_reservation order by 1',
    )
    expect(rows.map(({ platform }) => platform)).toEqual(['LINKEDIN', 'THREADS', 'X'])
  })
})
