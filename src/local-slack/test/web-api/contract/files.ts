import { expect } from 'vitest'
import { expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

/** One pixel. */
const bytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type About = {
  name?: string
  channel_id?: string
  channels?: string
  initial_comment?: string
  blocks?: object[]
}

/** Uploads the bytes and shares them, or keeps them for itself. */
async function upload({ client }: Implementation, { name = 'lamp.png', ...about }: About) {
  const announced = await client.files.getUploadURLExternal({ filename: name, length: bytes.length })
  const { upload_url = '', file_id: id = '' } = announced
  await fetch(upload_url, { method: 'POST', body: bytes })
  const given = { files: [{ id, title: 'A lamp' }], ...about }
  return { id, answer: await client.apiCall('files.completeUploadExternal', given) }
}

const infoOf = async (slack: Implementation, about: About) =>
  (await slack.client.files.info({ file: (await upload(slack, about)).id })).file

export const files = {
  'files.getUploadURLExternal returns an upload URL': async ({ client }) => {
    const announced = await client.files.getUploadURLExternal({ filename: 'lamp.png', length: 7 })
    expect(announced).toMatchObject({
      ok: true,
      upload_url: expect.stringMatching(/^https?:/),
      file_id: expect.stringMatching(/^F/),
    })
    const put = await fetch(announced.upload_url ?? '', { method: 'POST', body: 'a lamp!' })
    expect(put.status).toBe(200)
  },

  'files.getUploadURLExternal refuses an empty file': async ({ client }) => {
    const call = client.files.getUploadURLExternal({ filename: 'lamp.png', length: 0 })
    await expectApiError(call, 'missing_argument')
  },

  'files.completeUploadExternal returns the file': async (slack) => {
    const { id, answer } = await upload(slack, {})
    expect(answer).toMatchObject({ ok: true, files: [{ id, title: 'A lamp' }] })
  },

  'files.completeUploadExternal shares a file in a channel': async (slack) => {
    const { joined } = slack.channels
    const { id } = await upload(slack, { channel_id: joined })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ user: slack.botUserId, files: [{ id, title: 'A lamp' }] })
  },

  'files.completeUploadExternal refuses a file without an upload': async ({ client }) => {
    const { file_id: id = '' } = await client.files.getUploadURLExternal({ filename: 'x.png', length: 1 })
    await expectApiError(client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
    const unknown = client.files.completeUploadExternal({ files: [{ id: 'F000NOFILE' }] })
    await expectApiError(unknown, 'file_not_found')
  },

  'files.completeUploadExternal refuses to complete an upload twice': async (slack) => {
    const { id } = await upload(slack, {})
    await expectApiError(slack.client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
  },

  'files.completeUploadExternal refuses an unknown channel': async (slack) => {
    await expectApiError(upload(slack, { channel_id: 'C000NOWHERE' }), 'channel_not_found')
  },

  "files.completeUploadExternal shares a file only in the bot's channels": async (slack) => {
    await expectApiError(upload(slack, { channel_id: slack.channels.other }), 'not_in_channel')
  },

  'files.completeUploadExternal shares a file in several channels and with users': async (slack) => {
    const { client, user, channels } = slack
    const { id } = await upload(slack, { channels: `${channels.joined},${user.id}` })
    const { channel } = await client.conversations.open({ users: user.id })
    for (const place of [channels.joined, channel?.id ?? '']) {
      const { messages } = await client.conversations.history({ channel: place })
      expect(messages?.[0]).toMatchObject({ files: [{ id }] })
    }
  },

  'files.completeUploadExternal uses the comment rather than the blocks': async (slack) => {
    const { joined } = slack.channels
    const blocks = [{ type: 'section', block_id: 'mine', text: { type: 'mrkdwn', text: 'Blocks' } }]
    await upload(slack, { channel_id: joined, initial_comment: 'A comment', blocks })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ text: 'A comment' })
    expect(messages?.[0]?.blocks ?? []).not.toMatchObject(blocks)
  },

  'filesUploadV2 runs all three upload steps, with a comment': async ({ client, channels: { joined } }) => {
    const about = { filename: 'lamp.png', title: 'A lamp', initial_comment: 'Look!' }
    const result = await client.filesUploadV2({ channel_id: joined, file: bytes, ...about })
    expect(result.files).toMatchObject([{ ok: true, files: [{ title: 'A lamp' }] }])
    const { messages } = await client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ text: 'Look!', files: [{ title: 'A lamp' }] })
  },

  'filesUploadV2 shares a file in a thread': async ({ client, postAsUser, channels: { joined } }) => {
    const ts = await postAsUser('Which lamp?')
    await client.filesUploadV2({ channel_id: joined, thread_ts: ts, file: bytes, filename: 'lamp.png' })
    const { messages } = await client.conversations.replies({ channel: joined, ts })
    expect(messages?.[1]).toMatchObject({ thread_ts: ts, files: [{ name: 'lamp.png' }] })
  },

  'files.info returns a file': async (slack) => {
    const file = await infoOf(slack, { channel_id: slack.channels.joined })
    const address = expect.stringMatching(/^https?:.*F/)
    expect(file).toMatchObject({
      name: 'lamp.png',
      title: 'A lamp',
      mimetype: 'image/png',
      filetype: 'png',
      pretty_type: 'PNG',
      user: slack.botUserId,
      size: bytes.length,
      mode: 'hosted',
      created: expect.any(Number),
      timestamp: expect.any(Number),
      is_external: false,
      public_url_shared: false,
      url_private: address,
      url_private_download: address,
      permalink: address,
      channels: [slack.channels.joined],
      groups: [],
      ims: [],
    })
  },

  'files.info returns the comments of a file page by page': async (slack) => {
    const { id: file } = await upload(slack, {})
    const paged = { comments: [], response_metadata: { next_cursor: '' } }
    expect(await slack.client.files.info({ file })).toMatchObject(paged)
  },

  'files.info returns whether the file has a public URL': async (slack) => {
    expect(await infoOf(slack, {})).toMatchObject({ permalink_public: expect.stringMatching(/^https?:/) })
  },

  'files.info returns the alternative text': async ({ client }) => {
    const about = { filename: 'lamp.png', length: bytes.length, alt_text: 'A red lamp' }
    const { upload_url = '', file_id: id = '' } = await client.files.getUploadURLExternal(about)
    await fetch(upload_url, { method: 'POST', body: bytes })
    await client.files.completeUploadExternal({ files: [{ id }] })
    expect((await client.files.info({ file: id })).file).toMatchObject({ alt_txt: 'A red lamp' })
  },

  'files.info returns the messages that share a file': async (slack) => {
    const { joined } = slack.channels
    const file = await infoOf(slack, { channel_id: joined })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(file?.shares?.public?.[joined]).toMatchObject([{ ts: messages?.[0]?.ts, reply_count: 0 }])
  },

  'files.info returns whether a file is in a public channel': async (slack) => {
    expect(await infoOf(slack, {})).toMatchObject({ is_public: false })
    expect(await infoOf(slack, { channel_id: slack.channels.joined })).toMatchObject({ is_public: true })
  },

  'files.info lists private and public channels separately': async (slack) => {
    const { secret } = slack.channels
    const file = await infoOf(slack, { channel_id: secret })
    expect(file).toMatchObject({ channels: [], groups: [secret], is_public: false })
  },

  'files.info returns the type `text` for a .txt file': async (slack) => {
    expect(await infoOf(slack, { name: 'lamp.txt' })).toMatchObject({
      mimetype: 'text/plain',
      filetype: 'text',
    })
  },

  'files.info refuses an unknown file': async ({ client }) => {
    await expectApiError(client.files.info({ file: 'F000NOFILE' }), 'file_not_found')
  },

  'a file can be downloaded with the token': async (slack) => {
    const file = await infoOf(slack, {})
    const headers = { authorization: `Bearer ${slack.client.token}` }
    for (const address of [file?.url_private ?? '', file?.url_private_download ?? '']) {
      const response = await fetch(address, { headers })
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    }
  },
} satisfies Cases
