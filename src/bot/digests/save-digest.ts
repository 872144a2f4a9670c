import { describeRecurrence, nextOccurrence } from '../../time/recurrence.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { Digest } from '../database/tables.ts'
import { slackErrorCode } from '../errors.ts'
import { escapeText, textReply } from '../message-blocks.ts'
import { addDigestNotification } from '../notifications/notification-store.ts'
import { messageOf } from '../notify.ts'
import type { NamedProject } from '../projects/projects.ts'
import { findDigest, insertDigest, type ListedDigest, listDigests, updateDigest } from './digest-store.ts'
import { isStopReason } from './stop-reasons.ts'

type DigestSettings = Pick<Digest, 'channel_id' | 'recurrence' | 'sections' | 'when_empty'> & {
  project: NamedProject
  /** The digest to be changed. */
  replaces?: string | undefined
}

export type SaveResult =
  /** With all digests of the channel. `isTooLate`: the next message can no longer be stopped. */
  | { kind: 'saved'; digests: ListedDigest[]; isTooLate: boolean }
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
  const listInChannel = () => listDigests(db, { team_id, channel_id }, runtime.now())
  const replaced = replaces ? await findDigest(db, replaces) : undefined
  if (replaces && replaced?.team_id !== team_id) return { kind: 'gone' }
  const words = describeRecurrence(recurrence)
  const isSame = ({ id, project_id, recurrence: other }: Digest) =>
    id !== replaces && project_id === project.Id && describeRecurrence(other) === words
  if ((await listInChannel()).some(isSame)) return { kind: 'duplicate' }
  const digest = {
    ...settings,
    id: replaced?.id ?? runtime.newId(),
    team_id,
    project_id: project.Id,
    project_name: project.Name,
    owner_id: user_id,
    created_at: replaced?.created_at ?? runtime.now(),
  }
  if (replaced?.channel_id !== channel_id) {
    const refusal = await announceDigest(bot, actor, digest, 'set up', deadlineMs)
    if (refusal) return { kind: 'refused', message: refusal }
  }
  const now = runtime.now()
  const result = replaced
    ? await updateDigest(db, digest, now)
    : (await insertDigest(db, digest, nextOccurrence(recurrence, now).toJSDate()))
      ? { isTooLate: false }
      : 'duplicate'
  if (typeof result === 'string') return { kind: result }
  if (replaced) await notifyOwner(bot, actor, replaced, 'changed')
  return { kind: 'saved', ...result, digests: await listInChannel() }
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

/** For commands. A form must be answered sooner. */
export const ANNOUNCE_TIMEOUT_MS = 8000

/** Returns why the bot can't post in the channel. If Slack is slow, that shows when the first digest is due. */
export async function announceDigest(
  { runtime }: Bot,
  { client, user_id }: Actor,
  {
    channel_id: channel,
    project_name,
    recurrence,
  }: Pick<Digest, 'channel_id' | 'project_name' | 'recurrence'>,
  verb: 'set up' | 'resumed',
  timeoutMs: number,
): Promise<string | undefined> {
  const text = `<@${user_id}> ${verb} a digest for this channel: ${escapeText(project_name)}, ${describeRecurrence(recurrence)}.`
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
