import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sees } from '../approval-requests.ts'
import { planner } from '../planner.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from '../workspace.ts'
import { drawNoise, filmVideo, pickFile, takePhoto } from './sample-files.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const {
  importText,
  importFile,
  seesReview,
  press,
  waitForDirectMessage: waitForPlan,
} = planner(() => ({ upnext, mara }))

async function open(options: Parameters<typeof openUpnext>[0] = {}) {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    skipsUploadTime: true,
    respond: (request) => respond(request),
    ...options,
  })
  mara = upnext.person('mara')
}

beforeEach(() => {
  respond = () => undefined
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

async function openForm(text = 'Launch day! tomorrow 9am on Instagram') {
  await mara.run(`/schedule-post ${text}`)
  return (await mara.form('Schedule a post')).id
}
/** Schedules a post in a project whose posts need approval from then on. Returns the approver. */
async function openWithApproval(): Promise<Member> {
  const admins: string[] = []
  await open({ admins })
  admins.push(mara.userId)
  const yuki = upnext.person('yuki')
  const view = await openForm('Launch day! in 3 days 9am on X')
  await mara.submitAndHear({ view, values: {} }, 'Scheduled')
  await mara.run('/upnext approval')
  const { id: rule } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
  await mara.submitAndHear({ view: rule, values }, /need approval/)
  return yuki
}
const submit = (view: string, values: Record<string, string | string[]> = {}) =>
  mara.submitView({ view, values: mara.fill(values) })
const shownView = () => JSON.stringify(mara.state().views.at(-1))
const directMessages = (member = mara) =>
  Object.entries(member.state().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([, messages]) => messages.map(({ blocks }) => JSON.stringify(blocks)))
const waitForDirectMessage = (words: RegExp) =>
  vi.waitFor(() => expect(directMessages().join('\n')).toMatch(words), MAX_WAIT)
const storedPosts = async () =>
  (await upnext.service.pool.query('select content, media, status from service.post')).rows
const countRows = async (table: string) =>
  Number((await upnext.service.pool.query(`select count(*) from upnext.${table}`)).rows[0].count)
/** Returns the text of the file that was exported. */
async function readExport(): Promise<string> {
  type File = { name?: string; url_private?: string }
  const findFile = () =>
    Object.values(mara.state().messages)
      .flat()
      .flatMap(({ files = [] }) => files as File[])
      .find(({ name }) => name?.endsWith('.csv'))
  await vi.waitFor(() => expect(findFile()).toBeDefined(), MAX_WAIT)
  return (await fetch(`${findFile()?.url_private}?session=${mara.sessionId}`)).text()
}
const MEDIA_LINK = /^http:\/\/127\.0\.0\.1:\d+\/media\/[\w-]{32}\.\w+$/

describe('an image that is picked in the form', () => {
  it('is cleaned, hosted and posted after the form has closed, and one message shows the progress', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(view, { MediaFile: [file], AltText: '' })
    expect(mara.state().views).toEqual([])
    await waitForDirectMessage(/Scheduled in Acme.*Launch day!/)
    const [post] = await storedPosts()
    expect(post).toMatchObject({ content: 'Launch day!', status: 'SCHEDULED' })
    expect(post.media).toMatch(MEDIA_LINK)
    expect(directMessages()).toHaveLength(1)

    const served = await fetch(post.media)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    const bytes = Buffer.from(await served.arrayBuffer())
    const { width, height, exif } = await sharp(bytes).metadata()
    expect({ width, height, exif }).toEqual({ width: 400, height: 300, exif: undefined })
  })

  it('is shown in the preview, without the image if Slack is still processing it', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    const preview = async () => {
      await mara.dispatchAction({
        container: { view },
        block_id: 'preview',
        action_id: 'change:schedule:preview',
        values: mara.fill({ MediaFile: [file] }),
      })
      await vi.waitFor(() => expect(mara.state().views).toHaveLength(2), MAX_WAIT)
      const shown = shownView()
      await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
      return shown
    }
    expect(await preview()).toMatch(/lamp\.jpg · 400 × 300(?!.*slack_file)/)
    upnext.slack.controls.clearAppPayloads()
    upnext.slack.controls.advanceClock({ seconds: 60 })
    expect(await preview()).toMatch(
      /Sat 21 Nov, 09:00 Berlin, in 20 hours.*lamp\.jpg · 400 × 300.*Instagram.*"slack_file":\{"id":"F\w+"\}/,
    )
  })

  it('waits for earlier uploads of the same person', async () => {
    await open()
    const file = await drawNoise(1500, 1000, 'jpeg')
    let largest = 0
    const sampling = setInterval(async () => {
      const leased = await countRows("job where kind = 'upload' and lease is not null")
      largest = Math.max(largest, leased)
    }, 20)
    for (const text of ['One', 'Two', 'Three']) {
      const view = await openForm(`${text} tomorrow 9am on LinkedIn`)
      await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, `${text}.jpg`, file)] })
    }
    await vi.waitFor(async () => expect(await storedPosts()).toHaveLength(3), MAX_WAIT)
    clearInterval(sampling)
    expect(largest).toBe(1)
  })

  it('is shown in messages as its copy in Slack, with its description', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(view, { MediaFile: [file], AltText: 'A brass lamp on a desk' })
    await waitForDirectMessage(
      /Scheduled in Acme.*"slack_file":\{"id":"F\w+".*"alt_text":"A brass lamp on a desk"/,
    )
    await mara.runAndHear('/upnext', /Launch day!/)
    expect(JSON.stringify(mara.lastMessage()?.blocks)).toMatch(
      /"slack_file":\{"id":"F\w+".*"alt_text":"A brass lamp on a desk"/,
    )
  })

  it('is also confirmed where the command was given', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const inChannel = (member: Member) =>
      JSON.stringify(member.state().messages[mara.channel]?.map(({ blocks }) => blocks))
    await vi.waitFor(() => expect(inChannel(mara)).toContain('Scheduled in Acme'), MAX_WAIT)
    expect(inChannel(upnext.person('yuki'))).not.toContain('Scheduled in Acme')
  })

  it('causes a warning before it is scheduled if its shape does not suit a platform', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto(1200, 300))
    await submit(view, { MediaFile: [file] })
    expect(shownView()).toMatch(/:warning: Instagram accepts images/)
    expect(await storedPosts()).toEqual([])
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    await waitForDirectMessage(/Scheduled in Acme.*You confirmed this warning: Instagram accepts images/)
  })

  it('can be shown to the whole channel', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    const values = { ...mara.fill({ MediaFile: [file] }), notify: { notify: ['yes'] } }
    await mara.submitView({ view, values })
    await waitForDirectMessage(/Posted in <#\w+>/)
    const messages = mara.state().messages[mara.channel] ?? []
    expect(messages.some(({ text }) => text.startsWith('Scheduled in Acme'))).toBe(true)
  })

  it('stays in the form when something else changes there', async () => {
    await open()
    const view = await openForm('Launch day! tomorrow 9am on Facebook')
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    const before = mara.state().views.at(-1)?.hash
    const pressed = { block_id: 'moved-words', action_id: 'change:schedule:moved-words' }
    await mara.dispatchAction({ container: { view }, ...pressed, values: mara.fill({ MediaFile: [file] }) })
    await vi.waitFor(() => expect(mara.state().views.at(-1)?.hash).not.toBe(before), MAX_WAIT)
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/Scheduled in Acme.*Launch day! tomorrow 9am/)
    expect((await storedPosts())[0].media).toMatch(MEDIA_LINK)
  })

  it('is refused immediately if its type does not suit a platform, or if there is also a link', async () => {
    await open()
    const view = await openForm('Launch day! tomorrow 9am on YouTube')
    const file = await pickFile(upnext.slack, mara, 'lamp.png', await drawNoise(50, 40, 'png'))
    expect(await submit(view, { MediaFile: [file] })).toMatchObject({
      errors: { MediaFile: 'YouTube posts need a video, but this is an image.' },
    })
    expect(await submit(view, { MediaFile: [file], Media: 'https://example.com/lamp.mp4' })).toMatchObject({
      errors: { MediaFile: 'You added a file and a link. Remove one of them.' },
    })
    expect(await storedPosts()).toEqual([])
  })

  it("is explained if it can't be posted, and the form opens again with everything else", async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(
      upnext.slack,
      mara,
      'lamp.jpg',
      Buffer.from('<svg><script>alert(1)</script></svg>'),
    )
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/couldn't be sent.*This isn't an image or video that can be posted/)
    expect(await storedPosts()).toEqual([])
    expect(await countRows('media_file')).toBe(0)
    await mara.runAndHear('/upnext outbox', /Your outbox/)
    await mara.pressLast('outbox:edit')
    const again = await mara.form('Schedule a post')
    expect(shownView()).toMatch(/This isn't an image or video.*lamp\.jpg.*Remove/)
    expect(shownView()).toContain('"initial_value":"Launch day!"')
    await mara.dispatchAction({
      container: { view: again.id },
      block_id: 'attachment',
      action_id: 'change:schedule:attachment',
    })
    await vi.waitFor(() => expect(shownView()).toContain('file_input'), MAX_WAIT)
    const other = await pickFile(upnext.slack, mara, 'better.jpg', await takePhoto())
    await submit(again.id, { MediaFile: [other] })
    await waitForDirectMessage(/Scheduled in Acme/)
    expect(await storedPosts()).toHaveLength(1)
    await upnext.settled()
    expect(await countRows('outbox_item')).toBe(1)
  })
})

describe('a video', () => {
  it('is passed through with its size and length', async () => {
    await open()
    const view = await openForm('Launch day! tomorrow 9am on YouTube')
    const video = await filmVideo(12)
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.mp4', video)] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const [{ media }] = await storedPosts()
    expect(Buffer.from(await (await fetch(media)).arrayBuffer())).toEqual(video)
    await mara.runAndHear('/upnext media', /lamp\.mp4.*640 × 360, 12 s/)
  })

  it('is posted with a warning if a platform may not take it', async () => {
    await open()
    const view = await openForm('Launch day! tomorrow 9am on X')
    const video = await filmVideo(150)
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.mp4', video)] })
    await waitForDirectMessage(/Scheduled in Acme.*X accepts videos of 0\.5 s to 2 min\./)
  })

  it('is refused if it is damaged, and leaves nothing behind', async () => {
    await open()
    const view = await openForm('Launch day! tomorrow 9am on YouTube')
    const half = (await filmVideo(12)).subarray(0, 4000)
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.mp4', half)] })
    await waitForDirectMessage(/couldn't be sent.*This file can't be read/)
    expect(await countRows('media_file')).toBe(0)
    expect(await countRows('media_chunk')).toBe(0)
  })
})

describe('an uploaded file', () => {
  it('stays for as long as /upnext media says after its post was cancelled early', async () => {
    await open()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(await openForm('Our lamp in 3 days 9am on X'), { MediaFile: [file] })
    await waitForDirectMessage(/Scheduled in/)
    await upnext.settled()
    const [{ media }] = await storedPosts()
    upnext.wait({ minutes: 60 })
    await mara.runAndHear('/upnext cancel lamp', /Cancel this post/)
    await mara.pressLast('cancel:confirm')
    await vi.waitFor(async () => expect(await storedPosts()).toEqual([]), MAX_WAIT)
    for (let count = 0; count < 6; count++) {
      upnext.wait({ minutes: 6 * 60 })
      await upnext.settled()
    }
    expect((await fetch(media)).status).toBe(200)
  })

  it('is no longer shown as being uploaded once its post is discarded', async () => {
    await open()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    upnext.slack.controls.injectFault({ method: 'files.info', error: 'internal_error', times: 20 })
    await submit(await openForm(), { MediaFile: [file] })
    await waitForDirectMessage(/Uploading lamp\.jpg/)
    await upnext.settled()
    await mara.runAndHear('/upnext outbox', /Your outbox/)
    await mara.pressLast('outbox:discard')
    await waitForDirectMessage(/Removed from your outbox\./)
    expect(directMessages().join()).not.toContain('Uploading')
    upnext.slack.controls.clearAppPayloads()
  })

  it('keeps its description if its post is split and cannot be sent', async () => {
    respond = withoutExtensions
    await open()
    const view = await openForm('Our lamp in 3 days 9am on LinkedIn and X')
    const vary = { block_id: 'offer', action_id: 'change:schedule:offer' }
    await mara.dispatchAction({ container: { view }, ...vary })
    await vi.waitFor(() => expect(shownView()).toContain('Texts.X'), MAX_WAIT)
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', Buffer.from('no image'))
    await submit(view, { 'Texts.X': 'For X', MediaFile: [file], AltText: 'A red lamp' })
    await waitForDirectMessage(/couldn't be sent/)
    await upnext.settled()
    await mara.runAndHear('/upnext outbox', /Your outbox/)
    await mara.pressLast('outbox:edit')
    await mara.form('Schedule a post')
    expect(shownView()).toContain('A red lamp')
  })

  it('keeps its description if it is added to a post with approval', async () => {
    const yuki = await openWithApproval()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(id, { MediaFile: [file], AltText: 'A red lamp' })
    await sees(yuki, /asks for your approval to change/)
    await upnext.settled()
    await yuki.pressLast('approval:approve')
    await vi.waitFor(async () => expect((await storedPosts())[0].media).toMatch(MEDIA_LINK), MAX_WAIT)
    await upnext.settled()
    const { rows } = await upnext.service.pool.query(
      'select alt_text is not null as is_described from upnext.media_upload',
    )
    expect(rows).toEqual([{ is_described: true }])
  })
})

describe('the description of an uploaded image', () => {
  async function scheduleImage(values: Record<string, string> = {}) {
    await open()
    const view = await openForm('Launch day! monday 9am on Instagram')
    if (values.Status) await mara.showMore()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(view, { MediaFile: [file], AltText: 'A brass lamp', ...values })
    await waitForDirectMessage(values.Status ? /Held in Upnext for Acme/ : /Scheduled in Acme/)
    await upnext.settled()
  }
  const expectDescription = async () =>
    expect(await countRows('media_upload where alt_text is not null')).toBe(1)
  async function savePlan() {
    await seesReview(/(?:Schedule|Save) 1 post/)
    await press('plan:schedule')
    await waitForPlan(/Saved 1 post/)
    await upnext.settled()
  }

  it('is kept when a plan has another post with the image', async () => {
    await scheduleImage()
    const [{ media }] = await storedPosts()
    await importText(`Text\tDate\tPlatforms\tMedia\nSecond day!\t2026-11-24 9:00\tInstagram\t${media}`)
    await savePlan()
    await expectDescription()
  })

  it('is kept when a plan moves its held post', async () => {
    respond = withoutExtensions
    await scheduleImage({ Status: 'HELD' })
    await mara.runAndHear('/upnext export next week', /the file is in your messages from Upnext/)
    await importFile('posts.csv', (await readExport()).replace('2026-11-23 09:00', '2026-11-24 09:00'))
    await savePlan()
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    expect(shownView()).toContain('A brass lamp')
  })

  it('is kept when another post links to the image', async () => {
    await scheduleImage()
    const [{ media }] = await storedPosts()
    const view = await openForm('Second day! tuesday 9am on Instagram')
    await mara.showMore()
    await mara.submitAndHear({ view, values: mara.fill({ Media: media }) }, /Scheduled in Acme.*Second day!/s)
    await upnext.settled()
    await expectDescription()
  })
})

describe('the message shortcut', () => {
  it('takes the text and the first image of the message, and says that there are other files', async () => {
    await open()
    const brief = await pickFile(upnext.slack, mara, 'brief.pdf', Buffer.from('%PDF-1.4'))
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    const other = await pickFile(upnext.slack, mara, 'shade.jpg', await takePhoto())
    await mara.sendMessage({ channel: mara.channel, text: 'Our new lamp', files: [brief, file, other] })
    const message = (mara.state().messages[mara.channel] ?? []).at(-1)
    await mara.runShortcut({
      callback_id: 'schedule_as_post',
      message: { channel: mara.channel, ts: message?.ts ?? '' },
    })
    const { id } = await mara.form('Schedule a post')
    expect(shownView()).toMatch(/Our new lamp.*lamp\.jpg, [\d.]+ KB, one of the message's 3 files.*Remove/)
    await submit(id, { ScheduleDate: 'tomorrow 9am', Platforms: ['INSTAGRAM'] })
    await waitForDirectMessage(/Scheduled in Acme.*Our new lamp/)
    expect((await storedPosts())[0].media).toMatch(MEDIA_LINK)
  })

  it('opens the form if the message has an image and lines that each could be a post', async () => {
    await open()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    const text = 'Lamps are here tomorrow 9am on X\nDoors open friday 10am on Facebook'
    await mara.sendMessage({ channel: mara.channel, text, files: [file] })
    const { ts = '' } = (mara.state().messages[mara.channel] ?? []).at(-1) ?? {}
    await mara.runShortcut({ callback_id: 'schedule_as_post', message: { channel: mara.channel, ts } })
    await mara.form('Schedule a post')
    expect(shownView()).toMatch(/Doors open.*lamp\.jpg/)
  })
})

describe('a file of another organization', () => {
  it('is found by its id, because Slack gives no other details', async () => {
    await open({ externalUsersMayView: true })
    const ines = upnext.person('ines', 'catalogue')
    const file = await pickFile(upnext.slack, ines, 'proof.jpg', await takePhoto())
    await ines.sendMessage({ channel: ines.channel, text: 'The proofs are ready', files: [file] })
    const { ts = '' } = (ines.state().messages[ines.channel] ?? []).at(-1) ?? {}
    await mara.runShortcut({ callback_id: 'schedule_as_post', message: { channel: ines.channel, ts } })
    const { id } = await mara.form('Schedule a post')
    expect(shownView()).not.toContain('proof.jpg')
    await submit(id, { ScheduleDate: 'tomorrow 9am', Platforms: ['INSTAGRAM'] })
    await waitForDirectMessage(/Scheduled in Acme.*The proofs are ready/)
    expect((await storedPosts())[0].media).toMatch(MEDIA_LINK)
  })
})

describe('a file in the form', () => {
  it('needs a permission of Slack, and the form says how to get it', async () => {
    await open({ refusesOptionalScopes: true })
    const view = await openForm()
    expect(shownView()).toMatch(/reinstall Upnext and allow it to read files \(files:read\)/)
    expect(shownView()).not.toContain('file_input')
    await mara.closeView({ view, all: true })
    await upnext.person('tomas').installApp({})
    // Opening the form asks Slack again, and doesn't wait for the answer.
    await vi.waitFor(async () => {
      const again = await openForm()
      if (!shownView().includes('file_input')) {
        await mara.closeView({ view: again, all: true })
        throw new Error('The form has no input for files yet.')
      }
    }, MAX_WAIT)
  })

  it('needs an address that the service can reach', async () => {
    await open({ uploads: { isServiceOnThisMachine: false } })
    await openForm()
    expect(shownView()).toMatch(/Ask the person who runs Upnext to set PUBLIC_URL/)
  })

  it('leaves the description of an image in the form if it cannot be offered', async () => {
    await open({ uploads: { isServiceOnThisMachine: false } })
    await upnext.service.pool.query(
      `insert into service.post (project_id, content, timezone, platforms, status, media, media_description)
       values ($1, 'Our lamp', 'UTC', array['X'], 'DRAFT', 'https://acme.example/lamp.jpg', 'A red lamp')`,
      [upnext.project],
    )
    await mara.run('/upnext edit lamp')
    await mara.form('Edit a post')
    expect(shownView()).toContain('A red lamp')
  })

  it('is linked below the public address', async () => {
    await open({ uploads: { publicUrl: 'https://upnext.example.com', isServiceOnThisMachine: false } })
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const [{ media }] = await storedPosts()
    expect(media).toMatch(/^https:\/\/upnext\.example\.com\/media\/[\w-]{32}\.jpg$/)
    expect((await fetch(media.replace('https://upnext.example.com', upnext.botUrl))).status).toBe(200)
  })

  it('takes up no more space than a workspace has, even if several are uploaded simultaneously', async () => {
    const images = [await drawNoise(800, 600), await drawNoise(800, 600)]
    const maxWorkspaceBytes = (images[0]?.length ?? 0) * 1.6
    await open({ uploads: { maxWorkspaceBytes } })
    await Promise.all(
      ['mara', 'yuki'].map(async (handle, index) => {
        const member = upnext.person(handle)
        await member.run('/schedule-post Launch day! tomorrow 9am on Instagram')
        const { id } = await member.form('Schedule a post')
        const file = await pickFile(upnext.slack, member, `${handle}.jpg`, images[index] ?? Buffer.alloc(0))
        await member.submitView({ view: id, values: member.fill({ Content: handle, MediaFile: [file] }) })
      }),
    )
    await vi.waitFor(
      async () => expect(await countRows("outbox_item where state = 'uploading'")).toBe(0),
      MAX_WAIT,
    )
    const { rows } = await upnext.service.pool.query('select sum(size) from upnext.media_file')
    expect(Number(rows[0].sum)).toBeLessThanOrEqual(maxWorkspaceBytes)
  })

  it('takes up no more space than a workspace has', async () => {
    await open({ uploads: { maxWorkspaceBytes: 20_000 } })
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await drawNoise(400, 300))
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/couldn't be sent.*has too little space left for this file.*\/upnext media/)
  })

  it("keeps a description only if it is uploaded, and the form says so before it's lost", async () => {
    await open()
    const view = await openForm()
    const link = 'https://example.com/lamp.jpg'
    expect(await submit(view, { Media: link, AltText: 'A lamp' })).toMatchObject({
      errors: { AltText: expect.stringContaining('Only uploaded files can have a description.') },
    })
  })
})

describe('an interrupted upload', () => {
  it('is retried when Slack fails, and the post is sent once', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    upnext.slack.controls.injectFault({ method: 'files.info', error: 'internal_error', times: 2 })
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/Uploading lamp\.jpg/)
    for (let minute = 0; minute < 2; minute++) {
      await upnext.settled()
      upnext.wait({ minutes: 1 })
    }
    await waitForDirectMessage(/Scheduled in Acme/)
    expect(await storedPosts()).toHaveLength(1)
    expect(directMessages()).toHaveLength(1)
    upnext.slack.controls.clearAppPayloads()
  })

  it('ends after eight attempts, and can be tried again', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    upnext.slack.controls.injectFault({ method: 'files.info', error: 'internal_error', times: 8 })
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/Uploading lamp\.jpg/)
    for (let attempt = 1; attempt < 8; attempt++) {
      await upnext.settled()
      expect(directMessages().join()).not.toMatch(/couldn't be fetched/)
      upnext.wait({ minutes: 15 })
    }
    await waitForDirectMessage(/This file couldn't be fetched from Slack\. Try again\./)
    await mara.runAndHear('/upnext outbox', /Your outbox.*lamp\.jpg/s)
    await mara.pressLast('outbox:retry')
    await waitForDirectMessage(/Scheduled in Acme/)
    upnext.slack.controls.clearAppPayloads()
  })

  it('can be discarded in the outbox', async () => {
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', Buffer.from('no image'))
    await submit(view, { MediaFile: [file] })
    await waitForDirectMessage(/couldn't be sent/)
    await mara.runAndHear('/upnext outbox', /Your outbox.*lamp\.jpg/s)
    await mara.pressLast('outbox:discard')
    await mara.hears('Removed from your outbox.')
    expect(await countRows('outbox_item')).toBe(0)
  })
})

describe('an edited post', () => {
  async function scheduleImage(name = 'lamp.jpg') {
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, name, await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    // While an upload moves the clock, Slack would give up waiting for the answer to another form.
    await upnext.settled()
  }

  it('shows its image with a button to remove it, and takes another one', async () => {
    await open()
    await scheduleImage()
    const [before] = await storedPosts()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    expect(shownView()).toMatch(/lamp\.jpg, 400 × 300, [\d.]+ KB.*Remove/)
    expect(shownView()).not.toContain('file_input')
    const remove = { block_id: 'attachment', action_id: 'change:edit:attachment' }
    await mara.dispatchAction({ container: { view: id }, ...remove })
    await vi.waitFor(() => expect(shownView()).toContain('file_input'), MAX_WAIT)
    const other = await pickFile(upnext.slack, mara, 'better.png', await drawNoise(50, 40, 'png'))
    await submit(id, { MediaFile: [other] })
    // Instagram takes JPEG only.
    await mara.confirm('Save anyway')
    await waitForDirectMessage(/Saved the changes in Acme/)
    const posts = await storedPosts()
    expect(posts).toHaveLength(1)
    expect(posts[0].media).toMatch(MEDIA_LINK)
    expect(posts[0].media).not.toBe(before.media)
    const { rows: edits } = await upnext.service.pool.query(
      `select outcome from upnext.audit_entry join service.post on post.id::text = target where action = 'edit'`,
    )
    expect(edits).toEqual([{ outcome: 'done' }])
  })

  it('keeps its description, although a later post has another one for the same image', async () => {
    await open()
    const view = await openForm('Launch day! in 3 days 9am on X')
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await submit(view, { MediaFile: [file], AltText: 'A red lamp' })
    await waitForDirectMessage(/Scheduled in Acme/)
    await upnext.service.pool.query("update service.post set media_description = 'A red lamp'")
    await upnext.service.pool.query("update upnext.media_upload set alt_text = 'The lamp in our shop'")
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    expect(shownView()).toContain('A red lamp')
    expect(shownView()).not.toContain('The lamp in our shop')
  })

  it('keeps its image when something else is changed', async () => {
    await open()
    await scheduleImage()
    const [before] = await storedPosts()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch week!' }) },
      /Saved the changes/,
    )
    expect(await storedPosts()).toEqual([{ ...before, content: 'Launch week!' }])
  })

  it('reports a change by someone else during the upload, and can replace it', async () => {
    await open()
    await scheduleImage()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'attachment',
      action_id: 'change:edit:attachment',
    })
    await vi.waitFor(() => expect(shownView()).toContain('file_input'), MAX_WAIT)
    await upnext.service.pool.query("update service.post set content = 'Lunch & day', version = version + 1")
    await submit(id, { MediaFile: [await pickFile(upnext.slack, mara, 'other.jpg', await takePhoto())] })
    await waitForDirectMessage(
      /couldn't be sent.*Someone else changed this post\. It is now: \\"Lunch &amp; day/,
    )
    await mara.runAndHear('/upnext outbox', /Press "Try again" to replace that version/)
    await mara.pressLast('outbox:retry')
    await waitForDirectMessage(/Saved the changes in Acme.*Launch day!/)
    expect(await storedPosts()).toMatchObject([{ content: 'Launch day!' }])
  })
})

describe('a held post', () => {
  it('also takes an image', async () => {
    respond = withoutExtensions
    await open()
    const view = await openForm()
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await mara.showMore()
    await submit(view, { MediaFile: [file], AltText: 'A brass lamp', Status: 'HELD' })
    await waitForDirectMessage(/Held in Upnext for Acme/)
    expect(await countRows("outbox_item where state = 'held'")).toBe(1)
    await mara.runAndHear('/upnext media', /lamp\.jpg.*Used in:.*Launch day! in Acme/s)
    upnext.wait({ minutes: 20 * 60 - 10 })
    await vi.waitFor(async () => expect(await storedPosts()).toHaveLength(1), MAX_WAIT)
    await upnext.settled()
    expect(await countRows('media_upload where alt_text is not null')).toBe(1)
  })
})

describe('/upnext media', () => {
  it('shows where an upload is used, and deletes unused ones', async () => {
    await open()
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    await mara.runAndHear('/upnext media', /lamp\.jpg.*Used in:.*Launch day! in Acme/s)
    expect(JSON.stringify(mara.lastMessage()?.blocks)).not.toContain('media:delete')
    const [{ media }] = await storedPosts()
    await upnext.service.pool.query('delete from service.post')
    await mara.runAndHear('/upnext media', /lamp\.jpg.*Not used\./s)
    await mara.pressLast('media:delete')
    await mara.hears('Deleted lamp.jpg.')
    expect((await fetch(media)).status).toBe(404)
    expect(await countRows('media_file')).toBe(0)
    await mara.runAndHear('/upnext media', /haven't uploaded anything/)
  })

  it('keeps an upload that a plan in review uses', async () => {
    await open()
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const [{ media }] = await storedPosts()
    await upnext.service.pool.query('delete from service.post')
    const { importText, seesReview } = planner(() => ({ upnext, mara }))
    // Without a platform, the row needs attention.
    await importText(`Second day! monday 9am ${media}`)
    await seesReview(/Second day!.*Platforms: missing/)
    await mara.runAndHear('/upnext media', /lamp\.jpg.*Used in:.*Second day! \(not sent yet\)/s)
    expect(JSON.stringify(mara.lastMessage()?.blocks)).not.toContain('media:delete')
  })

  it('shows that a post that failed days ago can still use an upload', async () => {
    await open()
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const failure = { platform: 'INSTAGRAM', state: 'FAILED', error: 'token expired' }
    await upnext.service.pool.query(
      "update service.post set status = 'FAILED', schedule_date = $1, results = $2, version = version + 1",
      ['2026-11-18T08:00Z', JSON.stringify([{ ...failure, at: '2026-11-18T08:00:10.000Z' }])],
    )
    await mara.runAndHear('/upnext media', /lamp\.jpg.*Used in:.*Launch day! in Acme/s)
    expect(JSON.stringify(mara.lastMessage()?.blocks)).not.toContain('media:delete')
  })

  it('begins with the uploads that can be deleted', async () => {
    await open()
    for (const name of ['first', 'second']) {
      const view = await openForm(`Our ${name} lamp tomorrow ${name === 'first' ? 9 : 11}am on X`)
      const file = await pickFile(upnext.slack, mara, `${name}.jpg`, await takePhoto())
      await submit(view, { MediaFile: [file] })
      await waitForDirectMessage(new RegExp(`Scheduled in Acme.*Our ${name} lamp`))
      await upnext.settled()
      upnext.wait({ minutes: 1 })
    }
    await mara.runAndHear('/upnext media', /second\.jpg.*first\.jpg/s)
    await upnext.service.pool.query("delete from service.post where content = 'Our first lamp'")
    await mara.runAndHear('/upnext media', /first\.jpg.*Not used\..*second\.jpg.*Used in:/s)
  })
})

describe('an upload', () => {
  it('is kept for a change that waits for approval', async () => {
    const yuki = await openWithApproval()
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    await submit(id, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await vi.waitFor(
      () => expect(directMessages(yuki).join()).toMatch(/asks for your approval to change/),
      MAX_WAIT,
    )
    upnext.wait({ minutes: 25 * 60 })
    await upnext.settled()
    expect(await countRows('media_upload')).toBe(1)
  })

  const DAY = 24 * 60
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      upnext.wait({ minutes: DAY })
      await upnext.settled()
    }
  }

  it('is deleted 30 days after its post was cancelled, or after a day if unused', async () => {
    await open()
    const view = await openForm('Launch day! on 1 march 2027 9am on Instagram')
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const [{ media }] = await storedPosts()
    await passDays(35)
    expect((await fetch(media)).status).toBe(200)
    await upnext.service.pool.query('delete from service.post')
    await passDays(29)
    expect((await fetch(media)).status).toBe(200)
    await passDays(3)
    expect((await fetch(media)).status).toBe(404)
    expect(await countRows('media_chunk')).toBe(0)
  })

  it('is kept while a page of the projects cannot be read', async () => {
    await open()
    const view = await openForm()
    await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
    await waitForDirectMessage(/Scheduled in Acme/)
    const next = '/api/v1/projects?page=2'
    respond = ({ url }) => {
      if (url.endsWith(next)) return new Response(null, { status: 500 })
      return url.endsWith('/projects')
        ? Response.json({ data: [{ id: upnext.project, name: 'Acme' }], links: { next } })
        : undefined
    }
    await upnext.service.pool.query('delete from service.post')
    await passDays(35)
    expect(await countRows('media_upload')).toBe(1)
  })

  it.each([2089, 10_100])('is kept while posts after %i others need it', async (count) => {
    await open()
    await upnext.service.addPosts(upnext.project, { count, from: '2026-12-01T09:00Z' })
    for (const text of ['Launch day!', 'Launch week!']) {
      const view = await openForm(`${text} on 1 march 2027 9am on Instagram`)
      await submit(view, { MediaFile: [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())] })
      await waitForDirectMessage(new RegExp(`Scheduled in Acme.*${text}`))
    }
    await passDays(2)
    for (const { media } of (await storedPosts()).filter(({ media }) => media))
      expect((await fetch(media)).status).toBe(200)
    expect(await countRows('media_upload')).toBe(2)
  })
})
