import type { Post } from '../../../api/records.ts'
import { findPostAuthor } from '../../outbox/find-items-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { SavedPost } from '../posts/change/save-changes.ts'
import type { OpenedPost } from '../posts/display/post-reference.ts'
import { notifyAuthor } from '../posts/messages/notify-author.ts'
import type { Plan } from './tables.ts'

/** Sends one message to each author whose posts the plan has changed. */
export async function notifyAuthors(bot: Bot, plan: Plan, items: OutboxItem[]): Promise<void> {
  const changed = new Map<string, Post[]>()
  for (const { state, opened_record, record } of items) {
    if (state !== 'sent' || !opened_record || !record) continue
    const author = await findPostAuthor(bot.db, plan.team_id, opened_record as OpenedPost)
    if (author) changed.set(author, [...(changed.get(author) ?? []), (record as SavedPost).post])
  }
  const project = { Id: plan.project_id, Name: plan.project_name }
  for (const [author, posts] of changed)
    await notifyAuthor(bot, plan, { kind: 'changed', project, posts, author })
}
