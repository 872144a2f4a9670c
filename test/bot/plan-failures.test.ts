import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let isDown = false

beforeEach(async () => {
  isDown = false
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: ({ method, url }) =>
      isDown && method === 'GET' && url.includes('/posts') ? new Response(null, { status: 503 }) : undefined,
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

it("doesn't send a plan that can't be compared with the project before its author has read that", async () => {
  await plans.importText('Coffee monday 9am on X')
  await seesReview(/Schedule 1 post/)
  await close()
  await schedulePlan('Coffee monday 9am on X', /Schedule 1 post/)
  await mara.run('/upnext review')
  await seesReview(/Schedule 1 post/)
  isDown = true
  await plans.press('plan:schedule')
  await seesReview(/Upnext couldn't check which of these posts Acme already has, so look for duplicates\./)
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
