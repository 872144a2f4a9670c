import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { describeMoment } from '../../time/describe.ts'
import { describeRecurrence, nextOccurrence } from '../../time/recurrence.ts'
import { isChannelId } from '../actor.ts'
import type { Digest, DigestSection } from '../database/tables.ts'
import { slackErrorCode } from '../errors.ts'
import type { Request } from '../feature.ts'
import { buttonRow, escapeText, type Reply, section, textReply } from '../message-blocks.ts'
import { addDigestNotification } from '../notifications/notification-store.ts'
import { messageOf } from '../notify.ts'
import { canWrite } from '../permissions.ts'
import type { Viewer } from '../post-blocks.ts'
import {
  deleteDigest,
  findDigest,
  type ListedDigest,
  listDigests,
  type NewDigest,
  pauseDigest,
  resumeDigest,
  USER_REQUEST,
} from './digest-store.ts'
import { ALL_SECTIONS } from './gather-content.ts'
import { explainStop, isStopReason } from './stop-reasons.ts'

/** The digests of the channel; elsewhere the user's own. */
export function listDigestsHere({ bot, actor }: Request): Promise<ListedDigest[]> {
  const { team_id, user_id, channel_id } = actor
  const filter = isChannelId(channel_id) ? { team_id, channel_id } : { team_id, owner_id: user_id }
  return listDigests(bot.db, filter, bot.runtime.now())
}

const MAX_DIGESTS_LISTED = 20

const EXAMPLE_COMMAND = '`/upnext digest weekdays at 9am`'

/** Lists the digests, below messages about what has just changed. */
export async function renderDigestList(request: Request, messages: string[] = []): Promise<Reply> {
  const { bot, actor, profile } = request
  const digests = await listDigestsHere(request)
  const here = isChannelId(actor.channel_id) ? `<#${actor.channel_id}>` : undefined
  if (!digests.length) {
    const none = here ? `${here} has no digests.` : "You haven't set up any digests."
    return textReply([...messages, `${none} Set one up with ${EXAMPLE_COMMAND}.`].join('\n'))
  }
  const viewer = { zone: profile.zone, now: bot.runtime.now() }
  const lineOf = (digest: ListedDigest) =>
    `• ${here ? '' : `<#${digest.channel_id}> `}${describeDigest(digest, viewer)}`
  const title = here ? `*Digests in ${here}*` : '*Your digests*'
  const hiddenCount = digests.length - MAX_DIGESTS_LISTED
  const canEdit = canWrite(bot, profile)
  const listed = digests.slice(0, MAX_DIGESTS_LISTED)
  return {
    text: [...messages, title, ...digests.map(lineOf)].join('\n'),
    blocks: [
      ...[...messages, title].map(section),
      ...listed.flatMap((digest) => [section(lineOf(digest)), ...(canEdit ? digestButtons(digest) : [])]),
      ...(hiddenCount > 0 ? [section(`and ${hiddenCount} more. Delete some of these to see them.`)] : []),
    ],
  }
}

function digestButtons({ id: value, paused_reason }: Digest): KnownBlock[] {
  const edit = { action_id: 'digest:edit', label: 'Edit', value }
  const pause = { action_id: 'digest:pause', label: 'Pause', value }
  const resume = { action_id: 'digest:resume', label: 'Resume', value }
  const confirmation = "This can't be undone. You can pause the digest instead."
  const remove = { action_id: 'digest:delete', label: 'Delete', value, confirmation }
  return buttonRow(edit, paused_reason ? resume : pause, remove)
}

const SHORT_LABELS: Record<DigestSection, string> = {
  upcoming: 'the coming days',
  published: 'published posts',
  drafts: 'drafts',
  problems: 'problems',
  chart: 'the weekly chart',
}

/** The project, the recurrence, what is left out, and the next two runs or why there are none. */
export function describeDigest(digest: ListedDigest, viewer: Viewer): string {
  const { project_name, owner_id, recurrence, sections, when_empty } = digest
  const missing = ALL_SECTIONS.filter((name) => !sections.includes(name)).map((name) => SHORT_LABELS[name])
  const without = missing.length ? `, without ${missing.join(', ')}` : ''
  const skips = when_empty === 'skip' ? ', skipped if empty' : ''
  const schedule = `${describeRecurrence(recurrence)}${without}${skips}, ${describeRuns(digest, viewer)}`
  return `*${escapeText(project_name)}*, set up by <@${owner_id}>: ${schedule}`
}

function describeRuns(digest: ListedDigest, { zone: viewerZone, now }: Viewer): string {
  const { recurrence, paused_reason, next_at, upcoming_at } = digest
  if (paused_reason) {
    const reason = paused_reason === USER_REQUEST ? '' : ` because ${explainStop(paused_reason)}`
    return `paused${reason}. Start it again with \`/upnext digest resume\``
  }
  const first = upcoming_at ?? next_at
  const second = first < next_at ? next_at : nextOccurrence(recurrence, next_at).toJSDate()
  const [next, then] = [first, second].map((date) =>
    describeMoment({ at: DateTime.fromJSDate(date), zone: recurrence.zone, viewerZone, now }),
  )
  return `next ${next}, then ${then}`
}

const PAST_TENSES = { pause: 'paused', resume: 'resumed', delete: 'deleted' } as const

export type DigestChange = keyof typeof PAST_TENSES

export const TOO_LATE_MESSAGE = "The next digest is already on its way and can't be stopped."

/** Changes all digests here. Deleting several asks first. */
export async function changeAllDigests(request: Request, change: DigestChange, { isConfirmed = false } = {}) {
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
  const text = `There are ${count} digests here. Which one do you want to delete?`
  const { blocks = [] } = await renderDigestList(request, [text])
  const deleteAll = {
    action_id: 'digest:delete-all',
    label: `Delete all ${count}`,
    confirmation: "This can't be undone. You can pause the digests instead.",
  }
  await request.reply({ text, blocks: [...blocks, ...buttonRow(deleteAll)] })
}

export async function changeDigest(request: Request, change: DigestChange): Promise<void> {
  const digest = await resolveDigest(request)
  if (!digest) return
  const messages = await applyChange(request, digest, change)
  await request.replace(await renderDigestList(request, messages))
}

/** The digest that a button names. If it was deleted, tells the user and returns undefined. */
export async function resolveDigest({ bot, actor, text, reply }: Request): Promise<Digest | undefined> {
  const digest = await findDigest(bot.db, text)
  if (digest?.team_id === actor.team_id) return digest
  await reply(textReply('This digest was deleted.'))
  return undefined
}

/** Returns messages for the user. */
async function applyChange(request: Request, digest: Digest, change: DigestChange): Promise<string[]> {
  const { db, runtime } = request.bot
  const { project_name, recurrence, paused_reason } = digest
  if (change === (paused_reason ? 'pause' : 'resume')) return []
  const messages: string[] = []
  if (change === 'resume') {
    // If Slack stopped it, a message to the channel shows whether the bot can post there again.
    const refusal = paused_reason !== USER_REQUEST && (await announceDigest(request, digest, 'resumed'))
    if (refusal) return [refusal]
    await resumeDigest(db, digest, runtime.now())
  } else {
    const cancel = change === 'delete' ? deleteDigest : pauseDigest
    const cancelled = await cancel(db, digest, runtime.now())
    if (change === 'delete')
      messages.push(`Deleted: *${escapeText(project_name)}*, ${describeRecurrence(recurrence)}.`)
    if (cancelled === 'gone') return messages
    if (cancelled.isTooLate) messages.push(TOO_LATE_MESSAGE)
  }
  await notifyOwner(request, digest, PAST_TENSES[change])
  return messages
}

/** A command has no deadline. */
export type ChangeContext = Pick<Request, 'bot' | 'actor'> & { deadlineMs?: number }

/** Tells the owner what another user did with their digest. */
export async function notifyOwner({ bot, actor }: ChangeContext, digest: Digest, pastTense: string) {
  const message = `${pastTense} by <@${actor.user_id}>.`
  if (actor.user_id !== digest.owner_id)
    await addDigestNotification(bot.db, { digest, message, now: bot.runtime.now() })
}

const ANNOUNCE_TIMEOUT_MS = 8000

/** Returns why the bot can't post in the channel. If Slack is slow, that shows when the first digest is due. */
export function announceDigest(context: ChangeContext, digest: NewDigest, verb: 'set up' | 'resumed') {
  const { bot, actor, deadlineMs = ANNOUNCE_TIMEOUT_MS } = context
  const { channel_id: channel, project_name, recurrence } = digest
  const text = `<@${actor.user_id}> ${verb} a digest for this channel: ${escapeText(project_name)}, ${describeRecurrence(recurrence)}.`
  const post = actor.client.chat.postMessage({ channel, ...messageOf(textReply(text)) }).then(
    () => undefined,
    (error) => explainRefusal(slackErrorCode(error) ?? ''),
  )
  return Promise.race([post, bot.runtime.sleep(deadlineMs).then(() => undefined)])
}

function explainRefusal(code: string): string | undefined {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.'
  if (code === 'is_archived') return 'That channel is archived. Pick another one.'
  return isStopReason(code) ? "Upnext isn't allowed to post in that channel. Pick another one." : undefined
}
