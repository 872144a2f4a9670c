import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import type { JobHandler } from '../../../../jobs/job-queue.ts'
import { addJobs } from '../../../../jobs/job-store.ts'
import { addMs } from '../../../../runtime.ts'
import type { UserKey } from '../../../database/tables.ts'
import type { SendContext } from '../../../forms/form.ts'
import { type Bot, EXTENSIONS_RECHECK_MS } from '../../../slack/bot.ts'
import { isConnected } from '../../../slack/connected-platforms.ts'
import type { WorkerContext } from '../../../slack/feature.ts'
import { context } from '../../../slack/message-blocks.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { OVERDUE_REPORT_DELAY_MS } from '../display/overdue.ts'
import { savedPostReply } from '../display/post-reply.ts'
import type { ShownPost } from '../tables.ts'
import { findFollower } from './post-message-store.ts'
import { queueProjectCheck } from './queue-project-check.ts'
import { rememberMessage, toShownPost } from './remember-message.ts'

export const FOLLOW_JOB = 'follow post'
/** Long enough for a confirmation in a direct message to be stored, so that no second message is sent. */
const DELAY_MS = 2000

type FollowedPost = {
  team_id: string
  user_id: string
  project: NamedProject
  post: ShownPost
  /** The id that the post has in Upnext, if it was held. Jobs added by earlier versions lack this. */
  held_id?: string
}

/**
 * Queues a direct message to the author. Unlike an ephemeral confirmation, it can be updated later, with links to the
 * published post.
 */
export async function followPost(
  post: Post,
  { bot, actor, project }: Pick<SendContext, 'bot' | 'actor' | 'project'>,
): Promise<void> {
  const { db, extensions, runtime } = bot
  const { team_id, user_id, request_id: held_id } = actor
  if (post.Status !== 'SCHEDULED' || !post.Id || !postTime(post)) return
  // Saving the post has already queued this check, unless the service's response was lost.
  await queueOverdueCheck(post, { bot, actor, project })
  if (extensions.areKnown && !extensions.current.hasAccounts) return
  const data: FollowedPost = { team_id, user_id, project, post: toShownPost(post), held_id }
  const job = { kind: FOLLOW_JOB, id: `${team_id} ${post.Id}`, key: post.Id, owner: team_id, data }
  const now = runtime.now()
  await addJobs(db, [{ ...job, due_at: addMs(now, DELAY_MS) }], now)
}

export const followHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: FOLLOW_JOB,
  name: 'send a message about a post to its author',
  async run({ data }) {
    const { team_id, user_id, project, post: shown, held_id } = data as FollowedPost
    const post = { ...shown, raw: undefined }
    const { db, extensions, runtime } = bot
    // Right after Upnext starts, it isn't known yet whether the service publishes posts itself.
    if (!extensions.areKnown) return { due_at: addMs(runtime.now(), EXTENSIONS_RECHECK_MS) }
    if (!extensions.current.hasAccounts || !(await hasConnectedPlatform(bot, project, post))) return undefined
    await queueProjectCheck(bot, { team_id, project_id: project.Id, project_name: project.Name })
    // A stored message has the held id until its next update, which replaces it with the id in the service.
    for (const post_id of [held_id, post.Id])
      if (post_id && (await findFollower(db, { team_id, project_id: project.Id, post_id }))) return undefined
    const viewer = { bot, project, zone: 'UTC', now: runtime.now(), isChannel: true }
    const { text, blocks = [] } = savedPostReply(
      'Scheduled in',
      post,
      viewer,
      context('This message will show where the post is published.'),
    )
    const { channel, ts } = await client.chat.postMessage({ channel: user_id, text, blocks })
    await rememberMessage(post, { bot, project })({ team_id, user_id }, { channel, ts })
    return undefined
  },
})

/** Queues a check for problems after the post's time. It runs even if no direct message is sent about the post. */
export async function queueOverdueCheck(
  { Id: post_id, Status, ...post }: Post,
  { bot, actor: { team_id }, project }: { bot: Bot; actor: Pick<UserKey, 'team_id'>; project: NamedProject },
): Promise<void> {
  const at = postTime(post)?.toJSDate()
  if (Status !== 'SCHEDULED' || !at || !post_id) return
  const checked = { team_id, project_id: project.Id, project_name: project.Name }
  // The post is saved, so a failure here must not look like a failure of the form.
  await queueProjectCheck(bot, checked, { due_at: addMs(at, OVERDUE_REPORT_DELAY_MS), post_id }).catch(
    (err) => bot.log.error({ err, post: post_id }, 'Failed to queue a check of a post'),
  )
}

async function hasConnectedPlatform(
  { api }: Bot,
  project: NamedProject,
  { Platforms = [] }: Post,
): Promise<boolean> {
  const result = await api.accounts.list(project.Id)
  if (result.kind !== 'ok') throw new Error(`The accounts of a project couldn't be listed: ${result.kind}.`)
  return result.data.items.some(
    (account) => isConnected(account) && Platforms.includes(account.Platform ?? ''),
  )
}
