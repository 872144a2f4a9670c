import { afterEach, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member

async function open(respond: Respond = () => undefined) {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, respond })
  mara = upnext.person('mara')
}

afterEach(() => upnext.close())

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const INCOMPLETE = /There are more posts than Upnext can load\. Add a date/

const homeText = () => JSON.stringify(mara.state().home)

describe('a list with more posts than were loaded', () => {
  it('includes drafts in its count', async () => {
    await open()
    await upnext.service.addPosts(upnext.project, { count: 600, from: '2027-03-01T09:00Z' })
    await upnext.service.pool.query("update service.post set status = 'DRAFT', schedule_date = null")
    await mara.runAndHear('/upnext posts', /Upcoming posts in Acme · 1–5 of 500\+/)
  })

  it("isn't taken as proof that no post contains the words of a command", async () => {
    await open()
    await upnext.service.addPosts(upnext.project, { count: 600, from: '2027-03-01T09:00Z' })
    await mara.runAndHear('/upnext cancel banana', INCOMPLETE)
  })

  it("isn't taken as proof that a post is gone", async () => {
    await open(withoutExtensions)
    await upnext.service.addPosts(upnext.project, { count: 1100, from: '2027-03-01T09:00Z' })
    await insertPost(upnext.service.db, {
      project_id: upnext.project,
      content: 'Launch day!',
      timezone: 'UTC',
      platforms: ['X'],
      status: 'SCHEDULED',
      schedule_date: new Date('2027-04-01T09:00Z'),
    })
    await mara.runAndHear('/upnext week 1 april 2027', /Launch day!/)
    await mara.pickLast('Preview')
    await mara.hears(INCOMPLETE)
  })

  it("isn't taken as proof that nothing else is scheduled", async () => {
    const post = { Content: 'Late', ScheduleDate: '2026-11-20T09:00:00Z', Status: 'PUBLISHED' }
    const page = Array.from({ length: 100 }, (_, Id) => ({ ...post, Id }))
    await open(({ url }) => {
      if (url.includes('/upnext-post')) return Response.json({ data: { ...post, Id: 0 } })
      // This service ignores the dates and the position of a page.
      return url.includes('/posts?') ? Response.json({ data: page }) : undefined
    })
    await mara.runAndHear('/upnext', INCOMPLETE)
    await mara.runAndHear('/upnext posts', INCOMPLETE)
  })

  it('contains all posts that are held in Upnext', async () => {
    await open(withoutExtensions)
    await upnext.service.addPosts(upnext.project, { count: 600, from: '2027-03-01T09:00Z' })
    await mara.runAndHear('/upnext posts held', /No posts in Acme matching "held"\./)
  })

  it('is marked as incomplete on the Home tab', async () => {
    await open()
    await upnext.service.addPosts(upnext.project, { count: 250, from: '2026-11-21T09:00Z' })
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText()).toContain('Some posts may be missing here.'), MAX_WAIT)
  })
})
