import type { WebClient } from '@slack/web-api'
import { backoffMs, type JobHandler } from '../../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { describeFile, type Form, listForms, type UploadField } from '../../forms/form.ts'
import { findItemById } from '../../outbox/find-items-store.ts'
import { UPLOAD } from '../../outbox/item-jobs.ts'
import { endItem, markUpload, queueUploadedItem, saveProgressMessage } from '../../outbox/outbox-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import { explainProblem, mediaProblemOrThrow } from './media-problems.ts'
import { addUpload, deleteFile, deleteUpload } from './media-store.ts'
import { MEDIA_PATH } from './serve-media.ts'
import type { MediaFileRow } from './tables.ts'
import { type FileSource, transferFile } from './transfer-file.ts'
import { deleteThumbnails, uploadThumbnail } from './upload-thumbnail.ts'

type UploadWorker = { bot: Bot; client: WebClient; source: FileSource }
type Upload = {
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
export function uploadHandler({ bot, client, modules, slackFiles }: WorkerContext): JobHandler {
  const forms = listForms(modules)
  const worker = { bot, client, source: { client, ...slackFiles } }
  const { db, runtime } = bot
  return {
    kind: UPLOAD,
    name: 'upload a file',
    concurrency: MAX_CONCURRENT_UPLOADS,
    async run(job, stopSignal) {
      const found = await findItemById(db, job.id)
      const item = found?.state === 'uploading' ? await markUpload(db, job, found, runtime.now()) : undefined
      return item && uploadFile(worker, toUpload(forms, item, job), stopSignal)
    },
  }
}

function toUpload(forms: Form[], item: OutboxItem, job: Job): Upload {
  const form = forms.find(({ verb }) => verb === item.form)
  const { slack_file: file } = item
  if (!form?.upload || !file) throw new Error(`An outbox item of "${item.form}" has no file to upload.`)
  return { item, job, form, field: form.upload, file }
}

async function uploadFile(
  worker: UploadWorker,
  upload: Upload,
  stopSignal: AbortSignal,
): Promise<NextRun | undefined> {
  const { bot, source } = worker
  const { db, runtime } = bot
  const { item, form, file } = upload
  const { team_id, attempts, body, failure } = item
  const latestSendTime = form.creation?.getLatestSendTime?.(body ?? {})
  if (latestSendTime && latestSendTime <= runtime.now()) {
    await endItem(db, upload, { state: 'missed', failure }, runtime.now())
    return undefined
  }
  // The process may have died during the last attempt, which then has no result.
  if (attempts > MAX_ATTEMPTS) return refuse(bot, upload, [explainProblem('unreachable')])
  await showProgress(worker, item, `:hourglass: Uploading ${describeFile(file)}…`)
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(MAX_UPLOAD_MS)])
  const transfer = { team_id, user_id: item.user_id, file, signal }
  const stored = await transferFile(bot, source, transfer).catch(mediaProblemOrThrow)
  if (typeof stored !== 'string') return attachFile(worker, upload, stored)
  // Another instance, or this one after a restart, uploads the file again.
  if (stopSignal.aborted) return { due_at: runtime.now() }
  // The pause makes room for other uploads.
  if (stored === 'unreachable' && attempts < MAX_ATTEMPTS)
    return { due_at: addMs(runtime.now(), backoffMs(attempts, runtime.random)) }
  return refuse(bot, upload, [explainProblem(stored)])
}

async function refuse({ db, runtime }: Bot, upload: Upload, problems: string[]): Promise<undefined> {
  const details = [{ loc: [upload.field.file], msg: problems.join(' ') }]
  await endItem(db, upload, { state: 'refused', failure: { kind: 'unsendable', details } }, runtime.now())
  return undefined
}

/** Shows the user the progress of an upload in one direct message. If the message fails, the upload goes on. */
async function showProgress(
  { bot: { db, log }, client }: UploadWorker,
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
async function attachFile(worker: UploadWorker, uploading: Upload, file: MediaFileRow): Promise<undefined> {
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
  if (await queueUploadedItem(db, uploading, itemChanges, runtime.now())) {
    await showProgress(worker, item, `:hourglass: Uploaded ${file_name}. Saving the post…`)
    return undefined
  }
  // The item was discarded during the upload, or another instance has it now.
  const deleted = await deleteUpload(db, upload)
  if (deleted) await deleteThumbnails(bot, client, [deleted])
  return undefined
}
