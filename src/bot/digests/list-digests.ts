import { DateTime } from 'luxon'
import { describeMoment } from '../../time/describe.ts'
import { describeRecurrence, nextOccurrence } from '../../time/recurrence.ts'
import { isChannelId } from '../actor.ts'
import type { Digest, DigestSection } from '../database/tables.ts'
import type { Request } from '../feature.ts'
import { buttonRow, escapeText, type Reply, section, textReply } from '../message-blocks.ts'
import { canWrite } from '../permissions.ts'
import type { Viewer } from '../post-blocks.ts'
import { listChannelDigests, listOwnDigests, USER_REQUEST } from './digest-store.ts'
import { findUpcoming } from './save-digest.ts'
import { explainStop } from './stop-reasons.ts'

export const EXAMPLE_COMMAND = '`/upnext digest weekdays at 9am`'

/** The digests of the channel; elsewhere the user's own. */
export const listDigestsHere = ({
  bot,
  actor: { team_id, user_id, channel_id },
}: Request): Promise<Digest[]> =>
  isChannelId(channel_id)
    ? listChannelDigests(bot.db, { team_id, channel_id })
    : listOwnDigests(bot.db, { team_id, user_id })

const MAX_DIGESTS_LISTED = 20

/** Lists the digests, below messages about what has just changed. */
export async function renderDigestList(request: Request, messages: string[] = []): Promise<Reply> {
  const { bot, actor, profile } = request
  const digests = await listDigestsHere(request)
  const isInChannel = isChannelId(actor.channel_id)
  if (!digests.length) {
    const none = isInChannel ? `<#${actor.channel_id}> has no digest.` : "You haven't set up any digest."
    return textReply([...messages, `${none} Set one up with ${EXAMPLE_COMMAND}.`].join('\n'))
  }
  const viewer = { zone: profile.zone, now: bot.runtime.now() }
  const upcoming = await findUpcoming(bot, digests)
  const lines = digests.map((digest) => {
    const channel = isInChannel ? '' : `<#${digest.channel_id}> `
    return { digest, line: `• ${channel}${describeDigest(digest, upcoming, viewer)}` }
  })
  const title = isInChannel ? `*Digests in <#${actor.channel_id}>*` : '*Your digests*'
  const hiddenCount = lines.length - MAX_DIGESTS_LISTED
  const canEdit = canWrite(bot, profile)
  return {
    text: [...messages, title, ...lines.map(({ line }) => line)].join('\n'),
    blocks: [
      ...messages.map(section),
      section(title),
      ...lines
        .slice(0, MAX_DIGESTS_LISTED)
        .flatMap(({ digest, line }) => [section(line), ...(canEdit ? digestButtons(digest) : [])]),
      ...(hiddenCount > 0 ? [section(`and ${hiddenCount} more. Delete some of these to see them.`)] : []),
    ],
  }
}

const digestButtons = ({ id, paused_reason }: Digest) =>
  buttonRow(
    { action_id: 'digest:edit', label: 'Edit', value: id },
    paused_reason
      ? { action_id: 'digest:resume', label: 'Resume', value: id }
      : { action_id: 'digest:pause', label: 'Pause', value: id },
    {
      action_id: 'digest:delete',
      label: 'Delete',
      value: id,
      confirmation: "This can't be undone. You can pause the digest instead.",
    },
  )

const SHORT_SECTION_LABELS: Record<DigestSection, string> = {
  upcoming: 'the coming days',
  published: 'published posts',
  drafts: 'drafts',
  problems: 'problems',
  chart: 'the weekly chart',
}

/** The project, the recurrence, what is left out, and the next two runs or why there are none. */
export function describeDigest(
  digest: Digest,
  upcoming: Map<string, Date>,
  { zone, now }: Pick<Viewer, 'zone' | 'now'>,
): string {
  const { id, project_name, recurrence, paused_reason, owner_id, next_at, sections, when_empty } = digest
  const first = upcoming.get(id) ?? next_at
  const second = first < next_at ? next_at : nextOccurrence(recurrence, next_at).toJSDate()
  const [next, then] = [first, second].map((date) => {
    const at = DateTime.fromJSDate(date, { zone: recurrence.zone })
    return describeMoment({ at, zone: recurrence.zone, viewerZone: zone, now })
  })
  const reason =
    paused_reason && paused_reason !== USER_REQUEST ? ` because ${explainStop(paused_reason)}` : ''
  const runs = paused_reason
    ? `paused${reason}. Start it again with \`/upnext digest resume\``
    : `next ${next}, then ${then}`
  const missing = Object.entries(SHORT_SECTION_LABELS)
    .filter(([name]) => !sections.some((included) => included === name))
    .map(([, label]) => label)
  const without = missing.length ? `, without ${missing.join(', ')}` : ''
  const skips = when_empty === 'skip' ? ', skipped if empty' : ''
  return `*${escapeText(project_name)}*, set up by <@${owner_id}>: ${describeRecurrence(recurrence)}${without}${skips}, ${runs}`
}
