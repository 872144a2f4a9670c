import type { KnownBlock } from '@slack/types'
import { describeRecurrence } from '../../../time/recurrence.ts'
import { describeRuns } from '../../forms/recurrence-field.ts'
import { isChannelId } from '../../slack/actor.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Request } from '../../slack/feature.ts'
import {
  buttonRow,
  escapeText,
  mentionUser,
  type Reply,
  section,
  textReply,
  type Viewer,
} from '../../slack/message-blocks.ts'
import { canWrite } from '../../slack/permissions.ts'
import { listDigests, USER_REQUEST } from './digest-store.ts'
import { digestVersion } from './digest-version.ts'
import { ALL_SECTIONS } from './gather-content.ts'
import { adviceAfterStop, explainStop } from './stop-reasons.ts'
import type { Digest, DigestSectionName } from './tables.ts'

/** Lists the digests of the channel or, outside channels, the user's own digests. */
export function listDigestsHere({ bot, actor }: Request): Promise<Digest[]> {
  const { team_id, user_id, channel_id } = actor
  const filter = isChannelId(channel_id) ? { team_id, channel_id } : { team_id, owner_id: user_id }
  return listDigests(bot.db, filter)
}

/** Projects may have been renamed since the last digest. */
export const withCurrentNames = ({ projectList }: Bot, digests: Digest[]): Promise<Digest[]> =>
  Promise.all(
    digests.map(async (digest) => {
      const { project_id, project_name } = digest
      return { ...digest, project_name: await projectList.nameOf(project_id, project_name) }
    }),
  )

const MAX_DIGESTS_LISTED = 20

export const EXAMPLE_COMMAND = '`/upnext digest weekdays at 9am`'

/** Lists the digests, below messages about the latest changes. */
export async function renderDigestList(request: Request, messages: string[] = []): Promise<Reply> {
  const { bot, actor, profile, viewer } = request
  const digests = await withCurrentNames(bot, await listDigestsHere(request))
  const channel = isChannelId(actor.channel_id) ? `<#${actor.channel_id}>` : undefined
  if (!digests.length) {
    const emptyMessage = channel ? `${channel} has no digests.` : "You haven't set up any digests."
    return textReply([...messages, `${emptyMessage} Set one up with ${EXAMPLE_COMMAND}.`].join('\n'))
  }
  const describe = (digest: Digest) =>
    `• ${channel ? '' : `<#${digest.channel_id}> `}${describeDigest(digest, viewer)}`
  const title = channel ? `*Digests in ${channel}*` : '*Your digests*'
  const hiddenCount = digests.length - MAX_DIGESTS_LISTED
  const more = `Plus ${hiddenCount} more. Owners and admins can see all of them with \`/upnext digests\`.`
  const canEdit = canWrite(bot, profile)
  const listed = digests.slice(0, MAX_DIGESTS_LISTED)
  return {
    text: [...messages, title, ...digests.map(describe)].join('\n'),
    blocks: [
      ...[...messages, title].map(section),
      ...listed.flatMap((digest) => [section(describe(digest)), ...(canEdit ? digestButtons(digest) : [])]),
      ...(hiddenCount > 0 ? [section(more)] : []),
    ],
  }
}

function digestButtons(digest: Digest): KnownBlock[] {
  const { paused_reason } = digest
  const value = digestVersion(digest)
  const editButton = { action_id: 'digest:edit', label: 'Edit', value }
  const pauseButton = { action_id: 'digest:pause', label: 'Pause', value }
  const resumeButton = { action_id: 'digest:resume', label: 'Resume', value }
  const confirmation = "This can't be undone. You can pause the digest instead."
  const deleteButton = { action_id: 'digest:delete', label: 'Delete', value, confirmation }
  return buttonRow(editButton, paused_reason ? resumeButton : pauseButton, deleteButton)
}

const INLINE_LABELS: Record<DigestSectionName, string> = {
  upcoming: 'the coming days',
  published: 'published posts',
  drafts: 'drafts',
  problems: 'problems',
  chart: 'the calendar of the week',
}

/** The project, the recurrence, the sections left out, and the next two runs or why the digest is paused. */
export function describeDigest(digest: Digest, viewer: Viewer): string {
  const { project_name, owner_id, recurrence, sections, when_empty } = digest
  const missing = ALL_SECTIONS.filter((name) => !sections.includes(name)).map((name) => INLINE_LABELS[name])
  const without = missing.length ? `, without ${missing.join(', ')}` : ''
  const skips = when_empty === 'skip' ? ', skipped if empty' : ''
  const schedule = `${describeRecurrence(recurrence)}${without}${skips}, ${describeNext(digest, viewer)}`
  return `*${escapeText(project_name)}*, set up by ${mentionUser(owner_id)}: ${schedule}`
}

function describeNext({ recurrence, paused_reason, next_at }: Digest, viewer: Viewer): string {
  if (!paused_reason) return describeRuns(recurrence, next_at, viewer)
  const reason = paused_reason === USER_REQUEST ? '' : ` because ${explainStop(paused_reason)}`
  return `paused${reason}. ${adviceAfterStop(paused_reason)}`
}
