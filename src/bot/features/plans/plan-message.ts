import { DateTime } from 'luxon'
import { postTime } from '../../../api/timestamps.ts'
import { formatDateRange } from '../../../time/describe.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import {
  buttonRow,
  context,
  escapeText,
  type Reply,
  section,
  type Viewer,
} from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import { LOST_MESSAGE_CODES, slackErrorCode } from '../../slack/slack-errors.ts'
import { formatPostCount } from '../posts/display/post-blocks.ts'
import { rowToPost } from './check-rows.ts'
import { updatePlan } from './plan-store.ts'
import { describePlan, rowsWithProblems } from './review-view.ts'
import { type Plan, readyRows } from './tables.ts'
import { UNDO_ACTION, UNDO_WINDOW_MINUTES } from './undo-plan.ts'

export const REVIEW_ACTION = 'plan:review'

/** Counts of a plan's posts by state. `done` includes posts that wait for approval. */
export type PlanProgress = { done: number; pending: number; failed: number; waiting: number }

/** Posts the direct message about a plan, or updates it. A message that was deleted is replaced by a new one. */
export async function showPlanMessage(
  { bot, client }: Pick<WorkerContext, 'bot' | 'client'>,
  plan: Plan,
  reply: Reply,
): Promise<void> {
  const { id, user_id, message_channel: channel, message_ts: ts } = plan
  const place = await postOrUpdate(client, user_id, { channel, ts }, reply).catch((error) => {
    if (!ts || !LOST_MESSAGE_CODES.includes(slackErrorCode(error) ?? '')) throw error
    return postOrUpdate(client, user_id, { channel: null, ts: null }, reply)
  })
  if (place.ts !== ts) await updatePlan(bot.db, id, { message_channel: place.channel, message_ts: place.ts })
}

export const problemMessage = (problem: string): Reply => ({
  text: `:warning: ${escapeText(problem)}`,
  blocks: [section(`:warning: ${escapeText(problem)}`), context('Nothing was scheduled.')],
})

export function reviewMessage(plan: Plan): Reply {
  const blocks = [
    section(`${describePlan(plan)}\nNothing is scheduled until you confirm.`),
    ...buttonRow({ action_id: REVIEW_ACTION, label: 'Continue review', value: plan.id }),
  ]
  return { text: `A plan with ${formatPostCount(readyRows(plan).length)} is ready for your review`, blocks }
}

export const progressMessage = (plan: Plan, { done, pending, failed }: PlanProgress): Reply => ({
  text: `:hourglass: Sending ${formatPostCount(done + pending + failed)} to ${escapeText(plan.project_name)}: ${done} done, ${pending} to go.`,
})

export function summaryMessage(
  plan: Plan,
  { done, failed, waiting }: PlanProgress,
  { zone, now }: Viewer,
  canUndo: boolean,
): Reply {
  const times = readyRows(plan).flatMap((row) => postTime(rowToPost(row))?.toMillis() ?? [])
  const dayOf = (ms: number) => DateTime.fromMillis(ms, { zone })
  const days = times.length
    ? ` ${formatDateRange(dayOf(Math.min(...times)).startOf('day'), dayOf(Math.max(...times)).endOf('day'), now)}`
    : ''
  const place = `in ${escapeText(plan.project_name)}${days}`
  const saved = done > waiting || !waiting ? [`Saved ${formatPostCount(done - waiting)} ${place}.`] : []
  const asked = waiting
    ? [
        `${formatPostCount(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for approval${saved.length ? '' : ` ${place}`}.`,
      ]
    : []
  const text = [...saved, ...asked].join(' ')
  const skippedCount = rowsWithProblems(plan).length
  const problem = failed
    ? [context(`:warning: ${formatPostCount(failed)} couldn't be sent. See \`/upnext outbox\`.`)]
    : []
  const undo = { action_id: UNDO_ACTION, label: `Undo (for ${UNDO_WINDOW_MINUTES} minutes)`, value: plan.id }
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...(skippedCount ? [context(skippedNote(skippedCount))] : []),
      ...problem,
      ...(canUndo ? buttonRow(undo) : []),
    ],
  }
}

const skippedNote = (count: number): string =>
  count === 1
    ? '1 row with a problem was left out. Fix it, then import it again.'
    : `${count} rows with problems were left out. Fix them, then import them again.`

export const undoingMessage = ({ project_name }: Plan, failed: number): Reply => ({
  text: `:hourglass: Still cancelling ${formatPostCount(failed)} in ${escapeText(project_name)}. The scheduling service can't be reached or is rejecting the requests.`,
})

export function undoneMessage(plan: Plan, { cancelled, kept }: { cancelled: number; kept: number }): Reply {
  const rest = kept
    ? ` Not cancelled: ${formatPostCount(kept)} (already out, being sent, changed since, or impossible to cancel).`
    : ''
  return {
    text: `Undone: cancelled ${formatPostCount(cancelled)} in ${escapeText(plan.project_name)}.${rest}`,
  }
}
