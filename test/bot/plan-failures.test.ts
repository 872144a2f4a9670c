import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let isDown = false
/** The ids of posts that the service doesn't show to the bot. */
let hidden_ids: string[] = []

beforeEach(async () => {
  isDown = false
  hidden_ids = []
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: ({ method, url }) => {
      if (method !== 'GET') return undefined
      if (hidden_ids.some((id) => url.endsWith(id))) return new Response(null, { status: 403 })
      return isDown && url.includes('/posts') ? new Response(null, { status: 503 }) : undefined
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

const { seesReview, shown, directMessages, waitForDirectMessage, storedPosts, ...plans } = planner(() => ({
  upnext,
  mara,
}))
const close = () => mara.closeView({ view: plans.views().at(-1)?.id ?? '' })

async function schedulePlan(text: string, button: RegExp) {
  await plans.importText(text)
  await seesReview(button)
  await plans.press('plan:schedule')
  await waitForDirectMessage(/Saved/)
  await close()
}

it('cancels the posts of a plan once the service can be reached again', async () => {
  await schedulePlan('Coffee monday 9am on X\nTea tuesday 9am on X', /Schedule all 2 posts/)
  isDown = true
  await plans.pressInMessage('plan:undo')
  await upnext.settled()
  expect(directMessages().join()).not.toMatch(/Undone/)
  isDown = false
  await vi.waitFor(
    () => {
      upnext.wait({ minutes: 1 })
      expect(directMessages().join()).toMatch(/Undone: cancelled 2 posts/)
    },
    { timeout: 60_000, interval: 20 },
  )
  expect(await storedPosts()).toEqual([])
})

it('says that posts are being cancelled when Undo is pressed again', async () => {
  await schedulePlan('Coffee monday 9am on X', /Schedule 1 post/)
  // As after the first press, before its job has cancelled a post.
  await upnext.service.pool.query("update upnext.plan set state = 'undoing'")
  await plans.pressInMessage('plan:undo')
  await mara.hears('These posts are already being cancelled.')
})

it('cancels the other posts of a plan if one of them is not shown to the bot', async () => {
  await schedulePlan('Coffee monday 9am on X\nTea tuesday 9am on X', /Schedule all 2 posts/)
  const { rows } = await upnext.service.pool.query("select id from service.post where content = 'Coffee'")
  hidden_ids = rows.map(({ id }) => id)
  await plans.pressInMessage('plan:undo')
  await upnext.waitFor(() => expect(directMessages().join()).toMatch(/Still cancelling 1 post in Acme/))
  expect((await storedPosts()).map(({ content }) => content)).toEqual(['Coffee'])
  await vi.waitFor(
    () => {
      upnext.wait({ minutes: 60 })
      expect(directMessages().join()).toMatch(/Undone: cancelled 1 post.*Not cancelled: 1 post/)
    },
    { timeout: 60_000, interval: 20 },
  )
})

it("warns the author before sending a plan that couldn't be checked for duplicates", async () => {
  await plans.importText('Coffee monday 9am on X')
  await seesReview(/Schedule 1 post/)
  await close()
  await schedulePlan('Coffee monday 9am on X', /Schedule 1 post/)
  await mara.run('/upnext review')
  await seesReview(/Schedule 1 post/)
  isDown = true
  await plans.press('plan:schedule')
  await seesReview(/Upnext couldn't check which of these posts Acme already has\. Check for duplicates\./)
  expect(await storedPosts()).toHaveLength(1)
  await plans.press('plan:schedule')
  await seesReview(/Sending 1 post/)
})

it('shows a row again whose post the project no longer has', async () => {
  await schedulePlan('Coffee monday 9am on X', /Schedule 1 post/)
  await plans.importText('Coffee monday 9am on X\nTea tuesday 9am on X')
  await seesReview(/Already in the project/)
  await upnext.service.pool.query('delete from service.post')
  await plans.press('plan:schedule')
  await seesReview(/Schedule all 2 posts/)
  expect(shown()).not.toMatch(/Already in the project/)
})
