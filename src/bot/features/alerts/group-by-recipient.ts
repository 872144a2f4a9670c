import { ERASED } from '../../../database/personal-data.ts'
import type { ProjectKey } from '../../database/tables.ts'
import { findPostAuthor } from '../../outbox/find-items-store.ts'
import type { Bot } from '../../slack/bot.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { findAdmins } from '../../slack/find-admins.ts'
import { isActiveUser } from '../../slack/is-active-user.ts'
import { findFollower } from '../posts/messages/post-message-store.ts'
import type { CheckedProject } from '../posts/messages/queue-project-check.ts'
import type { AlertChannel } from './alert-store.ts'
import type { Findings } from './find-problems.ts'
import type { Problem } from './tables.ts'

type Check = { project: CheckedProject; channels: AlertChannel[]; findings: Findings }

/**
 * Assigns problems to their recipients: the channels with alerts, and the post's author. If the author has left and no
 * channel gets alerts, the admins are notified. Published posts are assigned to the channels that asked for them.
 */
export async function groupByRecipient(
  { bot, client }: WorkerContext,
  { project, channels, findings }: Check,
): Promise<Map<string, Problem[]>> {
  const { team_id, project_id } = project
  const recipients = new Map<string, Problem[]>()
  const channel_ids = channels.map(({ channel_id }) => channel_id)
  const unassigned: Problem[] = []
  const assign = (recipient: string, problem: Problem) =>
    recipients.set(recipient, [...(recipients.get(recipient) ?? []), problem])
  for (const { post: _post, ...problem } of findings.problems) {
    for (const channel_id of channel_ids) assign(channel_id, problem)
    const { post_id } = problem
    const author = post_id && (await findAuthor(bot, { team_id, project_id, post_id }))
    if (!author) continue
    if (await isActiveUser({ bot, client }, { team_id, user_id: author })) assign(author, problem)
    else if (!channel_ids.length) unassigned.push(problem)
  }
  for (const { channel_id, published_since: since } of channels)
    for (const { post: _post, ...notice } of findings.published)
      if (since !== null && since < new Date(notice.published_at ?? '')) assign(channel_id, notice)
  const admins = unassigned.length ? await findAdmins(bot, client) : []
  // If Slack doesn't list the admins, the next check finds the problems again.
  for (const admin of admins ?? []) for (const problem of unassigned) assign(admin, problem)
  return recipients
}

/** Finds a post's author in the outbox or, if there is none, the person whose direct message shows the post. */
async function findAuthor(
  { db }: Bot,
  { team_id, project_id, post_id }: ProjectKey & { post_id: string },
): Promise<string | undefined> {
  const author = await findPostAuthor(db, team_id, { project_id, post_id })
  if (author && author !== ERASED) return author
  return (await findFollower(db, { team_id, project_id, post_id })) ?? author
}
