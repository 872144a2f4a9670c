import { expect } from 'vitest'
import { expectRefusal } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

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
async function upload({ client }: Opened, { name = 'lamp.png', ...about }: About) {
  const announced = await client.files.getUploadURLExternal({ filename: name, length: bytes.length })
  const { upload_url = '', file_id: id = '' } = announced
  await fetch(upload_url, { method: 'POST', body: bytes })
  const given = { files: [{ id, title: 'A lamp' }], ...about }
  return { id, answer: await client.apiCall('files.completeUploadExternal', given) }
}

const infoOf = async (slack: Opened, about: About) =>
  (await slack.client.files.info({ file: (await upload(slack, about)).id })).file

export const files = {
  'files.getUploadURLExternal says where to put a file': async ({ client }) => {
    const announced = await client.files.getUploadURLExternal({ filename: 'lamp.png', length: 7 })
    expect(announced).toMatchObject({
      ok: true,
      upload_url: expect.stringMatching(/^https?:/),
      file_id: expect.stringMatching(/^F/),
    })
    const put = await fetch(announced.upload_url ?? '', { method: 'POST', body: 'a lamp!' })
    expect(put.status).toBe(200)
  },

  'files.getUploadURLExternal takes no empty file': async ({ client }) => {
    const call = client.files.getUploadURLExternal({ filename: 'lamp.png', length: 0 })
    await expectRefusal(call, 'missing_argument')
  },

  'files.completeUploadExternal answers with the file': async (slack) => {
    const { id, answer } = await upload(slack, {})
    expect(answer).toMatchObject({ ok: true, files: [{ id, title: 'A lamp' }] })
  },

  'files.completeUploadExternal shares a file in a channel': async (slack) => {
    const { joined } = slack.channels
    const { id } = await upload(slack, { channel_id: joined })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ user: slack.botUserId, files: [{ id, title: 'A lamp' }] })
  },

  'files.completeUploadExternal finds no file that was not uploaded': async ({ client }) => {
    const { file_id: id = '' } = await client.files.getUploadURLExternal({ filename: 'x.png', length: 1 })
    await expectRefusal(client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
    const unknown = client.files.completeUploadExternal({ files: [{ id: 'F000NOFILE' }] })
    await expectRefusal(unknown, 'file_not_found')
  },

  'files.completeUploadExternal takes a file once': async (slack) => {
    const { id } = await upload(slack, {})
    await expectRefusal(slack.client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
  },

  'files.completeUploadExternal knows no other channel': async (slack) => {
    await expectRefusal(upload(slack, { channel_id: 'C000NOWHERE' }), 'channel_not_found')
  },

  'files.completeUploadExternal shares a file where the bot is, and nowhere else': async (slack) => {
    await expectRefusal(upload(slack, { channel_id: slack.channels.other }), 'not_in_channel')
  },

  'files.completeUploadExternal shares a file in several places, with people too': async (slack) => {
    const { client, person, channels } = slack
    const { id } = await upload(slack, { channels: `${channels.joined},${person.id}` })
    const { channel } = await client.conversations.open({ users: person.id })
    for (const place of [channels.joined, channel?.id ?? '']) {
      const { messages } = await client.conversations.history({ channel: place })
      expect(messages?.[0]).toMatchObject({ files: [{ id }] })
    }
  },

  'files.completeUploadExternal takes the comment, and not the blocks beside it': async (slack) => {
    const { joined } = slack.channels
    const blocks = [{ type: 'section', block_id: 'mine', text: { type: 'mrkdwn', text: 'Blocks' } }]
    await upload(slack, { channel_id: joined, initial_comment: 'A comment', blocks })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ text: 'A comment' })
    expect(messages?.[0]?.blocks ?? []).not.toMatchObject(blocks)
  },

  'filesUploadV2 does all three steps, with a word about the file': async ({
    client,
    channels: { joined },
  }) => {
    const about = { filename: 'lamp.png', title: 'A lamp', initial_comment: 'Look!' }
    const result = await client.filesUploadV2({ channel_id: joined, file: bytes, ...about })
    expect(result.files).toMatchObject([{ ok: true, files: [{ title: 'A lamp' }] }])
    const { messages } = await client.conversations.history({ channel: joined })
    expect(messages?.[0]).toMatchObject({ text: 'Look!', files: [{ title: 'A lamp' }] })
  },

  'filesUploadV2 answers in a thread': async ({ client, say, channels: { joined } }) => {
    const ts = await say('Which lamp?')
    await client.filesUploadV2({ channel_id: joined, thread_ts: ts, file: bytes, filename: 'lamp.png' })
    const { messages } = await client.conversations.replies({ channel: joined, ts })
    expect(messages?.[1]).toMatchObject({ thread_ts: ts, files: [{ name: 'lamp.png' }] })
  },

  'files.info tells of a file': async (slack) => {
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

  'files.info has the comments on a file, page by page': async (slack) => {
    const { id: file } = await upload(slack, {})
    const paged = { comments: [], response_metadata: { next_cursor: '' } }
    expect(await slack.client.files.info({ file })).toMatchObject(paged)
  },

  'files.info has an address for the public': async (slack) => {
    expect(await infoOf(slack, {})).toMatchObject({ permalink_public: expect.stringMatching(/^https?:/) })
  },

  'files.info has the words for those who cannot see the picture': async ({ client }) => {
    const about = { filename: 'lamp.png', length: bytes.length, alt_text: 'A red lamp' }
    const { upload_url = '', file_id: id = '' } = await client.files.getUploadURLExternal(about)
    await fetch(upload_url, { method: 'POST', body: bytes })
    await client.files.completeUploadExternal({ files: [{ id }] })
    expect((await client.files.info({ file: id })).file).toMatchObject({ alt_txt: 'A red lamp' })
  },

  'files.info says in which messages a file was shared': async (slack) => {
    const { joined } = slack.channels
    const file = await infoOf(slack, { channel_id: joined })
    const { messages } = await slack.client.conversations.history({ channel: joined })
    expect(file?.shares?.public?.[joined]).toMatchObject([{ ts: messages?.[0]?.ts, reply_count: 0 }])
  },

  'files.info says whether a file is in a public channel': async (slack) => {
    expect(await infoOf(slack, {})).toMatchObject({ is_public: false })
    expect(await infoOf(slack, { channel_id: slack.channels.joined })).toMatchObject({ is_public: true })
  },

  'files.info keeps private channels apart from public ones': async (slack) => {
    const { secret } = slack.channels
    const file = await infoOf(slack, { channel_id: secret })
    expect(file).toMatchObject({ channels: [], groups: [secret], is_public: false })
  },

  'files.info calls a .txt text': async (slack) => {
    expect(await infoOf(slack, { name: 'lamp.txt' })).toMatchObject({
      mimetype: 'text/plain',
      filetype: 'text',
    })
  },

  'files.info knows no other file': async ({ client }) => {
    await expectRefusal(client.files.info({ file: 'F000NOFILE' }), 'file_not_found')
  },

  'a file is there for those who have the token': async (slack) => {
    const file = await infoOf(slack, {})
    const headers = { authorization: `Bearer ${slack.client.token}` }
    for (const address of [file?.url_private ?? '', file?.url_private_download ?? '']) {
      const response = await fetch(address, { headers })
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    }
  },
} satisfies Cases
