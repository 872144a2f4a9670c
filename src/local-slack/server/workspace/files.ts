import type { KnownBlock } from '@slack/types'
import { imageSize } from 'image-size'
import { canSee } from './channels.ts'
import type { ChannelKind, SharedFile, Upload } from './entities.ts'
import type { Slack } from './slack.ts'
import { teamOf } from './teams.ts'

const PROCESSING_MS = 1000

const FILE_TYPES: Record<string, { mimetype: string; pretty: string; type?: string }> = {
  png: { mimetype: 'image/png', pretty: 'PNG' },
  jpg: { mimetype: 'image/jpeg', pretty: 'JPEG' },
  jpeg: { mimetype: 'image/jpeg', pretty: 'JPEG', type: 'jpg' },
  gif: { mimetype: 'image/gif', pretty: 'GIF' },
  webp: { mimetype: 'image/webp', pretty: 'WebP' },
  mp4: { mimetype: 'video/mp4', pretty: 'MPEG 4 Video' },
  mov: { mimetype: 'video/quicktime', pretty: 'QuickTime Movie' },
  pdf: { mimetype: 'application/pdf', pretty: 'PDF' },
  csv: { mimetype: 'text/csv', pretty: 'CSV' },
  txt: { mimetype: 'text/plain', pretty: 'Plain Text', type: 'text' },
  json: { mimetype: 'application/json', pretty: 'JSON' },
}

function fileTypeOf(name: string): { mimetype: string; pretty: string; type: string } {
  const extension = name.split('.').pop()?.toLowerCase() ?? ''
  return {
    type: extension,
    ...(FILE_TYPES[extension] ?? { mimetype: 'application/octet-stream', pretty: 'Binary' }),
  }
}

type NewFile = Pick<SharedFile, 'name' | 'title' | 'bytes' | 'user'> & { id?: string; altText?: string }

export function addFile(
  slack: Slack,
  { id = slack.ids.next('F'), altText = '', ...fields }: NewFile,
): SharedFile {
  const { mimetype } = fileTypeOf(fields.name)
  const file = {
    ...fields,
    ...(mimetype.startsWith('image/') && measureImage(fields.bytes)),
    id,
    altText,
    mimetype,
    created: slack.clock.now(),
    shares: [],
    shownInChannels: new Set<string>(),
    receivedBy: new Set<string>(),
    isProcessed: false,
  }
  slack.files.set(id, file)
  slack.clock.after(PROCESSING_MS, () => {
    file.isProcessed = true
  })
  return file
}

/** Slack shows the size of an image that it can read. */
function measureImage(bytes: Buffer): Pick<SharedFile, 'width' | 'height'> {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return {}
  }
}

const UPLOAD_TTL_MS = 60 * 60_000

export function createUpload(
  slack: Slack,
  fields: Pick<Upload, 'filename' | 'length' | 'user' | 'altText'>,
): Upload {
  const upload: Upload = { ...fields, key: slack.ids.secret(), file: slack.ids.next('F') }
  slack.uploads.set(upload.key, upload)
  slack.clock.after(UPLOAD_TTL_MS, () => slack.uploads.delete(upload.key))
  return upload
}

/** Finds a user's upload by file id, if its bytes have arrived. */
export const findUpload = ({ uploads }: Slack, fileId: string, user: string): Upload | undefined =>
  [...uploads.values()].find((upload) => upload.file === fileId && upload.user === user && upload.bytes)

/** Turns an upload into a file. */
export function completeUpload(slack: Slack, upload: Upload, title: string | undefined): SharedFile {
  slack.uploads.delete(upload.key)
  const { file: id, filename: name, bytes = Buffer.alloc(0), user, altText } = upload
  return addFile(slack, { id, name, title: title ?? name, bytes, user, altText })
}

/** A file is readable for its owner, for users who received it, and in the channels that show it. */
export const canReadFile = (
  slack: Slack,
  { user, shares, shownInChannels, receivedBy }: SharedFile,
  reader: string,
): boolean =>
  user === reader ||
  receivedBy.has(reader) ||
  [...shares.map(({ channel }) => channel), ...shownInChannels].some((id) => {
    const channel = slack.channels.get(id)
    return channel !== undefined && canSee(slack, channel, reader)
  })

/** A file in the form of Slack's API. */
export function fileRecord(slack: Slack, file: SharedFile) {
  const { url, team, channels } = slack
  const created = Math.floor(file.created.getTime() / 1000)
  const path = `${url}/files-pri/${team.id}-${file.id}`
  const channelsOf = (...kinds: ChannelKind[]) => [
    ...new Set(
      file.shares
        .map(({ channel }) => channel)
        .filter((id) => kinds.includes(channels.get(id)?.kind ?? 'im')),
    ),
  ]
  const sharesIn = (...kinds: ChannelKind[]) =>
    Object.fromEntries(
      channelsOf(...kinds).map((id) => [
        id,
        file.shares
          .filter(({ channel }) => channel === id)
          .map(({ ts }) => ({ ts, channel_name: channels.get(id)?.name, team_id: team.id, reply_count: 0 })),
      ]),
    )
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    ...(file.altText && { alt_txt: file.altText }),
    mimetype: file.mimetype,
    filetype: fileTypeOf(file.name).type,
    pretty_type: fileTypeOf(file.name).pretty,
    user: file.user,
    user_team: teamOf(slack, file.user).id,
    editable: false,
    size: file.bytes.length,
    ...(file.width && file.height && { original_w: file.width, original_h: file.height }),
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: channelsOf('public').length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${path}/${encodeURIComponent(file.name)}`,
    url_private_download: `${path}/download/${encodeURIComponent(file.name)}`,
    permalink: `${url}/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    shares: { public: sharesIn('public'), private: sharesIn('private') },
    channels: channelsOf('public'),
    groups: channelsOf('private'),
    ims: channelsOf('im', 'mpim'),
    comments_count: 0,
    has_rich_preview: false,
    file_access: 'visible',
  }
}

type SlackFile = { id?: string; url?: string }

type Image = { type: string; slack_file?: SlackFile }

/** Finds the file that a `slack_file` field names. */
export const findSlackFile = ({ files }: Slack, { id, url }: SlackFile): SharedFile | undefined =>
  id ? files.get(id) : [...files.values()].find((file) => url?.includes(`-${file.id}/`))

/** Lists all images in blocks, at any depth, with their JSON pointers. */
export function findImages(value: unknown, pointer: string): { image: Image; pointer: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, child]) => findImages(child, `${pointer}/${key}`))
  return 'type' in value && value.type === 'image' ? [{ image: value as Image, pointer }, ...inside] : inside
}

/** Makes the files that a message shows readable in its channel. */
export function allowShownFiles(slack: Slack, channel: string, blocks: KnownBlock[] = []): void {
  for (const file of shownFiles(slack, blocks)) file.shownInChannels.add(channel)
}

/** Makes the files that a view shows readable for its user. */
export function allowFilesInView(slack: Slack, user: string, blocks: KnownBlock[]): void {
  for (const file of shownFiles(slack, blocks)) file.receivedBy.add(user)
}

const shownFiles = (slack: Slack, blocks: KnownBlock[]): SharedFile[] =>
  findImages(blocks, '').flatMap(({ image }) =>
    image.slack_file ? (findSlackFile(slack, image.slack_file) ?? []) : [],
  )
