import { describe, expect, it } from 'vitest'
import { fixedRuntime } from '../fixed-runtime.ts'
import { apiErrorOf, expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, type OpenSlack, openSlack } from './open-slack.ts'

const bytes = Buffer.from('lamps, lamps, lamps')

/** The bytes as a file of that name; where it is. */
async function upload({ client, launch }: OpenSlack, filename: string, { isShared = true } = {}) {
  const { upload_url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
    filename,
    length: bytes.length,
  })
  await fetch(upload_url, { method: 'POST', body: bytes })
  const given = { files: [{ id }], ...(isShared && { channel_id: launch }) }
  const answer = await client.apiCall('files.completeUploadExternal', given)
  const { url_private = '', url_private_download = '' } = Object(answer).files[0]
  return {
    id: String(id),
    url_private: String(url_private),
    url_private_download: String(url_private_download),
  }
}

describe('files', () => {
  it('lets an app with files:read download a file', async () => {
    const slack = await openSlack()
    const file = await upload(slack, 'lamps.csv')
    const headers = { authorization: `Bearer ${slack.secrets.botToken}` }
    const shown = await fetch(file.url_private, { headers })
    expect([await shown.text(), shown.headers.get('content-type')]).toEqual([String(bytes), 'text/csv'])
    const saved = await fetch(file.url_private_download, { headers })
    expect([await saved.text(), saved.headers.get('content-disposition')]).toEqual([
      String(bytes),
      expect.stringMatching(/^attachment/),
    ])
  })

  it('shows a sign-in page with status 200 without a valid token', async () => {
    const slack = await openSlack()
    const file = await upload(slack, 'lamps.csv')
    for (const authorization of ['', 'Bearer xoxb-nobody', 'Bearer ', `Bearer ${slack.secrets.appToken}`])
      for (const address of [file.url_private, file.url_private_download]) {
        const response = await fetch(address, { headers: { ...(authorization && { authorization }) } })
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toMatch(/^text\/html/)
        expect(await response.text()).not.toContain(String(bytes))
      }
  })

  it('shows a sign-in page to an app without files:read', async () => {
    const slack = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    await slack.mara.inviteToChannel({ channel: slack.launch, user: slack.botUserId })
    const { url_private } = await upload(slack, 'lamps.csv')
    const headers = { authorization: `Bearer ${slack.secrets.botToken}` }
    expect(await (await fetch(url_private, { headers })).text()).not.toContain(String(bytes))
  })

  it('shows a shared file to the members of the channel', async () => {
    const slack = await openSlack()
    const { id } = await upload(slack, 'lamps.csv')
    expect(slack.mara.state().messages[slack.launch]?.at(-1)).toMatchObject({ files: [{ id }] })
  })

  it('hides a file in a private channel from an app that is not a member', async () => {
    const slack = await openSlack()
    const address = `${slack.url}/page/files?session=${slack.mara.state().sessionId}&name=lamps.csv`
    const { id } = Object(await (await fetch(address, { method: 'POST', body: bytes })).json())
    await slack.mara.sendMessage({ channel: slack.board, text: '', files: [id] })
    const shared = slack.mara.state().messages[slack.board]?.at(-1)?.files?.[0]
    const headers = { authorization: `Bearer ${slack.secrets.botToken}` }
    const download = await fetch(shared && 'url_private' in shared ? shared.url_private : '', { headers })
    expect(await download.text()).not.toBe(String(bytes))
    await expectApiError(slack.client.files.info({ file: id }), 'file_not_found')
  })

  it('accepts an upload as a multipart form', async () => {
    const { client } = await openSlack()
    const announced = { filename: 'lamps.csv', length: bytes.length }
    const { upload_url = '', file_id: id = '' } = await client.files.getUploadURLExternal(announced)
    const body = new FormData()
    body.set('body', new Blob([bytes]), 'lamps.csv')
    expect((await fetch(upload_url, { method: 'POST', body })).status).toBe(200)
    await client.files.completeUploadExternal({ files: [{ id }] })
    expect((await client.files.info({ file: id })).file?.size).toBe(bytes.length)
  })
})

describe('blocks with a slack_file', () => {
  const image = (slack_file: object) => ({ type: 'image', alt_text: 'A lamp', slack_file })
  const show = ({ client, launch }: OpenSlack, slack_file: object) =>
    client.apiCall('chat.postMessage', { channel: launch, text: 'x', blocks: [image(slack_file)] })
  const publish = ({ client, mara }: OpenSlack, slack_file: object) =>
    client.apiCall('views.publish', {
      user_id: mara.userId,
      view: { type: 'home', blocks: [image(slack_file)] },
    })
  const problem = expect.stringMatching(/invalid slack file/)
  const messages = { response_metadata: { messages: [problem] } }

  it('rejects a block with a file that has not been processed', async () => {
    const slack = await openSlack()
    const { id, url_private } = await upload(slack, 'lamp.png')
    slack.controls.advanceClock({ seconds: 0.9 })
    for (const slack_file of [{ id }, { url: url_private }]) {
      expect(await apiErrorOf(show(slack, slack_file))).toMatchObject({
        error: 'invalid_blocks',
        ...messages,
      })
      expect(await apiErrorOf(publish(slack, slack_file))).toMatchObject({
        error: 'invalid_arguments',
        ...messages,
      })
    }
    slack.controls.advanceClock({ seconds: 0.1 })
    for (const slack_file of [{ id }, { url: url_private }]) {
      expect(await show(slack, slack_file)).toMatchObject({ ok: true })
      expect(await publish(slack, slack_file)).toMatchObject({ ok: true })
    }
  })

  it('lets only users who see the message read its file', async () => {
    const slack = await openSlack()
    const { id } = await upload(slack, 'lamp.png', { isShared: false })
    slack.controls.advanceClock({ seconds: 1 })
    const statusFor = async (handle: string) => {
      const { sessionId } = slack.openSession(handle).state()
      return (await fetch(`${slack.url}/files-pri/T-${id}/image?session=${sessionId}`)).status
    }
    expect(await statusFor('mara')).toBe(404)
    const channel = slack.mara.state().channels.find(({ name }) => name === 'press')?.id
    await slack.client.apiCall('chat.postMessage', { channel, text: 'x', blocks: [image({ id })] })
    expect(await statusFor('mara')).toBe(200)
    expect(await statusFor('yuki')).toBe(404)
  })

  it('lets only the user of a Home tab or modal read its file', async () => {
    const slack = await openSlack()
    const { id } = await upload(slack, 'lamp.png', { isShared: false })
    slack.controls.advanceClock({ seconds: 1 })
    const statusFor = async (handle: string) => {
      const { sessionId } = slack.openSession(handle).state()
      return (await fetch(`${slack.url}/files-pri/T-${id}/image?session=${sessionId}`)).status
    }
    await publish(slack, { id })
    expect(await statusFor('mara')).toBe(200)
    expect(await statusFor('yuki')).toBe(404)
  })

  it('rejects a slack_file that is not an image', async () => {
    const slack = await openSlack()
    const { id } = await upload(slack, 'lamps.csv')
    slack.controls.advanceClock({ seconds: 10 })
    expect(await apiErrorOf(show(slack, { id }))).toMatchObject({ error: 'invalid_blocks', ...messages })
    expect(await apiErrorOf(show(slack, { id: 'F000NOFILE' }))).toMatchObject({
      error: 'invalid_blocks',
      ...messages,
    })
  })
})

describe('image blocks', () => {
  const fetchImage: typeof fetch = async (address) => {
    const { hostname } = new URL(String(address))
    if (hostname === 'nowhere.example') throw new TypeError('fetch failed')
    const type = hostname === 'page.example' ? 'text/html' : 'image/png'
    const status = hostname === 'gone.example' ? 404 : 200
    return new Response(bytes, { status, headers: { 'content-type': type } })
  }
  const show = ({ client, launch }: OpenSlack, ...hosts: string[]) => {
    const blocks = hosts.map((host) => ({
      type: 'image' as const,
      alt_text: 'x',
      image_url: `https://${host}/a.png`,
    }))
    return client.chat.postMessage({ channel: launch, text: 'x', blocks })
  }

  it('accepts an image block whose image can be downloaded', async () => {
    const slack = await openSlack({ runtime: { ...fixedRuntime, fetch: fetchImage } })
    expect(await show(slack, 'lamps.example')).toMatchObject({ ok: true })
  })

  it.each(['gone.example', 'nowhere.example', 'page.example'])(
    'rejects the whole message for an image from %s',
    async (host) => {
      const slack = await openSlack({ runtime: { ...fixedRuntime, fetch: fetchImage } })
      const problem = 'downloading image failed [json-pointer:/blocks/1/image_url]'
      expect(await apiErrorOf(show(slack, 'lamps.example', host))).toMatchObject({
        error: 'invalid_blocks',
        errors: [problem],
        response_metadata: { messages: [`[ERROR] ${problem}`] },
      })
    },
  )
})

describe('uploads', () => {
  it('rejects an upload of another length than announced', async () => {
    const { client } = await openSlack()
    const announced = { filename: 'lamps.csv', length: bytes.length + 1 }
    const { upload_url = '', file_id: id = '' } = await client.files.getUploadURLExternal(announced)
    expect((await fetch(upload_url, { method: 'POST', body: bytes })).status).not.toBe(200)
    await expectApiError(client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
  })
})
