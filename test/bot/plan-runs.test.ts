import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let post: 'up' | 'down' | 'rejects' = 'up'
let isListDown = false
let blockFirstList: (() => Promise<void>) | undefined

beforeEach(async () => {
  post = 'up'
  isListDown = false
  blockFirstList = undefined
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: async ({ method, url }) => {
      if (method === 'GET' && url.includes('/posts')) {
        const block = blockFirstList
        blockFirstList = undefined
        await block?.()
        return isListDown ? new Response(null, { status: 503 }) : undefined
      }
      if (method !== 'POST' || !url.includes('/posts')) return undefined
      if (post === 'down') return new Response(null, { status: 503 })
      if (post === 'rejects') return Response.json({ detail: 'Not this one.' }, { status: 403 })
      return undefined
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

const { seesReview, directMessages, waitForDirectMessage, storedPosts, ...plans } = planner(() => ({
  upnext,
  mara,
}))
const planRow = async () => (await upnext.service.pool.query('select id, state from upnext.plan')).rows
const items = async () =>
  (await upnext.service.pool.query('select state, attempts, batch_id from upnext.outbox_item')).rows
const close = () => mara.closeView({ view: plans.views().at(-1)?.id ?? '' })

describe.each([
  { name: 'young plan', days: 0 },
  { name: 'plan that is almost a week old', days: 7 },
])('$name', ({ days }) => {
  const age = async () => {
    if (days) upnext.wait({ minutes: days * 24 * 60 - 30 })
    await upnext.settled()
  }
  const anHour = async () => {
    for (let i = 0; i < 7; i++) {
      upnext.wait({ minutes: 10 })
      await upnext.settled()
    }
  }

  it('reports posts that the service rejects to its author', async () => {
    await plans.importText('Coffee dec 20 9am on X')
    await seesReview(/Schedule 1 post/)
    await age()
    post = 'down'
    await plans.press('plan:schedule')
    await vi.waitFor(async () => expect((await items())[0]?.attempts).toBeGreaterThan(0), { timeout: 60_000 })
    await upnext.settled()
    await anHour()
    post = 'rejects'
    await anHour()
    expect(directMessages().join('\n')).toMatch(/Saved 0 posts/)
  })

  it('is undone although the service was down when Undo was pressed', async () => {
    await plans.importText('Coffee dec 20 9am on X')
    await seesReview(/Schedule 1 post/)
    await age()
    await plans.press('plan:schedule')
    await waitForDirectMessage(/Saved/)
    await close()
    isListDown = true
    await plans.pressInMessage('plan:undo')
    await upnext.settled()
    expect((await planRow()).map(({ state }) => state)).toEqual(['undoing'])
    await anHour()
    isListDown = false
    await anHour()
    expect(await storedPosts()).toEqual([])
  })
})

describe('a review that is out of date', () => {
  const PLAN = 'Launch day! monday 9am on X\nSecond day! tuesday 9am on X'

  it('shows a new conflict before the plan is sent, even if Slack fails to show it at first', async () => {
    await plans.importText(PLAN)
    await seesReview(/Schedule all 2 posts/)
    const yuki = upnext.person('yuki')
    await yuki.run('/schedule-post From Yuki monday 9:05 Berlin time on X')
    const { id: view } = await yuki.form('Schedule a post')
    await yuki.submitAndHear({ view, values: {} }, /Scheduled in Acme/)
    const times = Number.POSITIVE_INFINITY
    upnext.slack.controls.injectFault({ method: 'views.update', error: 'internal_error', times })
    await plans.press('plan:schedule')
    await waitForDirectMessage(/Something went wrong in Upnext/)
    expect(plans.shown()).not.toContain('From Yuki')
    upnext.slack.controls.clearFaults()
    await plans.press('plan:schedule')
    await seesReview(/Worth a look.*Launch day!.*5 minutes before \\"From Yuki\\" on X/)
    await upnext.settled()
    expect((await storedPosts()).map(({ content }) => content)).toEqual(['From Yuki'])
  })

  it('is shown again instead of being sent after the plan was corrected in another window', async () => {
    await plans.importText(`${PLAN}\nThird day! wednesday 9am`)
    await seesReview(/Schedule 2 posts, skip 1/)
    const phone = upnext.person('mara')
    const onPhone = planner(() => ({ upnext, mara: phone }))
    await phone.run('/upnext review')
    await onPhone.seesReview(/Schedule 2 posts, skip 1/)
    await onPhone.press('plan:fix')
    const { id } = await phone.form('Change a row')
    await phone.submitView({ view: id, values: phone.fill({ Platforms: ['X'] }) })
    await onPhone.seesReview(/Schedule all 3 posts/)
    expect(plans.shown()).toContain('Schedule 2 posts, skip 1')
    await plans.press('plan:schedule')
    await seesReview(/Schedule all 3 posts.*Third day!/)
    await upnext.settled()
    expect(await storedPosts()).toEqual([])
  })
})

it('is undone if Undo is pressed while the job that closes the plan waits for the database', async () => {
  await plans.importText('Coffee dec 20 9am on X')
  await seesReview(/Schedule 1 post/)
  await plans.press('plan:schedule')
  await waitForDirectMessage(/Saved/)
  await close()
  await upnext.settled()
  const holder = await upnext.service.pool.connect()
  await holder.query('begin; lock table upnext.outbox_item in access exclusive mode')
  upnext.wait({ minutes: 10 })
  // The job that closes the plan has read it, and waits for the posts.
  await vi.waitFor(
    async () => {
      const { rowCount } = await upnext.service.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like '%"batch_id"%'`,
      )
      expect(rowCount).toBe(1)
    },
    { timeout: 60_000 },
  )
  await plans.pressInMessage('plan:undo')
  await vi.waitFor(async () => expect((await planRow())[0]?.state).toBe('undoing'), { timeout: 60_000 })
  await holder.query('commit')
  holder.release()
  await upnext.settled()
  upnext.wait({ minutes: 5 })
  await upnext.settled()
  expect(await storedPosts()).toEqual([])
})

it("doesn't return a sent plan to review when a stalled worker resumes", async () => {
  await upnext.startSecondBot()
  let release = () => {}
  let isBlocked = false
  blockFirstList = () =>
    new Promise<void>((resolve) => {
      isBlocked = true
      release = resolve
    })
  await plans.importText('Coffee dec 20 9am on X\nTea dec 21 9am on X')
  await vi.waitFor(() => expect(isBlocked).toBe(true), { timeout: 60_000 })
  // For 20 s, the worker's lease isn't renewed: the process is stopped, or it can't reach the database.
  await upnext.service.pool.query(
    "update upnext.job set lease = null, leased_until = null where kind = 'plan'",
  )
  await seesReview(/Schedule all 2 posts/)
  post = 'rejects'
  await plans.press('plan:schedule')
  await vi.waitFor(async () => expect((await planRow())[0]?.state).toBe('sending'), { timeout: 60_000 })
  release()
  await upnext.settled()
  for (let i = 0; i < 5; i++) {
    upnext.wait({ minutes: 1 })
    await upnext.settled()
  }
  expect((await planRow()).map(({ state }) => state)).not.toEqual(['review'])
  expect(directMessages().join('\n')).toMatch(/Saved 0 posts/)
})
