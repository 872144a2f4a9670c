import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { lockForTransaction } from '../../../database/lock-for-transaction.ts'
import { addJobs } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { deleteRows, selectRows, updateRows } from '../../database/queries.ts'
import type { Db, UserKey } from '../../database/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import { MediaError } from './media-problems.ts'
import { FILE_EXTENSIONS, type MediaType } from './media-type.ts'
import type { MediaFileRow, MediaUpload } from './tables.ts'

const CHUNK_BYTES = 1024 ** 2

export type NewFile = Pick<MediaFileRow, 'team_id'> &
  Partial<Pick<MediaFileRow, 'width' | 'height' | 'thumbnail'>> & { content_type: MediaType }

/**
 * Stores a file while it arrives. A file that the workspace already has isn't kept twice. The files of a workspace are
 * completed one after the other. Otherwise several of them together could exceed its limit.
 */
export async function storeFile(
  db: Db,
  file: NewFile,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { now, maxWorkspaceBytes }: { now: Date; maxWorkspaceBytes: number },
): Promise<MediaFileRow> {
  const { team_id } = file
  const { id } = await db
    .insertInto('media_file')
    .values({ ...file, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const sha256 = createHash('sha256')
    let size = 0
    let position = 0
    for await (const chunk of toChunks(bytes)) {
      sha256.update(chunk)
      size += chunk.length
      await db.insertInto('media_chunk').values({ file_id: id, position, bytes: chunk }).execute()
      position += 1
    }
    const hash = sha256.digest('hex')
    return await db.transaction().execute(async (transaction) => {
      await lockForTransaction(transaction, `media ${team_id}`)
      const same = await selectRows(transaction, 'media_file', { team_id, hash }).executeTakeFirst()
      if (same) {
        await transaction.deleteFrom('media_file').where('id', '=', id).execute()
        return same
      }
      if ((await countStoredBytes(transaction, team_id)) + size > maxWorkspaceBytes)
        throw new MediaError('no space')
      return updateRows(transaction, 'media_file', { id })
        .set({ hash, size })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  } catch (error) {
    await db.deleteFrom('media_file').where('id', '=', id).execute()
    throw error
  }
}

async function* toChunks(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Buffer> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  for await (const part of bytes) {
    pending.push(part)
    pendingBytes += part.byteLength
    if (pendingBytes < CHUNK_BYTES) continue
    const joined = Buffer.concat(pending)
    const end = joined.length - (joined.length % CHUNK_BYTES)
    for (let start = 0; start < end; start += CHUNK_BYTES) yield joined.subarray(start, start + CHUNK_BYTES)
    pending = [joined.subarray(end)]
    pendingBytes = joined.length - end
  }
  if (pendingBytes) yield Buffer.concat(pending)
}

const NAME_BYTES = 24

type NewUpload = UserKey &
  Pick<MediaUpload, 'file_name' | 'alt_text' | 'uploaded_at'> & { file: MediaFileRow }

/** The kind of jobs that compare the uploads of a workspace with its posts. */
export const MEDIA_CHECK = 'media check'
export const MEDIA_CHECK_INTERVAL_MS = 6 * 60 * 60_000

/** Gives each upload of a file its own unguessable address. */
export const addUpload = (
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { file, ...upload }: NewUpload,
): Promise<MediaUpload> =>
  db.transaction().execute(async (transaction) => {
    const { team_id, uploaded_at } = upload
    const due_at = addMs(uploaded_at, MEDIA_CHECK_INTERVAL_MS)
    const check = { kind: MEDIA_CHECK, id: team_id, key: team_id, owner: team_id, due_at }
    await addJobs(transaction, [check], uploaded_at)
    return transaction
      .insertInto('media_upload')
      .values({
        ...upload,
        file_id: file.id,
        name: `${runtime.randomBytes(NAME_BYTES).toString('base64url')}.${FILE_EXTENSIONS[file.content_type as MediaType]}`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })

/** Deletes an upload, and its file if no other upload uses the file. Returns the deleted upload. */
export const deleteUpload = (db: Db, { team_id, name }: Pick<MediaUpload, 'team_id' | 'name'>) =>
  db.transaction().execute(async (transaction) => {
    const upload = await deleteRows(transaction, 'media_upload', { team_id, name })
      .returningAll()
      .executeTakeFirst()
    if (upload) await deleteFile(transaction, upload.file_id)
    return upload
  })

/** Deletes a file unless an upload uses it. */
export const deleteFile = (db: Db, id: string) =>
  deleteRows(db, 'media_file', { id })
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('media_upload').select('name').where('file_id', '=', id))),
    )
    .execute()

export type UploadWithFile = MediaUpload &
  Pick<MediaFileRow, 'content_type' | 'size' | 'width' | 'height' | 'seconds'>

const selectUploadsWithFiles = (db: Db) =>
  db
    .selectFrom('media_upload')
    .innerJoin('media_file', 'media_file.id', 'media_upload.file_id')
    .selectAll('media_upload')
    .select(['content_type', 'size', 'width', 'height', 'seconds'])

/** A user's uploads, the latest first. */
export const listUploads = (
  db: Db,
  { team_id, user_id }: UserKey,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<UploadWithFile[]> =>
  selectUploadsWithFiles(db)
    .where((eb) => eb.and({ 'media_upload.team_id': team_id, user_id }))
    .orderBy('uploaded_at', 'desc')
    .limit(limit)
    .execute()

type UsedUploads = { team_id: string; names: string[] }

export async function markUsed(db: Db, { team_id, names }: UsedUploads, now: Date): Promise<void> {
  if (!names.length) return
  await updateRows(db, 'media_upload', { team_id })
    .set({ last_used_at: now })
    .where('name', 'in', names)
    .execute()
}

/** Deletes and returns uploads that were last used before `lastUsedBefore`, or uploaded before `uploadedBefore` and never used. */
export const deleteUnusedUploads = (
  db: Db,
  team_id: string,
  cutoffs: { uploadedBefore: Date; lastUsedBefore: Date },
): Promise<MediaUpload[]> =>
  deleteRows(db, 'media_upload', { team_id })
    .where(({ eb, or, and }) =>
      or([
        eb('last_used_at', '<', cutoffs.lastUsedBefore),
        and([eb('last_used_at', 'is', null), eb('uploaded_at', '<', cutoffs.uploadedBefore)]),
      ]),
    )
    .returningAll()
    .execute()

/** How much space the workspace's files take up. */
export async function countStoredBytes(db: Db, team_id: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('media_file')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

const UPLOAD_PATH = /\/media\/([\w-]{32}\.[a-z0-9]{3,4})$/

/** The name in the link of an upload. Returns undefined for any other link. */
export const uploadNameOf = (link: string): string | undefined =>
  URL.canParse(link) ? UPLOAD_PATH.exec(new URL(link).pathname)?.[1] : undefined

/** Finds the upload behind a link, with its file. Returns undefined for other links and other workspaces' uploads. */
export const findUploadByLink = async (db: Db, team_id: string, link: string) => {
  const name = uploadNameOf(link)
  return name === undefined
    ? undefined
    : await selectUploadsWithFiles(db)
        .where((eb) => eb.and({ name, 'media_upload.team_id': team_id }))
        .executeTakeFirst()
}

export type ShownUpload = Pick<MediaUpload, 'slack_file_id' | 'alt_text'>

/** Finds the alternative texts of uploads and their copies in Slack, by the names of the uploads. */
export async function findUploadsToShow(db: Db, names: string[]): Promise<Map<string, ShownUpload>> {
  if (!names.length) return new Map()
  const uploads = await db
    .selectFrom('media_upload')
    .select(['name', 'slack_file_id', 'alt_text'])
    .where('name', 'in', names)
    .execute()
  return new Map(uploads.map(({ name, ...shown }) => [name, shown]))
}

export const saveSlackCopy = (db: Db, { name }: MediaUpload, slack_file_id: string): Promise<unknown> =>
  db.updateTable('media_upload').set({ slack_file_id }).where('name', '=', name).execute()

/** If a `user_id` is given, only that user's upload is changed. */
type AltTextChange = { team_id: string; user_id: string | undefined; link: string; alt_text: string | null }

export async function saveAltText(
  db: Db,
  { team_id, user_id, link, alt_text }: AltTextChange,
): Promise<void> {
  const name = uploadNameOf(link)
  if (name === undefined) return
  const upload = { team_id, name, ...(user_id && { user_id }) }
  await updateRows(db, 'media_upload', upload).set({ alt_text }).execute()
}

export const findServedFile = (db: Db, name: string): Promise<MediaFileRow | undefined> =>
  db
    .selectFrom('media_upload')
    .innerJoin('media_file', 'media_file.id', 'media_upload.file_id')
    .selectAll('media_file')
    .where('media_upload.name', '=', name)
    .executeTakeFirst()

export const saveVideoProperties = (
  db: Db,
  { id }: MediaFileRow,
  properties: { width: number; height: number; seconds: number | null },
): Promise<MediaFileRow> =>
  db.updateTable('media_file').set(properties).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

type ByteRange = { from: number; to: number }

/** Reads the bytes of a file from one offset to another, both included. */
export async function* readBytes(db: Db, file_id: string, { from, to }: ByteRange): AsyncIterable<Buffer> {
  const last = Math.floor(to / CHUNK_BYTES)
  for (let position = Math.floor(from / CHUNK_BYTES); position <= last; position++) {
    const { bytes } = await db
      .selectFrom('media_chunk')
      .select('bytes')
      .where((eb) => eb.and({ file_id, position }))
      .executeTakeFirstOrThrow()
    const start = position * CHUNK_BYTES
    yield bytes.subarray(Math.max(0, from - start), to - start + 1)
  }
}

/** Like `readBytes`, but returns the bytes in one buffer. */
export async function readRange(db: Db, file_id: string, range: ByteRange): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of readBytes(db, file_id, range)) parts.push(part)
  return Buffer.concat(parts)
}
