import { afterEach, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const LINK = 'https://example.com/lamp.jpg'

async function openWithPost(content: string): Promise<void> {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
  await insertPost(upnext.service.db, {
    project_id: upnext.project,
    timezone: 'UTC',
    status: 'SCHEDULED',
    schedule_date: new Date('2026-11-27T14:00Z'),
    content,
    platforms: ['X'],
    media: LINK,
  })
}
afterEach(() => upnext.close())

/** Shares the post, which posts it with an image. */
async function share(): Promise<void> {
  await mara.run('/upnext share launch')
  const { id } = await mara.form('Share a post')
  const channel = mara.channel
  await mara.submitView({ view: id, values: mara.fill({ channel }) })
}
const inChannel = () =>
  (mara.state().messages[mara.channel] ?? [])
    .filter((message) => 'bot_id' in message && !message.isEphemeral)
    .map(({ blocks }) => JSON.stringify(blocks))

describe('a message without an image', () => {
  it('arrives even if its text contains "image_url"', async () => {
    await openWithPost('Launch day!')
    await mara.runAndHear('/upnext image_url', "`/upnext image_url` doesn't exist.")
    await mara.runAndHear('/upnext posts "image_url"', /image_url/)
  })
})

describe('an image in a message', () => {
  it('becomes a link if Slack rejects it, and the rest of the message arrives', async () => {
    await openWithPost('Launch day!')
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'invalid_blocks' })
    await share()
    await vi.waitFor(() => expect(inChannel()).toHaveLength(1), MAX_WAIT)
    expect(inChannel()[0]).toContain('Launch day!')
    expect(inChannel()[0]).toContain(`<${LINK}|Image without description>`)
    expect(inChannel()[0]).not.toContain('image_url')
  })

  it('is posted once, even if the text of the post looks like an error from Slack', async () => {
    await openWithPost('Launch day: we fixed invalid_blocks and invalid_arguments')
    await share()
    await vi.waitFor(() => expect(inChannel()).toHaveLength(1), MAX_WAIT)
    await upnext.settled()
    expect(inChannel()).toHaveLength(1)
    expect(inChannel()[0]).toContain(`"image_url":"${LINK}"`)
  })
})
