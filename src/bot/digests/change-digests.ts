import { describeRecurrence } from '../../time/recurrence.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { Digest } from '../database/tables.ts'
import type { Request } from '../feature.ts'
import { buttonRow, escapeText, section, textReply } from '../message-blocks.ts'
import { addDigestNotification } from '../notifications/notification-store.ts'
import type { CancelledRuns } from './digest-run-store.ts'
import { deleteDigest, pauseDigest, resumeDigest, USER_REQUEST } from './digest-store.ts'
import { EXAMPLE_COMMAND, listDigestsHere, renderDigestList } from './list-digests.ts'
import { ANNOUNCE_TIMEOUT_MS, announceDigest, nextRunAt } from './save-digest.ts'

export type DigestChange = 'pause' | 'resume' | 'delete'

export const TOO_LATE_MESSAGE = "The next digest is already on its way and can't be stopped."

/** `isDone` is false if the digest was in the wanted state already, or couldn't be changed. */
type ChangeResult = { isDone: boolean; message?: string | undefined }

const UNCHANGED: ChangeResult = { isDone: false }

const toChangeResult = (cancelled: CancelledRuns | 'gone'): ChangeResult =>
  cancelled === 'gone'
    ? UNCHANGED
    : { isDone: true, message: cancelled.isTooLate ? TOO_LATE_MESSAGE : undefined }

type Change = {
  pastTense: 'paused' | 'resumed' | 'deleted'
  apply: (request: Request, digest: Digest) => Promise<ChangeResult>
}

const CHANGES: Record<DigestChange, Change> = {
  pause: {
    pastTense: 'paused',
    apply: async ({ bot }, digest) =>
      digest.paused_reason ? UNCHANGED : toChangeResult(await pauseDigest(bot.db, digest, bot.runtime.now())),
  },
  resume: { pastTense: 'resumed', apply: resume },
  delete: {
    pastTense: 'deleted',
    apply: async ({ bot }, digest) => toChangeResult(await deleteDigest(bot.db, digest, bot.runtime.now())),
  },
}

async function resume({ bot, actor }: Request, digest: Digest): Promise<ChangeResult> {
  const { id, paused_reason, channel_id, project_name, recurrence } = digest
  if (!paused_reason) return UNCHANGED
  // If Slack stopped it, a message to the channel shows whether the bot can post there again.
  if (paused_reason !== USER_REQUEST) {
    const announcement = { channel_id, project: { Name: project_name }, recurrence, isResumed: true }
    const refusal = await announceDigest(bot, actor, announcement, ANNOUNCE_TIMEOUT_MS)
    if (refusal) return { isDone: false, message: refusal }
  }
  await resumeDigest(bot.db, id, await nextRunAt(bot, digest))
  return { isDone: true }
}

/** Changes all digests here. Deleting several asks first. */
export async function changeAllDigests(
  request: Request,
  change: DigestChange,
  { isConfirmed = false } = {},
): Promise<void> {
  const digests = await listDigestsHere(request)
  if (!digests.length)
    return request.reply(textReply(`There's no digest here. Set one up with ${EXAMPLE_COMMAND}.`))
  if (change === 'delete' && digests.length > 1 && !isConfirmed)
    return askWhichToDelete(request, digests.length)
  const messages: string[] = []
  for (const digest of digests) messages.push(...(await applyChange(request, digest, change)))
  await request.reply(await renderDigestList(request, [...new Set(messages)]))
}

async function askWhichToDelete(request: Request, count: number): Promise<void> {
  const list = await renderDigestList(request)
  const text = `There are ${count} digests here. Which one do you want to delete?`
  const deleteAll = {
    action_id: 'digest:delete-all',
    label: `Delete all ${count}`,
    confirmation: "This can't be undone. You can pause the digests instead.",
  }
  await request.reply({ text, blocks: [section(text), ...(list.blocks ?? []), ...buttonRow(deleteAll)] })
}

export async function changeDigest(request: Request, digest: Digest, change: DigestChange): Promise<void> {
  const messages = await applyChange(request, digest, change)
  await request.replace(await renderDigestList(request, messages))
}

/** Returns messages for the user. */
async function applyChange(request: Request, digest: Digest, change: DigestChange): Promise<string[]> {
  const { pastTense, apply } = CHANGES[change]
  const { isDone, message } = await apply(request, digest)
  if (isDone) await notifyOwner(request.bot, request.actor, digest, pastTense)
  const deleted = `Deleted: *${escapeText(digest.project_name)}*, ${describeRecurrence(digest.recurrence)}.`
  return [...(change === 'delete' ? [deleted] : []), ...(message ? [message] : [])]
}

/** Tells the owner what another user did with their digest. */
export async function notifyOwner(
  { db, runtime }: Bot,
  { user_id }: Actor,
  digest: Digest,
  pastTense: 'changed' | 'paused' | 'resumed' | 'deleted',
): Promise<void> {
  if (user_id !== digest.owner_id)
    await addDigestNotification(db, digest, `${pastTense} by <@${user_id}>.`, runtime.now())
}
