import type { WebClient } from '@slack/web-api'
import type { Poller } from '../../poller.ts'
import { addMs } from '../../runtime.ts'
import type { Bot } from '../bot.ts'
import type { MediaFile, OutboxItem } from '../database/tables.ts'
import { describeFile, type Form, type Upload } from '../form/form.ts'
import type { SlackFile } from '../form/form-value.ts'
import { endItem, postponeItem } from '../outbox/outbox-store.ts'
import { backoffMs } from '../outbox/record-outcome.ts'
import { leaseUpload, listItemsToUpload, queueUploaded, UPLOAD_LEASE_MS } from '../outbox/upload-store.ts'
import { startWorker } from '../worker.ts'
import { explainProblem } from './media-problems.ts'
import { addUpload, deleteUpload } from './media-store.ts'
import { MEDIA_PATH } from './serve-media.ts'
import { showProgress } from './show-progress.ts'
import { type SlackFiles, type TransferResult, transferFile } from './transfer-file.ts'
import { uploadThumbnail } from './upload-thumbnail.ts'

type Uploads = { bot: Bot; client: WebClient; forms: Form[]; files: SlackFiles }

const POLL_INTERVAL_MS = 1000
/** Pictures are decoded in memory, so few at a time keep the bot small. */
const MAX_CONCURRENT_UPLOADS = 3
/** Ends before the lease does. */
const MAX_UPLOAD_MS = UPLOAD_LEASE_MS - 30_000

/** Uploads the files of outbox items, which are sent afterwards. */
export function startUploads(uploads: Uploads): Poller {
  const { bot } = uploads
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
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(MAX_UPLOAD_MS)])
      if (item) await processItem(uploads, item, signal)
    },
  })
  return {
    async stop() {
      // Another instance, or the next start, uploads the files again.
      stopping.abort()
      await worker.stop()
    },
  }
}

const MAX_ATTEMPTS = 6

async function processItem(uploads: Uploads, item: OutboxItem, signal: AbortSignal): Promise<void> {
  const { bot, client, forms, files } = uploads
  const { db, runtime } = bot
  const { team_id, slack_file: file, attempts, failure } = item
  const form = forms.find(({ verb }) => verb === item.form)
  const upload = form?.upload
  if (!upload || !file) throw new Error(`An outbox item of "${item.form}" has no file to upload.`)
  const deadline = form.creation?.getDeadline?.(item.body ?? {})
  if (deadline && deadline <= runtime.now())
    return endItem(db, item, { state: 'missed', failure }, runtime.now())
  await showProgress(bot, client, item, `:hourglass: Uploading ${describeFile(file)}…`)
  const result = await transferFile(bot, files, { team_id, file, signal })
  const isTemporary = result.kind === 'failed' && result.problem === 'unreachable'
  if (isTemporary && (attempts < MAX_ATTEMPTS || signal.aborted)) {
    const pauseMs = signal.aborted ? 0 : backoffMs(attempts, runtime.random)
    return void (await postponeItem(db, item, {
      state: 'uploading',
      due_at: addMs(runtime.now(), pauseMs),
      failure,
    }))
  }
  const problems = findProblems(upload, item, result)
  if (result.kind === 'failed' || problems.length) return refuse(bot, upload, item, problems)
  await queueItem(uploads, upload, item, result.file)
}

function findProblems({ check }: FormUpload, { body }: OutboxItem, result: TransferResult): string[] {
  if (result.kind === 'failed') return [explainProblem(result.problem)]
  const { content_type: contentType, size: bytes, width, height, seconds } = result.file
  const facts = { contentType, bytes, width: width ?? undefined, height: height ?? undefined }
  return check(body ?? {}, { ...facts, seconds: seconds ?? undefined })
}

type FormUpload = Upload<Record<string, unknown>>

const refuse = ({ db, runtime }: Bot, { file }: FormUpload, item: OutboxItem, problems: string[]) => {
  const failure = { kind: 'unsendable' as const, details: [{ loc: [file], msg: problems.join(' ') }] }
  return endItem(db, item, { state: 'refused', failure }, runtime.now())
}

/** The item takes the link of the file, and is sent like any other. */
async function queueItem(
  { bot, client }: Uploads,
  { link, altText }: FormUpload,
  item: OutboxItem,
  file: MediaFile,
): Promise<void> {
  const { db, runtime, uploads } = bot
  const { team_id, user_id, body, form_values } = item
  const { name: file_name } = item.slack_file as SlackFile
  const alt_text = typeof body?.[altText] === 'string' ? body[altText] : null
  const slack_file_id = await uploadThumbnail(bot, client, { file, file_name, alt_text })
  const upload = await addUpload(bot, {
    team_id,
    user_id,
    file,
    file_name,
    alt_text,
    slack_file_id: slack_file_id ?? null,
    uploaded_at: runtime.now(),
  })
  const url = `${uploads.current.baseUrl}${MEDIA_PATH}${upload.name}`
  const uploaded = { body: { ...body, [link]: url }, form_values: { ...form_values, [link]: url } }
  const isQueued = await queueUploaded(db, item, uploaded, runtime.now())
  // The user discarded the item meanwhile.
  if (!isQueued) await deleteUpload(db, upload)
  else await showProgress(bot, client, item, `:hourglass: Uploaded ${file_name}. Sending the post…`)
}
