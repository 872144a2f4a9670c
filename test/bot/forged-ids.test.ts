import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { drawNoise, pickFile, takePhoto } from './media/sample-files.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
/** She is a member of the private channel #press. */
let mara: Member
/** Her client sends whatever she likes. She isn't a member of #press. */
let yuki: Member
let respond: Respond

beforeEach(async () => {
  respond = () => undefined
  upnext = await openUpnext({
    disableRateLimits: true,
    relaxTimeouts: true,
    skipsUploadTime: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki', 'launch', { unrestricted: true })
})
afterEach(() => upnext.close())

const idOf = (member: Member, name: string) =>
  member.state().channels.find((channel) => channel.name === name)?.id ?? ''
const query = async (sql: string, values: unknown[] = []) =>
  (await upnext.service.pool.query(sql, values)).rows

it("refuses to share a post in a private channel for someone who isn't a member", async () => {
  const press = idOf(mara, 'press')
  await insertPost(upnext.service.db, {
    project_id: upnext.project,
    content: 'Launch day!',
    media: null,
    timezone: 'Europe/Berlin',
    platforms: ['X'],
    status: 'SCHEDULED',
    schedule_date: new Date('2026-11-27T17:00Z'),
  })
  const share = async (member: Member) => {
    await member.run('/upnext share launch')
    const { id } = await member.form('Share a post')
    return member.submitView({ view: id, values: member.fill({ channel_id: press }) })
  }
  expect(await share(yuki)).toEqual({
    errors: { channel_id: "You aren't a member of that channel. Pick another one." },
  })
  expect(await share(mara)).toEqual({ done: true })
  // The id of a person or of a direct message would address that person alone.
  for (const id of [mara.state().userId, Object.keys(mara.state().messages).find((key) => key[0] === 'D')]) {
    await yuki.run('/upnext share launch')
    const { id: view } = await yuki.form('Share a post')
    const result = await yuki.submitView({ view, values: yuki.fill({ channel_id: id ?? '' }) })
    expect(result).toMatchObject({ errors: { channel_id: expect.any(String) } })
    await yuki.closeView({ view })
  }
})

it("refuses to set up or delete a digest in a private channel for someone who isn't a member", async () => {
  const press = idOf(mara, 'press')
  await yuki.run('/upnext digest')
  const { id } = await yuki.form('Channel digest')
  expect(await yuki.submitView({ view: id, values: yuki.fill({ channel_id: press }) })).toEqual({
    errors: { channel_id: "You aren't a member of that channel. Pick another one." },
  })
  await yuki.closeView({ view: id })
  await yuki.run('/upnext digest weekdays at 9am')
  await vi.waitFor(async () => expect(await query('select id from upnext.digest')).toHaveLength(1), MAX_WAIT)
  await yuki.runAndHear('/upnext digest list', /Digests in/)
  // The button has the id of a digest in #press from now on.
  await query('update upnext.digest set channel_id = $1, owner_id = $2', [press, mara.state().userId])
  await yuki.pressLast('digest:delete')
  await yuki.hears('This digest no longer exists.')
  expect(await query('select channel_id from upnext.digest')).toHaveLength(1)
})

it("publishes the user's own file, but not another person's private file", async () => {
  const upload = async (file: string) => {
    await yuki.run('/schedule-post Launch day! tomorrow 9am on Instagram')
    const { id } = await yuki.form('Schedule a post')
    await yuki.submitView({ view: id, values: yuki.fill({ MediaFile: [file] }) })
  }
  await upload(await pickFile(upnext.slack, mara, 'secret.jpg', await takePhoto()))
  await yuki.hears(/Slack doesn't let Upnext read this file/)
  expect(await query('select id from upnext.media_file')).toEqual([])
  await upload(await pickFile(upnext.slack, yuki, 'own.jpg', await drawNoise(400, 300)))
  await vi.waitFor(
    async () => expect(await query('select id from upnext.media_file')).toHaveLength(1),
    MAX_WAIT,
  )
})

it("keeps the description of someone else's upload when a post links to it", async () => {
  await mara.run('/schedule-post Launch day! tomorrow 9am on Instagram')
  const form = await mara.form('Schedule a post')
  await mara.showMore()
  const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
  await mara.submitView({ view: form.id, values: mara.fill({ MediaFile: [file], AltText: 'A brass lamp' }) })
  await vi.waitFor(async () => expect(await query('select id from service.post')).toHaveLength(1), MAX_WAIT)
  await upnext.settled()
  const [{ media }] = await query('select media from service.post')
  const described = await query('select alt_text from upnext.media_upload')
  expect(described).toEqual([{ alt_text: expect.any(String) }])
  await yuki.run('/schedule-post Another day! tomorrow 10am on LinkedIn')
  const { id } = await yuki.form('Schedule a post')
  await yuki.showMore()
  const values = yuki.fill({ Media: media, AltText: 'A burning lamp' })
  expect(await yuki.submitView({ view: id, values })).toEqual({ done: true })
  await vi.waitFor(async () => expect(await query('select id from service.post')).toHaveLength(2), MAX_WAIT)
  await upnext.settled()
  expect(await query('select alt_text from upnext.media_upload')).toEqual(described)
})

it('shows no email addresses in a digest', async () => {
  respond = ({ url }) =>
    url.endsWith('/logs')
      ? Response.json([
          {
            id: 1,
            level: 'error',
            message: 'Sending a mail to ada@acme.example failed',
            created_at: new Date(+upnext.now() - 600_000).toISOString(),
          },
        ])
      : undefined
  await mara.runAndHear('/upnext digest now', /Sending a mail to \(email hidden\) failed/)
  expect(JSON.stringify(mara.state().messages)).not.toContain('ada@acme.example')
})
