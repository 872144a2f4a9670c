import type { CallOptions } from '../../../api/client.ts'
import { addMs, msUntil } from '../../../runtime.ts'
import { describeRecurrence, nextOccurrence } from '../../../time/recurrence.ts'
import type { SendContext } from '../../forms/form.ts'
import { recordAction } from '../../slack/audit.ts'
import { checkChannelAccess } from '../../slack/check-channel-access.ts'
import type { Request } from '../../slack/feature.ts'
import { buttonRow, escapeText, textReply } from '../../slack/message-blocks.ts'
import { messageOf } from '../../slack/notify.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import { EXAMPLE_COMMAND, listDigestsHere, renderDigestList } from './digest-list.ts'
import {
  deleteDigest,
  findDigest,
  insertDigest,
  listDigests,
  type NewDigest,
  pauseDigest,
  resumeDigest,
  USER_REQUEST,
  updateDigest,
} from './digest-store.ts'
import { digestsVersion, digestVersion } from './digest-version.ts'
import { addDigestNotification } from './notify-owner.ts'
import { explainStop, isStopReason, PROJECT_LOST } from './stop-reasons.ts'
import type { Digest } from './tables.ts'

type DigestSettings = Pick<Digest, 'channel_id' | 'recurrence' | 'sections' | 'when_empty'>

type SaveContext = ChangeContext & Pick<SendContext, 'project' | 'replaces'>

export type SavedDigest = Extract<SaveResult, { kind: 'saved' }>

type SaveResult =
  /** `digests` are all digests of the channel. If `isTooLate`, the next message can no longer be stopped. */
  | { kind: 'saved'; Id: string; digests: Digest[]; isTooLate: boolean }
  | { kind: 'duplicate' | 'gone' | 'changed' }
  /** The user can't see the channel, or the bot can't post in it. */
  | { kind: 'refused'; message: string }

/** Creates or changes a digest. An announcement in a new channel also shows whether the bot can post there. */
export async function saveDigest(context: SaveContext, settings: DigestSettings): Promise<SaveResult> {
  const { project, replaces } = context
  const { db, runtime } = context.bot
  const { team_id, user_id: owner_id } = context.actor
  const { channel_id, recurrence } = settings
  const listInChannel = () => listDigests(db, { team_id, channel_id })
  const replaced = replaces ? await findDigest(db, { id: replaces.split(' ')[0] ?? '' }) : undefined
  if (replaces && replaced?.team_id !== team_id) return { kind: 'gone' }
  if (replaced && !(await mayChange(context, replaced))) return { kind: 'gone' }
  // A form that was opened by an earlier release has only the id.
  const isUnchanged = (digest: Digest) => [digest.id, digestVersion(digest)].includes(replaces ?? '')
  if (replaced && !isUnchanged(replaced)) return { kind: 'changed' }
  if ((await checkChannelAccess(context.bot, context.actor, channel_id)) === 'no')
    return { kind: 'refused', message: "You aren't a member of that channel. Pick another one." }
  const words = describeRecurrence(recurrence)
  const isSame = ({ id, project_id, recurrence: other }: Digest) =>
    id !== replaced?.id && project_id === project.Id && describeRecurrence(other) === words
  if ((await listInChannel()).some(isSame)) return { kind: 'duplicate' }
  const { id, created_at } = replaced ?? { id: runtime.newId(), created_at: runtime.now() }
  const projectFields = { project_id: project.Id, project_name: project.Name }
  const digest = { ...settings, ...projectFields, id, created_at, team_id, owner_id }
  if (replaced?.channel_id !== channel_id) {
    const refusal = await announceDigest(context, digest, 'set up')
    if (refusal) return { kind: 'refused', message: refusal }
  }
  const now = runtime.now()
  const result = replaced
    ? await updateDigest(db, { digest, isUnchanged }, now)
    : await insertDigest(db, digest, nextOccurrence(recurrence, now).toJSDate())
  if (typeof result === 'string') return { kind: result }
  if (replaced) await notifyOwner(context, replaced, 'changed')
  return { kind: 'saved', Id: id, ...result, digests: await listInChannel() }
}

const PAST_TENSES = { pause: 'paused', resume: 'resumed', delete: 'deleted' } as const

export type DigestChange = keyof typeof PAST_TENSES

export const TOO_LATE_MESSAGE = "The next digest is already on its way and can't be stopped."

/**
 * Changes all digests in this channel. Asks before it deletes more than one, and again if one has changed since. Digests
 * that were created after the question are kept.
 */
export async function changeAllDigests(
  request: Request,
  change: DigestChange,
  confirmed?: { until: string },
) {
  const all = await listDigestsHere(request)
  const [until, version] = confirmed?.until.split(' ') ?? []
  const digests = until ? all.filter(({ created_at }) => created_at <= new Date(until)) : all
  if (!all.length)
    return request.reply(textReply(`There's no digest here. Set one up with ${EXAMPLE_COMMAND}.`))
  const isUnseen = !confirmed || (version && version !== digestsVersion(digests))
  if (change === 'delete' && digests.length > 1 && isUnseen) return askWhichToDelete(request, digests)
  const messages: string[] = []
  for (const digest of digests) messages.push(...(await applyChange(request, digest, change)))
  await request.reply(await renderDigestList(request, [...new Set(messages)]))
}

async function askWhichToDelete(request: Request, digests: Digest[]): Promise<void> {
  const count = digests.length
  const text = `There are ${count} digests here. Which one do you want to delete?`
  const { blocks = [] } = await renderDigestList(request, [text])
  const deleteAll = {
    action_id: 'digest:delete-all',
    label: `Delete all ${count}`,
    // The newest comes last.
    value: `${digests.at(-1)?.created_at.toISOString()} ${digestsVersion(digests)}`,
    confirmation: "This can't be undone. You can pause the digests instead.",
  }
  await request.reply({ text, blocks: [...blocks, ...buttonRow(deleteAll)] })
}

const CHANGED_SINCE_LISTED = "This digest has changed since you saw it, so it wasn't deleted."

export async function changeDigest(request: Request, change: DigestChange): Promise<void> {
  const digest = await resolveDigest(request)
  if (!digest) return
  // Buttons of earlier releases have only the id.
  const isSeen = [digest.id, digestVersion(digest)].includes(request.text)
  const messages =
    change === 'delete' && !isSeen ? [CHANGED_SINCE_LISTED] : await applyChange(request, digest, change)
  await request.replace(await renderDigestList(request, messages))
}

/** Finds the digest that a button refers to. If it no longer exists, replies to the user and returns undefined. */
export async function resolveDigest({ bot, actor, text, reply }: Request): Promise<Digest | undefined> {
  const digest = await findDigest(bot.db, { id: text.split(' ')[0] ?? '' })
  if (digest?.team_id === actor.team_id && (await mayChange({ bot, actor }, digest))) return digest
  await reply(textReply('This digest no longer exists.'))
  return undefined
}

/** A digest may be changed by its owner and by everyone who can see its channel. */
const mayChange = async ({ bot, actor }: Pick<Request, 'bot' | 'actor'>, digest: Digest): Promise<boolean> =>
  digest.owner_id === actor.user_id || (await checkChannelAccess(bot, actor, digest.channel_id)) === 'yes'

/** Returns messages for the user. */
async function applyChange(request: Request, digest: Digest, change: DigestChange): Promise<string[]> {
  const { db, runtime } = request.bot
  const { id, channel_id, project_id, project_name, recurrence, paused_reason } = digest
  if (change === (paused_reason ? 'pause' : 'resume')) return []
  const messages: string[] = []
  if (change === 'resume') {
    if (await request.bot.projectList.isLost(project_id))
      return [`Not resumed, because ${explainStop(PROJECT_LOST)}. ${chooseProject(paused_reason)}`]
    // If a Slack error paused the digest, the announcement shows whether the bot can post in the channel again.
    const refusal = paused_reason !== USER_REQUEST && (await announceDigest(request, digest, 'resumed'))
    if (refusal) return [refusal]
    await resumeDigest(db, digest, runtime.now())
  } else {
    const cancel = change === 'delete' ? deleteDigest : pauseDigest
    const cancelled = await cancel(db, digest, runtime.now())
    if (change === 'delete')
      messages.push(`Deleted: *${escapeText(project_name)}*, ${describeRecurrence(recurrence)}.`)
    if (typeof cancelled === 'string') return messages
    if (cancelled.isTooLate) messages.push(TOO_LATE_MESSAGE)
  }
  const state = PAST_TENSES[change]
  const after = { channel_id, recurrence: describeRecurrence(recurrence), state }
  await recordAction(request, { action: `digest:${change}`, project_id, target: id, after })
  await notifyOwner(request, digest, state)
  return messages
}

/** An edit resumes a digest that Upnext paused, but not one that a person paused. */
const chooseProject = (paused_reason: string | null): string =>
  `Press *Edit* to choose another project${paused_reason === USER_REQUEST ? ', then resume it' : ''}.`

/** Only forms set the deadline. */
type ChangeContext = Pick<Request, 'bot' | 'actor'> & CallOptions

/** Notifies a digest's owner of another user's change to it. */
async function notifyOwner({ bot, actor }: ChangeContext, digest: Digest, pastTense: string) {
  const { db, runtime } = bot
  const message = `${pastTense} by <@${actor.user_id}>.`
  if (actor.user_id !== digest.owner_id)
    await addDigestNotification(db, { id: runtime.newId(), digest, message, now: runtime.now() })
}

const ANNOUNCE_TIMEOUT_MS = 8000

/**
 * Announces the digest. Returns a message if the bot can't post in the channel. If Slack is too slow, a problem only
 * shows when the first digest is due.
 */
function announceDigest(context: ChangeContext, digest: NewDigest, verb: 'set up' | 'resumed') {
  const { bot, actor } = context
  const { now, sleep } = bot.runtime
  const { deadline = addMs(now(), ANNOUNCE_TIMEOUT_MS) } = context
  const { channel_id: channel, project_name, recurrence } = digest
  const text = `<@${actor.user_id}> ${verb} a digest for this channel: ${escapeText(project_name)}. ${describeRecurrence(recurrence)}.`
  const post = actor.client.chat.postMessage({ channel, ...messageOf(textReply(text)) }).then(
    () => undefined,
    (error) => explainRejection(slackErrorCode(error) ?? ''),
  )
  return Promise.race([post, sleep(msUntil(deadline, now())).then(() => undefined)])
}

function explainRejection(code: string): string | undefined {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.'
  if (code === 'is_archived') return 'That channel is archived. Pick another one.'
  return isStopReason(code) ? "Upnext isn't allowed to post in that channel. Pick another one." : undefined
}
