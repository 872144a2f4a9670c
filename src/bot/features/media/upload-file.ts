import { backoffMs, type JobHandler } from '../../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { describeFile, type Form, type UploadField } from '../../forms/form.ts'
import { findItem } from '../../outbox/find-items-store.ts'
import { formOf } from '../../outbox/item-actor.ts'
import { UPLOAD } from '../../outbox/item-jobs.ts'
import { endItem, queueUploadedItem, saveProgressMessage } from '../../outbox/outbox-store.ts'
import { type OutboxItem, REMOVED_FROM_OUTBOX } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Module, WorkerContext } from '../../slack/feature.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import { explainProblem, mediaProblemOrThrow } from './media-problems.ts'
import { addUpload, deleteFile, deleteUpload } from './media-store.ts'
import { MEDIA_PATH } from './serve-media.ts'
import type { MediaFileRow } from './tables.ts'
import { type FileWorker, transferFile } from './transfer-file.ts'
import { deleteThumbnails, uploadThumbnail } from './upload-thumbnail.ts'

type UploadTask = {
  item: OutboxItem
  job: Job
  form: Form
  field: UploadField<Record<string, unknown>>
  file: SlackFile
}

/** Each upload may decode an image, so only a few run at a time. */
const MAX_CONCURRENT_UPLOADS = 2
const MAX_UPLOAD_MS = 150_000
const MAX_ATTEMPTS = 8

/** Uploads the files of outbox items before the items are sent. The files of one user are uploaded one at a time. */
export const uploadHandler = (context: WorkerContext): JobHandler => ({
  kind: UPLOAD,
  name: 'upload a file',
  concurrency: MAX_CONCURRENT_UPLOADS,
  async run(job, stopSignal) {
    const item = await findItem(context.bot.db, { id: job.id })
    if (item?.state !== 'uploading') return undefined
    return uploadFile(context, toUploadTask(context.modules, item, job), stopSignal)
  },
})

function toUploadTask(modules: Module[], item: OutboxItem, job: Job): UploadTask {
  const form = formOf(modules, item)
  const { slack_file: file } = item
  if (!form.upload || !file) throw new Error(`An outbox item of "${item.form}" has no file to upload.`)
  return { item, job, form, field: form.upload, file }
}

async function uploadFile(
  worker: FileWorker,
  upload: UploadTask,
  stopSignal: AbortSignal,
): Promise<NextRun | undefined> {
  const { bot } = worker
  const { db, runtime } = bot
  const { item, job, form, file } = upload
  const { team_id, body, failure } = item
  const latestSendTime = form.creation?.getLatestSendTime?.(body ?? {})
  if (latestSendTime && latestSendTime <= runtime.now())
    return endItem(db, upload, { state: 'missed', failure }, runtime.now())
  // If the process died during the last attempt, that attempt left no result.
  if (job.attempts > MAX_ATTEMPTS) return refuse(bot, upload, [explainProblem('unreachable')])
  await showProgress(worker, item, `:hourglass: Uploading ${describeFile(file)}…`)
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(MAX_UPLOAD_MS)])
  const transfer = { team_id, user_id: item.user_id, file, signal }
  const stored = await transferFile(worker, transfer).catch(mediaProblemOrThrow)
  if (typeof stored !== 'string') return attachFile(worker, upload, stored)
  // Another instance, or this one after a restart, uploads the file again.
  if (stopSignal.aborted) return { due_at: runtime.now() }
  // The pause makes room for other uploads.
  if (stored === 'unreachable' && job.attempts < MAX_ATTEMPTS)
    return { due_at: addMs(runtime.now(), backoffMs(job.attempts, runtime.random)) }
  return refuse(bot, upload, [explainProblem(stored)])
}

function refuse({ db, runtime }: Bot, upload: UploadTask, problems: string[]): Promise<undefined> {
  const details = [{ loc: [upload.field.file], msg: problems.join(' ') }]
  return endItem(db, upload, { state: 'refused', failure: { kind: 'unsendable', details } }, runtime.now())
}

/** Shows the user the progress of an upload in one direct message. If the message fails, the upload goes on. */
async function showProgress(
  { bot: { db, log }, client }: FileWorker,
  item: OutboxItem,
  progress: string,
): Promise<void> {
  const { user_id, progress_channel: channel, progress_ts: ts } = item
  try {
    const place = await postOrUpdate(client, user_id, { channel, ts }, textReply(escapeText(progress)))
    if (place.ts === ts) return
    const progressMessage = { progress_channel: place.channel, progress_ts: place.ts }
    Object.assign(item, progressMessage)
    await saveProgressMessage(db, item, progressMessage)
  } catch (err) {
    log.warn({ err, item: item.id }, 'Failed to show the progress of an upload')
  }
}

/** Puts the link of the uploaded file into the item, and queues the item to be sent like any other. */
async function attachFile(worker: FileWorker, uploading: UploadTask, file: MediaFileRow): Promise<undefined> {
  const { bot, client } = worker
  const { db, runtime, uploads } = bot
  const { item, field, file: slackFile } = uploading
  const { team_id, user_id, body, form_values } = item
  const { errors, warnings } = field.check(body ?? {}, file)
  if (errors.length) {
    await deleteFile(db, file.id)
    return refuse(bot, uploading, errors)
  }
  const { name: file_name } = slackFile
  const alt_text = typeof body?.[field.altText] === 'string' ? (body[field.altText] as string) : null
  const upload = await addUpload(bot, {
    team_id,
    user_id,
    file,
    file_name,
    alt_text,
    uploaded_at: runtime.now(),
  })
  await uploadThumbnail(bot, client, file, upload)
  const url = `${uploads.current.baseUrl}${MEDIA_PATH}${upload.name}`
  const itemChanges = {
    body: { ...body, [field.link]: url },
    form_values: { ...form_values, [field.link]: url },
    warnings: [item.warnings, ...warnings.map(escapeText)].filter(Boolean).join('\n') || null,
  }
  // Once the item is queued, another worker may replace this message with the result.
  await showProgress(worker, item, `:hourglass: Uploaded ${file_name}. Saving the post…`)
  if (await queueUploadedItem(db, uploading, itemChanges, runtime.now())) return undefined
  if (!(await findItem(db, { id: item.id }))) await showProgress(worker, item, REMOVED_FROM_OUTBOX)
  // The item was removed during the upload, or another instance has it now.
  const deleted = await deleteUpload(db, upload)
  if (deleted) await deleteThumbnails(bot, client, [deleted])
  return undefined
}
