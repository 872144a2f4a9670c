import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member

beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(() => upnext.service.pool.query('delete from service.post'))
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const LONG_TEXT = `Our new lamp is here! ${'It shines and shines. '.repeat(12)}https://acme.example #lamp #light`

type NewPost = { content: string; platforms: ('X' | 'LINKEDIN' | 'INSTAGRAM')[]; media?: string }

const addPost = (post: NewPost) =>
  insertPost(upnext.service.db, {
    project_id: upnext.project,
    timezone: 'UTC',
    status: 'SCHEDULED',
    schedule_date: new Date('2026-11-27T14:00Z'),
    ...post,
  })

describe('the preview of a post', () => {
  it('shows where each platform cuts the text off, its length and its hashtags', async () => {
    await addPost({
      content: LONG_TEXT,
      platforms: ['LINKEDIN', 'INSTAGRAM'],
      media: 'https://acme.example/lamp.png',
    })
    await mara.runAndHear('/upnext preview lamp', /Preview.*LinkedIn.*… more.*Instagram.*… more/s)
    expect(mara.lastText()).toMatch(/about 210 characters before "more" · 1 link · #lamp #light/)
    expect(mara.lastText()).toMatch(/Instagram: 1,[\d,]+ left · about 125 characters before "more"/)
  })

  it('describes an image from elsewhere', async () => {
    await addPost({ content: 'Hello', platforms: ['INSTAGRAM'], media: 'https://acme.example/lamp.png' })
    await upnext.service.pool.query("update service.post set media_description = 'A red lamp'")
    await mara.runAndHear('/upnext preview hello', /Preview/)
    expect(JSON.stringify(mara.lastMessage())).toContain('"alt_text":"A red lamp"')
  })

  it('names a video link, which Slack does not show', async () => {
    await addPost({ content: 'Hello', platforms: ['X'], media: 'https://acme.example/clip.mp4' })
    await mara.runAndHear('/upnext preview hello', /https:\/\/acme\.example\/clip\.mp4/)
  })

  it('warns although the post has many hashtags', async () => {
    const hashtags = Array.from({ length: 30 }, (_, index) => `#lampsandshadesforhome${index}`)
    await addPost({ content: `Hello ${hashtags.join(' ')}`, platforms: ['INSTAGRAM'] })
    await mara.runAndHear('/upnext preview hello', /Instagram posts need an image or video/)
  })

  it('warns of a missing image or video', async () => {
    await addPost({ content: 'Hello', platforms: ['INSTAGRAM'] })
    await mara.runAndHear('/upnext preview hello', /Instagram/)
    await mara.hears(/Preview.*Instagram.*Hello.*:warning: Instagram posts need an image or video\./s)
  })

  it("opens above the form, with the form's content", async () => {
    await mara.run('/schedule-post Hello <you>! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'preview',
      action_id: 'change:schedule:preview',
      values: mara.fill({ Content: 'Hello <everyone>!' }),
    })
    await vi.waitFor(() => expect(mara.state().views).toHaveLength(2), MAX_WAIT)
    const preview = mara.state().views.at(-1)
    expect(JSON.stringify(preview?.blocks)).toMatch(
      /\*Sat 21 Nov, 09:00 Berlin, in 20 hours\*.*\*X\*.*"text":"Hello <everyone>!".*X: 263 left/,
    )
    await mara.closeView({ view: preview?.id ?? '' })
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
  })
})
