import { DateTime } from 'luxon'
import { describeRecurrence, nextOccurrence, type Recurrence } from '../../time/recurrence.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { Digest } from '../database/tables.ts'
import { slackErrorCode } from '../errors.ts'
import { escapeText, textReply } from '../message-blocks.ts'
import { messageOf } from '../notify.ts'
import type { NamedProject } from '../projects/projects.ts'
import { findLastDue, listUpcomingRuns } from './digest-run-store.ts'
import { findDigest, insertDigest, listChannelDigests, updateDigest } from './digest-store.ts'
import { isStopReason } from './stop-reasons.ts'

export type DigestSettings = Pick<Digest, 'channel_id' | 'recurrence' | 'sections' | 'when_empty'> & {
  project: NamedProject
  /** The digest to be changed. */
  replaces?: string | undefined
}

export type SaveResult =
  | { kind: 'saved'; digests: Digest[]; upcoming: Map<string, Date>; isTooLate: boolean }
  | { kind: 'duplicate' }
  | { kind: 'gone' }
  /** The bot can't post in the channel. */
  | { kind: 'refused'; message: string }

/** Creates or changes a digest. A new channel is told about it, which also shows whether the bot can post there. */
export async function saveDigest(
  bot: Bot,
  actor: Actor,
  { project, replaces, ...settings }: DigestSettings,
  deadlineMs: number,
): Promise<SaveResult> {
  const { db, runtime } = bot
  const { team_id, user_id } = actor
  const { channel_id, recurrence } = settings
  const existing = await listChannelDigests(db, { team_id, channel_id })
  const replaced = replaces ? await findDigest(db, replaces) : undefined
  if (replaces && replaced?.team_id !== team_id) return { kind: 'gone' }
  if (existing.some((digest) => digest.id !== replaces && isSame(digest, project, recurrence)))
    return { kind: 'duplicate' }
  if (replaced?.channel_id !== channel_id) {
    const refusal = await announceDigest(bot, actor, { channel_id, project, recurrence }, deadlineMs)
    if (refusal) return { kind: 'refused', message: refusal }
  }
  const now = runtime.now()
  const digest = {
    ...settings,
    id: replaced?.id ?? runtime.newId(),
    team_id,
    project_id: project.Id,
    project_name: project.Name,
    owner_id: user_id,
    created_at: replaced?.created_at ?? now,
  }
  const nextAt = (last: Date | undefined) => nextAfter(recurrence, { last, now })
  const result = replaced
    ? await updateDigest(db, { digest, now, nextAt })
    : (await insertDigest(db, digest, nextAt(undefined)))
      ? { isTooLate: false }
      : 'duplicate'
  if (typeof result === 'string') return { kind: result }
  const digests = await listChannelDigests(db, { team_id, channel_id })
  return { kind: 'saved', ...result, digests, upcoming: await findUpcoming(bot, digests) }
}

/** When the planned or scheduled messages of these digests appear, by digest. */
export const findUpcoming = ({ db, runtime }: Bot, digests: Digest[]): Promise<Map<string, Date>> =>
  listUpcomingRuns(
    db,
    digests.map(({ id }) => id),
    runtime.now(),
  )

const isSame = (digest: Digest, project: NamedProject, recurrence: Recurrence) =>
  digest.project_id === project.Id && describeRecurrence(digest.recurrence) === describeRecurrence(recurrence)

/** The next time of a paused digest. */
export async function nextRunAt({ db, runtime }: Bot, { id, recurrence }: Digest): Promise<Date> {
  return nextAfter(recurrence, { last: await findLastDue(db, id), now: runtime.now() })
}

/** A day has at most one digest, even if its time or time zone changes. */
function nextAfter(recurrence: Recurrence, { last, now }: { last: Date | undefined; now: Date }): Date {
  const endOfDay = last ? DateTime.fromJSDate(last, { zone: recurrence.zone }).endOf('day').toJSDate() : now
  return nextOccurrence(recurrence, endOfDay > now ? endOfDay : now).toJSDate()
}

/** For commands. A form must be answered sooner. */
export const ANNOUNCE_TIMEOUT_MS = 8000

type DigestAnnouncement = {
  channel_id: string
  project: Pick<NamedProject, 'Name'>
  recurrence: Recurrence
  isResumed?: boolean
}

/** Returns why the bot can't post in the channel. If Slack is slow, that shows when the first digest is due. */
export async function announceDigest(
  { runtime }: Bot,
  { client, user_id }: Actor,
  { channel_id: channel, project, recurrence, isResumed = false }: DigestAnnouncement,
  timeoutMs: number,
): Promise<string | undefined> {
  const verb = isResumed ? 'resumed' : 'set up'
  const text = `<@${user_id}> ${verb} a digest for this channel: ${escapeText(project.Name)}, ${describeRecurrence(recurrence)}.`
  const post = client.chat.postMessage({ channel, ...messageOf(textReply(text)) }).then(
    () => undefined,
    (error) => explainRefusal(slackErrorCode(error) ?? ''),
  )
  return Promise.race([post, runtime.sleep(timeoutMs).then(() => undefined)])
}

function explainRefusal(code: string): string | undefined {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.'
  if (code === 'is_archived') return 'That channel is archived. Pick another one.'
  return isStopReason(code) ? "Upnext isn't allowed to post in that channel. Pick another one." : undefined
}
