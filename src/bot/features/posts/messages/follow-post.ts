import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import type { JobHandler } from '../../../../jobs/job-queue.ts'
import { addJobs } from '../../../../jobs/job-store.ts'
import { addMs } from '../../../../runtime.ts'
import type { SendContext } from '../../../forms/form.ts'
import { type Bot, EXTENSIONS_RECHECK_MS } from '../../../slack/bot.ts'
import { isConnected } from '../../../slack/connected-platforms.ts'
import { context } from '../../../slack/message-blocks.ts'
import type { WorkerContext } from '../../../slack/module.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { OVERDUE_REPORT_DELAY_MS } from '../display/overdue.ts'
import { savedPostReply } from '../display/post-reply.ts'
import type { ShownPost } from '../tables.ts'
import { findFollower } from './post-message-store.ts'
import { queueProjectCheck } from './queue-project-check.ts'
import { rememberMessage, toShownPost } from './remember-message.ts'

export const FOLLOW_KIND = 'follow post'
/** Long enough for a confirmation in a direct message to be stored, so that no second message is sent. */
const DELAY_MS = 2000

type FollowedPost = {
  team_id: string
  user_id: string
  project: NamedProject
  post: ShownPost
  /** The post's id while Upnext held it, if it did. Jobs added by earlier versions lack this. */
  held_id?: string
}

/**
 * Queues a direct message to the author that shows where an account publishes the post, because an ephemeral confirmation
 * can't be updated.
 * If no account publishes the post, Upnext only looks for a problem after its time.
 */
export async function followPost(
  post: Post,
  { bot, actor, project }: Pick<SendContext, 'bot' | 'actor' | 'project'>,
): Promise<void> {
  const { db, extensions, runtime } = bot
  const { team_id, user_id, request_id: held_id } = actor
  if (post.Status !== 'SCHEDULED' || !post.Id || !postTime(post)) return
  if (extensions.areKnown && !extensions.current.hasAccounts)
    return queueOverdueCheck(bot, { team_id, project, post })
  const data: FollowedPost = { team_id, user_id, project, post: toShownPost(post), held_id }
  const job = { kind: FOLLOW_KIND, id: `${team_id} ${post.Id}`, key: post.Id, owner: team_id, data }
  const now = runtime.now()
  await addJobs(db, [{ ...job, due_at: addMs(now, DELAY_MS) }], now)
}

export const followHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: FOLLOW_KIND,
  name: 'send a message about a post to its author',
  async run({ data }) {
    const { team_id, user_id, project, post: shown, held_id } = data as FollowedPost
    const post = { ...shown, raw: undefined }
    const { db, extensions, runtime } = bot
    // Right after Upnext starts, it isn't known yet whether the service publishes posts itself.
    if (!extensions.areKnown) return { due_at: addMs(runtime.now(), EXTENSIONS_RECHECK_MS) }
    if (!extensions.current.hasAccounts) return queueOverdueCheck(bot, { team_id, project, post })
    // An account may be connected before the post goes out.
    if (!(await isPublishedByAccount(bot, project, post)))
      return queueOverdueCheck(bot, { team_id, project, post })
    await queueProjectCheck(bot, { team_id, project_id: project.Id, project_name: project.Name })
    // An update of the message replaces the first id with the second one.
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

/** Queues a check for problems after the post's time. */
async function queueOverdueCheck(
  bot: Bot,
  { team_id, project, post }: { team_id: string; project: NamedProject; post: Post },
): Promise<undefined> {
  const at = postTime(post)?.toJSDate()
  const checked = { team_id, project_id: project.Id, project_name: project.Name }
  if (at && post.Id)
    await queueProjectCheck(bot, checked, { due_at: addMs(at, OVERDUE_REPORT_DELAY_MS), post_id: post.Id })
}

async function isPublishedByAccount(
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
