import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Post } from '../../api/records.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { Tables } from '../database/tables.ts'
import { findHeldPost } from '../held-posts/held-post-store.ts'
import { context, escapeText, type Reply, section } from '../message-blocks.ts'
import { addNotifications } from '../notifications/notification-store.ts'
import type { NamedProject } from '../projects/projects.ts'
import { formatSchedule, platformNames, postBlocks } from './post-blocks.ts'
import { postMenu } from './post-menu.ts'
import { deletePostMessage, findAuthor, listPostMessages } from './post-message-store.ts'
import type { PostReference } from './post-reference.ts'

export type PostChange = {
  reference: PostReference
  project: NamedProject
  /** The post after the change, or as it was before it was cancelled. */
  post: Post
  kind: 'changed' | 'cancelled' | 'handed over' | 'missed'
}

/** Who scheduled or held a post in Slack. Call this before a cancellation, which deletes the row that names the author. */
export async function findPostAuthor(
  { db }: Bot,
  team_id: string,
  { project_id, post_id, is_held }: PostReference,
): Promise<string | undefined> {
  if (!is_held) return findAuthor(db, { team_id, project_id, post_id })
  return (await findHeldPost(db, { team_id, project_id, id: post_id }))?.user_id
}

/** Tells the author of a post that someone else changed it, and keeps the messages that show the post current. */
export async function announceChange(
  bot: Bot,
  actor: Actor,
  change: PostChange,
  author: string | undefined,
): Promise<void> {
  const { team_id, user_id, client } = actor
  if (author && author !== user_id) {
    const message = describeChange(change, user_id, bot.runtime.now())
    await addNotifications(bot.db, { team_id, user_ids: [author], message, now: bot.runtime.now() })
  }
  await updatePostMessages(bot, client, { team_id, changedBy: user_id, change })
}

/** Without the text of the post, because notifications aren't encrypted. */
function describeChange({ kind, project, post }: PostChange, user_id: string, now: Date): string {
  const schedule = formatSchedule(post, { zone: 'UTC', now, isChannel: true })
  const name = `your post in ${escapeText(project.Name)}: ${schedule}, ${platformNames(post)}.`
  return kind === 'cancelled'
    ? `<@${user_id}> cancelled ${name} It won't go out.`
    : `<@${user_id}> changed ${name}`
}

type MessageUpdate = { team_id: string; changedBy: string | undefined; change: PostChange }

/** A message that can't be updated stays as it is. Its menu still explains the state of the post. */
export async function updatePostMessages(
  bot: Bot,
  client: WebClient,
  { team_id, changedBy, change }: MessageUpdate,
): Promise<void> {
  const { project_id, post_id } = change.reference
  for (const message of await listPostMessages(bot.db, { team_id, project_id, post_id })) {
    const { channel_id: channel, ts } = message
    const { text, blocks = [] } = renderMessage(bot, message, changedBy, change)
    const updated = await client.chat.update({ channel, ts, text, blocks }).catch((err) => {
      bot.log.warn({ err }, 'Updating the message of a post failed')
    })
    if (updated && change.kind !== 'changed') await deletePostMessage(bot.db, { channel_id: channel, ts })
  }
}

const TITLES = {
  changed: 'Changed in',
  cancelled: 'Cancelled in',
  'handed over': 'Handed over to the scheduling service:',
  missed: 'Not sent in time:',
}

function renderMessage(
  bot: Bot,
  { posted_by, comment }: Tables['post_message'],
  changedBy: string | undefined,
  { kind, post, project }: PostChange,
): Reply {
  const viewer = { zone: 'UTC', now: bot.runtime.now(), isChannel: true }
  const title = `${TITLES[kind]} ${escapeText(project.Name)}`
  const menu = kind === 'changed' ? postMenu({ bot, project_id: project.Id }, post) : undefined
  const byLine = changedBy ? `By <@${posted_by}> · ${kind} by <@${changedBy}>` : `By <@${posted_by}>`
  const shown = kind === 'cancelled' ? { ...post, Status: 'cancelled' } : post
  const blocks: KnownBlock[] = [
    ...(comment ? [section(escapeText(comment))] : []),
    section(`*${title}*`),
    ...postBlocks(shown, viewer, { menu }),
    context(byLine),
  ]
  return { text: `${title}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`, blocks }
}
