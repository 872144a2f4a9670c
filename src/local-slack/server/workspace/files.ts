import { type ChannelKind, maySee } from './channels.ts'
import type { Slack } from './slack.ts'

/** A place that somebody may put a file's bytes in, before it is shared. */
export type Upload = {
  key: string
  file: string
  filename: string
  length: number
  by: string
  /** For those who cannot see it. */
  alt: string
  bytes?: Buffer
}

export type SharedFile = {
  id: string
  name: string
  title: string
  mimetype: string
  bytes: Buffer
  user: string
  created: Date
  /** Where it was shared. */
  shares: { channel: string; ts: string }[]
  /** The channels that have a message which shows it. */
  shownIn: Set<string>
  /** Who has it from a form. */
  givenTo: Set<string>
  alt: string
  /** Slack looks at a file for a moment after it was completed: until then no block may show it. */
  processed: boolean
}

const PROCESSING_MS = 1000

const KINDS: Record<string, { mimetype: string; pretty: string; type?: string }> = {
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

function kindOf(name: string): { mimetype: string; pretty: string; type: string } {
  const ending = name.split('.').pop()?.toLowerCase() ?? ''
  return { type: ending, ...(KINDS[ending] ?? { mimetype: 'application/octet-stream', pretty: 'Binary' }) }
}

type NewFile = Pick<SharedFile, 'name' | 'title' | 'bytes' | 'user'> & { id?: string; alt?: string }

export function addFile(slack: Slack, { id = slack.ids.next('F'), alt = '', ...file }: NewFile): SharedFile {
  const { mimetype } = kindOf(file.name)
  const added = {
    ...file,
    id,
    alt,
    mimetype,
    created: slack.clock.now(),
    shares: [],
    shownIn: new Set<string>(),
    givenTo: new Set<string>(),
    processed: false,
  }
  slack.files.set(id, added)
  slack.clock.after(PROCESSING_MS, () => {
    added.processed = true
  })
  return added
}

/** As long as an announced upload is waited for. */
const UPLOAD_LIFE_MS = 60 * 60_000

export function startUpload(
  slack: Slack,
  announced: Pick<Upload, 'filename' | 'length' | 'by' | 'alt'>,
): Upload {
  const upload: Upload = { ...announced, key: slack.ids.secret(), file: slack.ids.next('F') }
  slack.uploads.set(upload.key, upload)
  slack.clock.after(UPLOAD_LIFE_MS, () => slack.uploads.delete(upload.key))
  return upload
}

/** What was uploaded under that id, once its bytes have come. */
export const findUpload = ({ uploads }: Slack, id: string, by: string): Upload | undefined =>
  [...uploads.values()].find((upload) => upload.file === id && upload.by === by && upload.bytes)

/** Makes a file of it. */
export function takeUpload(slack: Slack, upload: Upload, title: string | undefined): SharedFile {
  slack.uploads.delete(upload.key)
  const { file: id, filename: name, bytes = Buffer.alloc(0), by: user, alt } = upload
  return addFile(slack, { id, name, title: title ?? name, bytes, user, alt })
}

/** Whose it is, who is where it was shared, and whom it was given to. */
export const mayReadFile = (
  slack: Slack,
  { user, shares, shownIn, givenTo }: SharedFile,
  reader: string,
): boolean =>
  user === reader ||
  givenTo.has(reader) ||
  [...shares.map(({ channel }) => channel), ...shownIn].some((id) => {
    const channel = slack.channels.get(id)
    return channel !== undefined && maySee(slack, channel, reader)
  })

/** A file as files.info and the events tell of it. */
export function fileRecord({ url, team, channels }: Slack, file: SharedFile) {
  const created = Math.floor(file.created.getTime() / 1000)
  const path = `${url}/files-pri/${team.id}-${file.id}`
  const places = (...kinds: ChannelKind[]) => [
    ...new Set(
      file.shares
        .map(({ channel }) => channel)
        .filter((id) => kinds.includes(channels.get(id)?.kind ?? 'im')),
    ),
  ]
  const sharesIn = (...kinds: ChannelKind[]) =>
    Object.fromEntries(
      places(...kinds).map((id) => [
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
    ...(file.alt && { alt_txt: file.alt }),
    mimetype: file.mimetype,
    filetype: kindOf(file.name).type,
    pretty_type: kindOf(file.name).pretty,
    user: file.user,
    user_team: team.id,
    editable: false,
    size: file.bytes.length,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: places('public').length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${path}/${encodeURIComponent(file.name)}`,
    url_private_download: `${path}/download/${encodeURIComponent(file.name)}`,
    permalink: `${url}/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    shares: { public: sharesIn('public'), private: sharesIn('private') },
    channels: places('public'),
    groups: places('private'),
    ims: places('im', 'mpim'),
    comments_count: 0,
    has_rich_preview: false,
    file_access: 'visible',
  }
}
