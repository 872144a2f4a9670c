import { once } from 'node:events'
import type { WebClient } from '@slack/web-api'
import type { Bot } from '../../slack/bot.ts'
import { checkChannelAccess } from '../../slack/check-channel-access.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import { readSlackFile, type SlackFile } from '../../slack/slack-file.ts'
import { cleanImage } from './clean-image.ts'
import { fetchSlackFile } from './fetch-slack-file.ts'
import { MediaError } from './media-problems.ts'
import {
  countStoredBytes,
  deleteFile,
  type NewFile,
  readRange,
  saveVideoProperties,
  storeFile,
} from './media-store.ts'
import { detectMediaType, isImage, TYPE_SAMPLE_BYTES } from './media-type.ts'
import { readVideo } from './read-video.ts'
import type { MediaFileRow } from './tables.ts'
import { MAX_FILE_BYTES } from './upload-limits.ts'

export type FileWorker = Pick<WorkerContext, 'bot' | 'client' | 'slackFiles'>

const storageOptions = ({ runtime, uploads }: Bot) => {
  return { now: runtime.now(), maxWorkspaceBytes: uploads.current.maxWorkspaceBytes }
}

type Transfer = { team_id: string; user_id: string; file: SlackFile; signal: AbortSignal }

/** Fetches a file from Slack and stores it, if it's safe to serve. Throws a MediaError otherwise. */
export async function transferFile(worker: FileWorker, transfer: Transfer): Promise<MediaFileRow> {
  const { bot } = worker
  const { chunks, size } = await openFile(worker, transfer, MAX_FILE_BYTES)
  try {
    const storedBytes = await countStoredBytes(bot.db, transfer.team_id)
    if (storedBytes + size > bot.uploads.current.maxWorkspaceBytes) throw new MediaError('no space')
    return await storeContent(bot, transfer, chunks)
  } finally {
    // Ends the download if the rest of the file isn't needed. Nothing waits for it, because the next chunk may be late.
    chunks.return(undefined).catch(() => {})
  }
}

type OpenedFile = { chunks: AsyncGenerator<Uint8Array>; size: number }

/** Fetches a file from Slack if the user may see it. Throws a MediaError otherwise. */
export async function openFile(
  { bot, client, slackFiles: { botToken, origin: allowedOrigin } }: FileWorker,
  { team_id, user_id, file, signal }: Transfer,
  maxBytes: number,
): Promise<OpenedFile> {
  const lookup = findFile(bot, { client, team_id, user_id }, file.id)
  const { url, size } = await Promise.race([lookup, failWhenAborted(signal)])
  if (size > maxBytes) throw new MediaError('too large')
  const chunks = await fetchSlackFile(bot.runtime, { url, botToken, allowedOrigin, maxBytes, signal })
  if (typeof chunks === 'string') throw new MediaError(chunks)
  return { chunks, size }
}

/** Rejects when the signal aborts, because a call of Slack's client can't be interrupted. */
async function failWhenAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new MediaError('unreachable')
}

type FileUser = { client: WebClient; team_id: string; user_id: string }
type FoundFileInfo = Awaited<ReturnType<WebClient['files']['info']>>['file']

const MAX_CHANNELS = 5

/** A file id can be forged. Users may post their own files, and files in channels that they can see. */
async function maySee(bot: Bot, user: FileUser, file: FoundFileInfo): Promise<boolean> {
  if (file?.user === user.user_id) return true
  for (const channel of [...(file?.groups ?? []), ...(file?.channels ?? [])].slice(0, MAX_CHANNELS))
    if ((await checkChannelAccess(bot, user, channel)) === 'yes') return true
  return false
}

/** Asks Slack for the file's address. If another organization owns the file, only its id is known until then. */
async function findFile(bot: Bot, user: FileUser, id: string): Promise<{ url: string; size: number }> {
  try {
    const { file } = await user.client.files.info({ file: id })
    const { url_private_download: url } = (file ?? {}) as { url_private_download?: string }
    if (!(await maySee(bot, user, file)) || !url) throw new MediaError('no access')
    return { url, size: readSlackFile(file)?.size ?? 0 }
  } catch (error) {
    if (error instanceof MediaError) throw error
    const code = slackErrorCode(error) ?? ''
    const hasNoAccess = ['file_not_found', 'file_deleted', 'missing_scope', 'access_denied'].includes(code)
    throw new MediaError(hasNoAccess ? 'no access' : 'unreachable', { cause: error })
  }
}

async function storeContent(
  bot: Bot,
  { team_id, signal }: Transfer,
  chunks: AsyncGenerator<Uint8Array>,
): Promise<MediaFileRow> {
  const beginning = await readAtLeast(chunks, TYPE_SAMPLE_BYTES)
  const detected = await detectMediaType(beginning)
  if ('problem' in detected) throw new MediaError(detected.problem)
  const { type } = detected
  const content = prependChunk(beginning, chunks)
  if (!isImage(type)) return storeVideo(bot, { team_id, content_type: type }, content)
  const image = await cleanImage({ type, content, signal }, ({ content: cleaned, ...properties }) =>
    storeFile(bot.db, { team_id, content_type: type, ...properties }, cleaned, storageOptions(bot)),
  )
  if ('problem' in image) throw new MediaError(image.problem)
  return image
}

/** A video is too large to be held in memory, so it is checked once it is stored. */
async function storeVideo(
  bot: Bot,
  video: NewFile,
  content: AsyncIterable<Uint8Array>,
): Promise<MediaFileRow> {
  const file = await storeFile(bot.db, video, content, storageOptions(bot))
  const properties = await readVideo(file.size, (range) => readRange(bot.db, file.id, range))
  if (properties) return saveVideoProperties(bot.db, file, properties)
  await deleteFile(bot.db, file.id)
  throw new MediaError('damaged')
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
  yield beginning
  yield* rest
}
