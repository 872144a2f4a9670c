import type { WebClient } from '@slack/web-api'
import type { Poller } from '../../../jobs/poller.ts'
import { startWorker } from '../../../jobs/worker.ts'
import { addMs } from '../../../runtime.ts'
import { describeFile, type Form, listForms, type UploadField } from '../../forms/form.ts'
import { endItem, postponeItem } from '../../outbox/outbox-store.ts'
import { backoffMs } from '../../outbox/record-outcome.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { leaseUpload, listItemsToUpload, queueUploaded, UPLOAD_LEASE_MS } from '../../outbox/upload-store.ts'
import type { Bot } from '../../slack/bot.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import type { WorkerContext } from '../../slack/module.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import { createPictureCleaner } from './clean-picture.ts'
import { explainProblem } from './media-problems.ts'
import { addUpload, deleteFile, deleteUpload } from './media-store.ts'
import { MEDIA_PATH } from './serve-media.ts'
import { showProgress } from './show-progress.ts'
import type { MediaFile } from './tables.ts'
import { type FileSource, transferFile } from './transfer-file.ts'
import { deleteThumbnails, uploadThumbnail } from './upload-thumbnail.ts'

type Uploads = { bot: Bot; client: WebClient; source: FileSource }
type UploadJob = {
  item: OutboxItem
  form: Form
  upload: UploadField<Record<string, unknown>>
  file: SlackFile
}

const POLL_INTERVAL_MS = 1000
const MAX_CONCURRENT_UPLOADS = 3
/** Ends before the lease does. */
const MAX_UPLOAD_MS = UPLOAD_LEASE_MS - 30_000

/** Uploads the files of outbox items, which are sent afterwards. */
export function startUploads({ bot, client, modules, slackFiles }: WorkerContext): Poller {
  const forms = listForms(modules)
  const source = { client, ...slackFiles, cleanPicture: createPictureCleaner() }
  const uploads = { bot, client, source }
  const { db, runtime } = bot
  const stopping = new AbortController()
  const worker = startWorker<string>({
    bot,
    name: 'Uploading files',
    intervalMs: POLL_INTERVAL_MS,
    concurrency: MAX_CONCURRENT_UPLOADS,
    findJobs: () => listItemsToUpload(db, runtime.now()),
    keyOf: (id) => id,
    processJob: async (id) => {
      const item = await leaseUpload(db, id, runtime.now())
      if (!item) return
      try {
        await processJob(uploads, toJob(forms, item), stopping.signal)
      } catch (error) {
        await tryLater(bot, item)
        throw error
      }
    },
  })
  return {
    ...worker,
    async stop() {
      // Another instance, or the next start, uploads the files again.
      stopping.abort()
      await worker.stop()
    },
  }
}

function toJob(forms: Form[], item: OutboxItem): UploadJob {
  const form = forms.find(({ verb }) => verb === item.form)
  const { slack_file: file } = item
  if (!form?.upload || !file) throw new Error(`An outbox item of "${item.form}" has no file to upload.`)
  return { item, form, upload: form.upload, file }
}

const MAX_ATTEMPTS = 8

/** The pause makes room for other uploads. */
const tryLater = ({ db, runtime }: Bot, item: OutboxItem, { atOnce = false } = {}) =>
  postponeItem(db, item, {
    state: 'uploading',
    due_at: addMs(runtime.now(), atOnce ? 0 : backoffMs(item.attempts, runtime.random)),
    failure: item.failure,
  })

async function processJob(uploads: Uploads, job: UploadJob, stopSignal: AbortSignal): Promise<unknown> {
  const { bot, client, source } = uploads
  const { db, runtime } = bot
  const { item, form, file } = job
  const { team_id, attempts, body, failure } = item
  const deadline = form.creation?.getDeadline?.(body ?? {})
  if (deadline && deadline <= runtime.now())
    return endItem(db, { item, form }, { state: 'missed', failure }, runtime.now())
  // An attempt may have ended with the process.
  if (attempts > MAX_ATTEMPTS) return refuse(bot, job, [explainProblem('unreachable')])
  await showProgress(bot, client, item, `:hourglass: Uploading ${describeFile(file)}…`)
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(MAX_UPLOAD_MS)])
  const result = await transferFile(bot, source, { team_id, user_id: item.user_id, file, signal })
  if (result.kind === 'stored') return useFile(uploads, job, result.file)
  if (result.problem === 'unreachable' && attempts < MAX_ATTEMPTS)
    return tryLater(bot, item, { atOnce: stopSignal.aborted })
  return refuse(bot, job, [explainProblem(result.problem)])
}

function refuse({ db, runtime }: Bot, { item, form, upload }: UploadJob, problems: string[]): Promise<void> {
  const failure = { kind: 'unsendable' as const, details: [{ loc: [upload.file], msg: problems.join(' ') }] }
  return endItem(db, { item, form }, { state: 'refused', failure }, runtime.now())
}

/** The item takes the link of the file, and is sent like any other. */
async function useFile({ bot, client }: Uploads, job: UploadJob, file: MediaFile): Promise<void> {
  const { db, runtime, uploads } = bot
  const { item, upload: field, file: slackFile } = job
  const { team_id, user_id, body, form_values } = item
  const { errors, warnings } = field.check(body ?? {}, file)
  if (errors.length) {
    await deleteFile(db, file.id)
    return refuse(bot, job, errors)
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
  await showProgress(bot, client, item, `:hourglass: Uploaded ${file_name}. Saving the post…`)
  const url = `${uploads.current.baseUrl}${MEDIA_PATH}${upload.name}`
  const uploaded = {
    body: { ...body, [field.link]: url },
    form_values: { ...form_values, [field.link]: url },
    warnings: [item.warnings, ...warnings.map(escapeText)].filter(Boolean).join('\n') || null,
  }
  if (await queueUploaded(db, item, uploaded, runtime.now())) return
  // The user discarded the item meanwhile.
  const deleted = await deleteUpload(db, upload)
  if (deleted) await deleteThumbnails(bot, client, [deleted])
}
