import { buffer } from 'node:stream/consumers'
import type { JobHandler } from '../../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { listBatch } from '../../outbox/find-items-store.ts'
import { isDone, isOnItsWay, type OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { updateModal } from '../../slack/handle-request.ts'
import { messageView } from '../../slack/message-blocks.ts'
import { loadProfile } from '../../slack/profile.ts'
import { asksForApproval } from '../approvals/approval-store.ts'
import { explainProblem, mediaProblemOrThrow } from '../media/media-problems.ts'
import { type FileWorker, openFile } from '../media/transfer-file.ts'
import type { SavedPost } from '../posts/change/save-changes.ts'
import { formatPostCount } from '../posts/display/post-blocks.ts'
import type { OpenedPost } from '../posts/display/post-reference.ts'
import { explainUnconnectedPlatforms } from '../posts/form/post-notes.ts'
import { notifyAuthors } from '../posts/messages/notify-author.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { addDescription, checkRow, compareRows, notComparedNote } from './check-rows.ts'
import { decodePlan, MAX_PLAN_BYTES } from './decode-plan.ts'
import { fillSlots, needsSlot } from './fill-slots.ts'
import {
  type PlanProgress,
  problemMessage,
  progressMessage,
  reviewMessage,
  showPlanMessage,
  summaryMessage,
  undoingMessage,
  undoneMessage,
} from './plan-message.ts'
import { findPlan, PLAN_JOB, saveRun } from './plan-store.ts'
import { isExported, readChanges } from './read-changes.ts'
import { readPlan } from './read-plan.ts'
import { REVIEW_TITLE, reviewView } from './review-view.ts'
import type { Plan, PlanRow } from './tables.ts'
import { cancelPosts, canUndo, UNDO_WINDOW_MS } from './undo-plan.ts'

type Worker = FileWorker & { job: Job }

/** Reads a plan, follows the progress of its posts, and cancels them if its author undoes the plan. */
export const planHandler = (context: WorkerContext): JobHandler => ({
  kind: PLAN_JOB,
  name: 'process a plan',
  async run(job, stopSignal) {
    const plan = await findPlan(context.bot.db, job.id)
    const worker = { ...context, job }
    switch (plan?.state) {
      case 'received':
        return readReceived(worker, plan, stopSignal)
      case 'review':
        // The message is missing if Slack failed after the plan was read.
        if (!plan.message_ts) await showPlanMessage(worker, plan, reviewMessage(plan))
        return undefined
      case 'sending':
        return followSending(worker, plan)
      case 'sent':
        return followSent(worker, plan)
      case 'undoing':
        return undo(worker, plan)
      default:
        return undefined
    }
  },
})

async function readReceived(worker: Worker, plan: Plan, signal: AbortSignal): Promise<undefined> {
  const { bot } = worker
  const context = await contextOf(worker, plan)
  const reading = await readSource(worker, plan, { context, signal })
  if ('problem' in reading) {
    const message = problemMessage(reading.problem)
    if (!(await saveRun(bot.db, worker.job, plan, { state: 'closed', view_id: null }))) return undefined
    await showView(worker, plan, messageView(REVIEW_TITLE, ...(message.blocks ?? [])))
    await showPlanMessage(worker, plan, message)
    return undefined
  }
  const changes = { state: 'review' as const, ...reading }
  if (!(await saveRun(bot.db, worker.job, plan, changes))) return undefined
  const planInReview = { ...plan, ...changes }
  await showView(worker, plan, reviewView(planInReview, { ...context, bot }))
  await showPlanMessage(worker, planInReview, reviewMessage(planInReview))
  return undefined
}

async function contextOf({ bot, client }: Worker, { team_id, user_id }: Plan): Promise<ReadingContext> {
  const actor = { team_id, user_id, channel_id: undefined, client, request_id: '' }
  const { zone, locale } = await loadProfile(bot, actor)
  return { now: bot.runtime.now(), zone, locale }
}

/** The author may have closed the view. The message leads back to the plan. */
async function showView({ client }: Worker, { view_id }: Plan, view: ReturnType<typeof messageView>) {
  if (view_id) await updateModal(client, { id: view_id, hash: undefined }, view)
}

type SourceReading = Pick<Plan, 'rows' | 'notes'> | { problem: string }

async function readSource(
  worker: Worker,
  plan: Plan,
  { context, signal }: { context: ReadingContext; signal: AbortSignal },
): Promise<SourceReading> {
  const { bot } = worker
  const decoded = await loadText(worker, plan, signal)
  if ('problem' in decoded) return decoded
  const readLine = (line: string) => {
    const read = schedulePost.prefill?.(line, { ...context, channel: undefined })
    const { values = {}, messages = [], wordsToChoose, movedWords } = read ?? {}
    const question = movedWords?.isInText
      ? `When: "${movedWords.words}" was read as the time, but is also in the text. Remove it there if it doesn't belong.`
      : wordsToChoose?.question
    return { values, messages: question ? [...messages, question] : messages }
  }
  const reading = readPlan(decoded.text, readLine)
  if ('problem' in reading) return reading
  const { project_id, team_id } = plan
  const reader = { bot, scope: { team_id, project_id }, context }
  const changes = await readChanges(reader, reading.rows.filter(isExported))
  const newRows = reading.rows.filter((row) => !isExported(row))
  const timed = newRows.filter((row) => !needsSlot(row)).map((row) => checkRow(row, context))
  const filled = await fillSlots(reader, newRows.filter(needsSlot), [...timed, ...changes.rows])
  const slotted = filled.map((row) => ({ ...checkRow(row, context), isInSlot: true }))
  const checked = [...timed, ...slotted, ...changes.rows].sort((a, b) => a.number - b.number)
  const { unchanged } = changes
  if (!checked.length) return { problem: 'No row has changed since the export.' }
  const described = await Promise.all(checked.map((row) => addDescription(bot, team_id, row)))
  const compared = await compareRows(bot, plan, described)
  const columns = reading.unusedColumns.map((name) => `"${name}"`).join(', ')
  return {
    rows: compared ?? described,
    notes: [
      ...(slotted.some(({ body }) => body) ? ['Rows without a time take free slots.'] : []),
      ...(unchanged
        ? [`${formatPostCount(unchanged)} in the file ${unchanged === 1 ? 'is' : 'are'} unchanged.`]
        : []),
      ...(columns ? [`These columns aren't used: ${columns}.`] : []),
      ...(await connectionNotes(bot, project_id, checked)),
      ...(compared ? [] : [notComparedNote(plan)]),
    ],
  }
}

async function connectionNotes(bot: Bot, project_id: string, rows: PlanRow[]): Promise<string[]> {
  if (!bot.extensions.current.hasAccounts) return []
  await bot.connectedPlatforms.load(project_id)
  const outgoing = rows.filter(({ body }) => body?.Status !== 'DRAFT')
  const Platforms = [...new Set(outgoing.flatMap(({ body }) => body?.Platforms ?? []))]
  const note = explainUnconnectedPlatforms({ Platforms }, { bot, project_id })
  return note ? [note] : []
}

const FETCH_TIMEOUT_MS = 30_000

async function loadText(
  worker: Worker,
  { source: given, team_id, user_id }: Plan,
  stopSignal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  if ('text' in given) return given
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  const fetched = openFile(worker, { team_id, user_id, file: given.file, signal }, MAX_PLAN_BYTES)
  const content = await fetched.then(({ chunks }) => buffer(chunks)).catch(mediaProblemOrThrow)
  // If this instance is stopping, another one runs the job again.
  stopSignal.throwIfAborted()
  if (content === 'too large') return { problem: 'The file is larger than 2 MB. Import the plan in parts.' }
  return typeof content === 'string' ? { problem: explainProblem(content) } : decodePlan(content)
}

const PROGRESS_INTERVAL_MS = 2000
/** If sending takes long, for example because the service is down, its progress is shown less often. */
const MAX_PROGRESS_INTERVAL_MS = 30_000

async function followSending(worker: Worker, plan: Plan): Promise<NextRun | undefined> {
  const { bot } = worker
  const items = await listBatch(bot.db, plan.id)
  const progress = countProgress(items)
  if (progress.pending) {
    await showPlanMessage(worker, plan, progressMessage(plan, progress))
    const now = bot.runtime.now()
    const wait = (now.getTime() - +(plan.sent_at ?? now)) / 10
    const interval = Math.max(PROGRESS_INTERVAL_MS, Math.min(wait, MAX_PROGRESS_INTERVAL_MS))
    return { due_at: addMs(now, interval) }
  }
  const posts = items.flatMap(({ state, opened_record, record }) =>
    state === 'sent' && opened_record && record
      ? [{ post: (record as SavedPost).post, reference: opened_record as OpenedPost }]
      : [],
  )
  const project = { Id: plan.project_id, Name: plan.project_name }
  await notifyAuthors(bot, plan, { change: 'changed', project, posts })
  const changes = { state: 'sent' as const, sent_at: bot.runtime.now() }
  if (!(await saveRun(bot.db, worker.job, plan, changes))) return undefined
  return followSent(worker, { ...plan, ...changes })
}

function countProgress(items: OutboxItem[]): PlanProgress {
  const done = items.filter(isDone).length
  const pending = items.filter(isOnItsWay).length
  // A change that needs approval waits as a separate item, so the plan's own item was sent without a record.
  const waiting = items.filter(({ state, body, record, opened_record }) =>
    state === 'sent' ? opened_record && !record : state === 'held' && body && asksForApproval(body),
  ).length
  return { done, pending, failed: items.length - done - pending, waiting }
}

/** Offers Undo for `UNDO_WINDOW_MS`, then closes the plan. */
async function followSent(worker: Worker, plan: Plan): Promise<NextRun | undefined> {
  const { bot, job } = worker
  const undoableUntil = addMs(plan.sent_at ?? plan.created_at, UNDO_WINDOW_MS)
  const isOver = undoableUntil <= bot.runtime.now()
  const items = await listBatch(bot.db, plan.id)
  const progress = countProgress(items)
  // A post that was approved a moment ago may still be on its way.
  if (progress.pending && isOver) {
    await showPlanMessage(worker, plan, progressMessage(plan, progress))
    return { due_at: addMs(bot.runtime.now(), UNDO_RETRY_MS) }
  }
  if (progress.pending) return { due_at: addMs(bot.runtime.now(), PROGRESS_INTERVAL_MS) }
  if (isOver && !(await saveRun(bot.db, job, plan, { state: 'closed' }))) return undefined
  const viewer = await contextOf(worker, plan)
  const offersUndo = !isOver && canUndo(bot, items)
  await showPlanMessage(worker, plan, summaryMessage(plan, progress, viewer, offersUndo))
  return isOver ? undefined : { due_at: undoableUntil }
}

const UNDO_RETRY_MS = 30_000
const MAX_UNDO_MS = 24 * 60 * 60_000

/** If the process dies, the job runs again and cancels the remaining posts. */
async function undo(worker: Worker, plan: Plan): Promise<NextRun | undefined> {
  const { job } = worker
  const { db, runtime } = worker.bot
  const { cancelled, kept, failed } = await cancelPosts(worker, plan)
  if (failed && runtime.now() < addMs(plan.sent_at ?? plan.created_at, MAX_UNDO_MS)) {
    await showPlanMessage(worker, plan, undoingMessage(plan, failed))
    return { due_at: addMs(runtime.now(), UNDO_RETRY_MS) }
  }
  if (!(await saveRun(db, job, plan, { state: 'closed' }))) return undefined
  await showPlanMessage(worker, plan, undoneMessage(plan, { cancelled, kept: kept + failed }))
  return undefined
}
