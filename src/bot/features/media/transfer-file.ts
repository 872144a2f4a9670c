import type { WebClient } from '@slack/web-api'
import type { Bot } from '../../slack/bot.ts'
import { checkChannelAccess } from '../../slack/check-channel-access.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import { readSlackFile, type SlackFile } from '../../slack/slack-file.ts'
import { cleanImage } from './clean-image.ts'
import { fetchSlackFile } from './fetch-slack-file.ts'
import { MediaError, type MediaProblem } from './media-problems.ts'
import { countStoredBytes, deleteFile, readRange, saveVideoProperties, storeFile } from './media-store.ts'
import { detectMediaType, type ImageType, isImage, TYPE_SAMPLE_BYTES, type VideoType } from './media-type.ts'
import { readVideo } from './read-video.ts'
import type { MediaFileRow } from './tables.ts'
import { MAX_FILE_BYTES } from './upload-limits.ts'

export type FileSource = {
  client: WebClient
  botToken: string
  /** The only origin that files are fetched from. */
  origin: string
}

type UploadingBot = Pick<Bot, 'db' | 'runtime' | 'uploads' | 'directory'>

const storageOptions = ({ runtime, uploads }: UploadingBot) => {
  return { now: runtime.now(), maxWorkspaceBytes: uploads.current.maxWorkspaceBytes }
}

type Transfer = { team_id: string; user_id: string; file: SlackFile; signal: AbortSignal }

export type TransferResult =
  | { kind: 'stored'; file: MediaFileRow }
  | { kind: 'failed'; problem: MediaProblem }

const failTransfer = (problem: MediaProblem): TransferResult => ({ kind: 'failed', problem })

/** Fetches a file from Slack and stores it, if it's safe to serve. */
export async function transferFile(
  bot: UploadingBot,
  source: FileSource,
  { team_id, user_id, file, signal }: Transfer,
): Promise<TransferResult> {
  const opened = await openFile(bot, source, { team_id, user_id, file, signal }, MAX_FILE_BYTES)
  if (typeof opened === 'string') return failTransfer(opened)
  const { chunks, size } = opened
  const { maxWorkspaceBytes } = bot.uploads.current
  if ((await countStoredBytes(bot.db, team_id)) + size > maxWorkspaceBytes) {
    await chunks.return(undefined)
    return failTransfer('no space')
  }
  try {
    return await storeContent(bot, { team_id, chunks, signal })
  } catch (error) {
    if (error instanceof MediaError) return failTransfer(error.problem)
    throw error
  }
}

type OpenedFile = { chunks: AsyncGenerator<Uint8Array>; size: number }

/** Fetches a file from Slack if the user may see it. */
export async function openFile(
  bot: UploadingBot,
  { client, botToken, origin }: FileSource,
  { team_id, user_id, file, signal }: Transfer,
  maxBytes: number,
): Promise<OpenedFile | MediaProblem> {
  const lookup = findFile(bot, { client, team_id, user_id }, file.id)
  const found = await Promise.race([lookup, failWhenAborted(signal)])
  if (found.kind === 'failed') return found.problem
  const { url, size } = found
  if (size > maxBytes) return 'too large'
  const request = { url, botToken, allowedOrigin: origin, maxBytes, signal }
  const chunks = await fetchSlackFile(bot.runtime, request)
  return typeof chunks === 'string' ? chunks : { chunks, size }
}

/** Ends the wait for Slack's client, which can't be interrupted. */
const failWhenAborted = (signal: AbortSignal) =>
  new Promise<{ kind: 'failed'; problem: MediaProblem }>((resolve) => {
    const end = () => resolve({ kind: 'failed', problem: 'unreachable' })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

type FoundFile = { kind: 'found'; url: string; size: number } | { kind: 'failed'; problem: MediaProblem }

type FileUser = { client: WebClient; team_id: string; user_id: string }
type FoundFileInfo = Awaited<ReturnType<WebClient['files']['info']>>['file']

const MAX_CHANNELS = 5

/** A file id can be forged. Users may post their own files, and files in channels that they can see. */
async function maySee(bot: UploadingBot, user: FileUser, file: FoundFileInfo): Promise<boolean> {
  if (file?.user === user.user_id) return true
  for (const channel of [...(file?.groups ?? []), ...(file?.channels ?? [])].slice(0, MAX_CHANNELS))
    if ((await checkChannelAccess(bot, user, channel)) === 'yes') return true
  return false
}

/** Asks Slack for the file's address. If another organization owns the file, only its id is known until then. */
async function findFile(bot: UploadingBot, user: FileUser, id: string): Promise<FoundFile> {
  try {
    const { file } = await user.client.files.info({ file: id })
    if (!(await maySee(bot, user, file))) return { kind: 'failed', problem: 'no access' }
    const { url_private_download: url } = (file ?? {}) as { url_private_download?: string }
    const size = readSlackFile(file)?.size ?? 0
    return url ? { kind: 'found', url, size } : { kind: 'failed', problem: 'no access' }
  } catch (error) {
    const code = slackErrorCode(error)
    const hasNoAccess = ['file_not_found', 'file_deleted', 'missing_scope', 'access_denied'].includes(
      code ?? '',
    )
    return { kind: 'failed', problem: hasNoAccess ? 'no access' : 'unreachable' }
  }
}

type Content = { team_id: string; chunks: AsyncGenerator<Uint8Array>; signal: AbortSignal }

async function storeContent(
  bot: UploadingBot,
  { team_id, chunks, signal }: Content,
): Promise<TransferResult> {
  const beginning = await readAtLeast(chunks, TYPE_SAMPLE_BYTES)
  const detected = await detectMediaType(beginning)
  if ('problem' in detected) {
    await chunks.return(undefined)
    return failTransfer(detected.problem)
  }
  const { type } = detected
  const content = prependChunk(beginning, chunks)
  return isImage(type)
    ? storeImage(bot, { team_id, type, content, signal })
    : storeVideo(bot, { team_id, type, content })
}

type Typed<Type> = { team_id: string; type: Type; content: AsyncIterable<Uint8Array> }

async function storeImage(
  bot: UploadingBot,
  { team_id, type, content, signal }: Typed<ImageType> & { signal: AbortSignal },
): Promise<TransferResult> {
  const result = await cleanImage({ type, content, signal }, ({ content: cleaned, ...properties }) =>
    storeFile(bot.db, { team_id, content_type: type, ...properties }, cleaned, storageOptions(bot)),
  )
  return 'problem' in result ? failTransfer(result.problem) : { kind: 'stored', file: result }
}

/** A video is too large to be held in memory, so it is checked once it is stored. */
async function storeVideo(
  bot: UploadingBot,
  { team_id, type, content }: Typed<VideoType>,
): Promise<TransferResult> {
  const file = await storeFile(bot.db, { team_id, content_type: type }, content, storageOptions(bot))
  const properties = await readVideo(file.size, (range) => readRange(bot.db, file.id, range))
  if (properties) return { kind: 'stored', file: await saveVideoProperties(bot.db, file, properties) }
  await deleteFile(bot.db, file.id)
  return failTransfer('damaged')
}

async function readAtLeast(chunks: AsyncGenerator<Uint8Array>, minBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  while (size < minBytes) {
    const { value, done } = await chunks.next()
    if (done) break
    parts.push(value)
    size += value.byteLength
  }
  return Buffer.concat(parts)
}

async function* prependChunk(beginning: Buffer, rest: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield beginning
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
