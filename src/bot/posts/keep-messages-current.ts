import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { comparePosts, isSamePost } from '../../api/compare-posts.ts'
import type { Post } from '../../api/records.ts'
import type { Poller } from '../../poller.ts'
import { addMs } from '../../runtime.ts'
import type { Bot } from '../bot.ts'
import type { PostMessage } from '../database/tables.ts'
import { toOutcome } from '../form/outcome.ts'
import { context, escapeText, type Reply, section } from '../message-blocks.ts'
import { hasLostAccess, hasSlackFailed, slackErrorCode } from '../slack-errors.ts'
import { startWorker } from '../worker.ts'
import { type PostResult, type PostVersion, viewPost } from './change-post.ts'
import { formatSchedule, platformNames, postBlocks } from './post-blocks.ts'
import { isChangeable, postMenu } from './post-menu.ts'
import {
  claimMessage,
  deletePostMessage,
  finishMessage,
  listDueMessages,
  postponeMessage,
} from './post-message-store.ts'
import { HELD } from './post-reference.ts'

const POLL_INTERVAL_MS = 1000
const READ_TIMEOUT_MS = 5000
/** For a project that is gone, or a token that is refused: someone may put it right. */
const REFUSED_RETRY_MS = 60 * 60_000

/** Updates messages in channels whose post may have changed. Each update shows the post as it is then. */
export function startMessageUpdates(bot: Bot, client: WebClient): Poller {
  const { db, runtime } = bot
  return startWorker<PostMessage>({
    bot,
    name: 'Updating the messages of posts',
    intervalMs: POLL_INTERVAL_MS,
    findJobs: () => listDueMessages(db, runtime.now()),
    keyOf: ({ channel_id, ts }) => `${channel_id} ${ts}`,
    processJob: async (due) => {
      const message = await claimMessage(db, due, runtime.now())
      if (message) await bringUpToDate(bot, client, message)
    },
  })
}

/** What became of the post since the message was written. */
type State = 'changed' | 'cancelled' | 'handed over' | 'not sent'

/** If the service or Slack can't be reached, the message is due again when the lease ends. */
async function bringUpToDate(bot: Bot, client: WebClient, message: PostMessage): Promise<void> {
  const { db } = bot
  const shown = { ...message.post, raw: undefined }
  // Nobody can have changed it.
  if (!isChangeable(bot, shown)) return finishMessage(db, message, shown)
  const { team_id, project_id, post_id } = message
  const reference = { project_id, post_id, is_held: shown.Status === HELD }
  const current = await viewPost({ bot, team_id }, reference, { deadlineMs: READ_TIMEOUT_MS })
  if (current.kind === 'failed') {
    const isOutage = toOutcome(current.failure).kind === 'pending'
    if (!isOutage) await postponeMessage(db, message, addMs(bot.runtime.now(), REFUSED_RETRY_MS))
    return
  }
  const change = findChange(message, shown, current)
  if (!change) return finishMessage(db, message, shown)
  const isUpdated = await updateMessage(bot, client, message, change)
  if (isUpdated === undefined) return
  const isFinal = !isUpdated || change.state !== 'changed'
  await (isFinal ? deletePostMessage(db, message) : finishMessage(db, message, change.post))
}

type Change = { state: State; post: Post }

function findChange(
  { changed_by }: PostMessage,
  shown: Post,
  current: PostResult<PostVersion>,
): Change | undefined {
  if (current.kind === 'gone') return { state: 'cancelled', post: shown }
  if (current.kind === 'too late' && current.reason !== 'published')
    return { state: current.reason, post: current.post }
  if (current.kind !== 'ok') return undefined
  const { post } = current.data
  // Unless someone is known to have changed the post, other notations are only the service's.
  const isChanged = changed_by ? !isSamePost(shown, post) : comparePosts(shown, post) === 'different'
  return isChanged ? { state: 'changed', post } : undefined
}

/** False if this message can't be updated, and undefined if it's worth another try. */
async function updateMessage(bot: Bot, client: WebClient, message: PostMessage, change: Change) {
  const { channel_id: channel, ts } = message
  const { text, blocks = [] } = renderMessage(bot, message, change)
  try {
    await client.chat.update({ channel, ts, text, blocks })
    return true
  } catch (err) {
    bot.log.warn({ err }, 'Updating the message of a post failed')
    const mayWorkLater = !slackErrorCode(err) || hasLostAccess(err) || hasSlackFailed(err)
    return mayWorkLater ? undefined : false
  }
}

const TITLES: Record<State, string> = {
  changed: 'Changed in',
  cancelled: 'Cancelled in',
  'handed over': 'Handed over to the scheduling service:',
  'not sent': 'Not sent:',
}

function renderMessage(
  bot: Bot,
  { project_id, project_name, posted_by, comment, changed_by }: PostMessage,
  { state, post }: Change,
): Reply {
  const viewer = { zone: 'UTC', now: bot.runtime.now(), isChannel: true }
  const title = `${TITLES[state]} ${escapeText(project_name)}`
  const menu = state === 'changed' ? postMenu({ bot, project_id }, post) : undefined
  const byLine = changed_by ? `By <@${posted_by}> · ${state} by <@${changed_by}>` : `By <@${posted_by}>`
  const shown = state === 'cancelled' ? { ...post, Status: 'cancelled' } : post
  const blocks: KnownBlock[] = [
    ...(comment ? [section(escapeText(comment))] : []),
    section(`*${title}*`),
    ...postBlocks(shown, viewer, { menu }),
    context(byLine),
  ]
  return { text: `${title}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`, blocks }
}
