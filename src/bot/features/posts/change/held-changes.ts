import type { Post, PostBody } from '../../../../api/records.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import type { Db, UserKey } from '../../../database/tables.ts'
import { addNotification } from '../../../outbox/add-notification.ts'
import { listHeldChanges } from '../../../outbox/find-items-store.ts'
import { deleteHeldItem } from '../../../outbox/held-items.ts'
import type { OutboxItem } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText, mentionUser } from '../../../slack/message-blocks.ts'
import { queueApprovalUpdate } from '../../approvals/approval-store.ts'
import { quotePost } from '../display/post-blocks.ts'
import type { PostReference } from '../display/post-reference.ts'

/** The parts of a post that people decide on, as text. */
export const describeContent = ({
  Content = '',
  Texts = {},
  Titles = {},
  Media,
  MediaDescription,
  Platforms = [],
}: PostBody | Post): string =>
  [
    Content,
    ...Object.entries(Texts).map(([platform, text]) => `${platformName(platform)}: ${text}`),
    ...Object.entries(Titles).map(([platform, title]) => `Title on ${platformName(platform)}: ${title}`),
    ...(Media ? [Media] : []),
    ...(MediaDescription ? [`Image description: ${MediaDescription}`] : []),
    Platforms.map(platformName).join(', '),
  ].join('\n')

/** A change to a post that waits for approval. */
export type HeldChange = Pick<OutboxItem, 'id' | 'body'>

/** Finds the changes that wait for approval, except those that the user saw before changing the post. */
export async function findUnseenChanges(
  db: Db,
  team_id: string,
  { project_id, post_id: record_id, waiting_changes = [] }: PostReference & { waiting_changes?: string[] },
): Promise<HeldChange[]> {
  const changes = await listHeldChanges(db, { team_id, project_id, record_id })
  return changes.filter(({ id }) => !waiting_changes.includes(id))
}

/** Drops the changes to a post that wait for approval. `explain` is the message to the author of each. */
export async function dropHeldChanges(
  { bot: { db, runtime }, actor: { team_id, user_id } }: { bot: Pick<Bot, 'db' | 'runtime'>; actor: UserKey },
  { project_id, post_id }: PostReference,
  explain: (dropped: OutboxItem) => string,
): Promise<void> {
  const now = runtime.now()
  for (const { id } of await listHeldChanges(db, { team_id, project_id, record_id: post_id })) {
    const item = await deleteHeldItem(db, { team_id, project_id, id })
    if (!item) continue
    await queueApprovalUpdate(db, { item_id: id, team_id }, now)
    const message = { team_id, user_id: item.user_id, message: explain(item) }
    if (item.user_id !== user_id) await addNotification(db, runtime.newId(), message, now)
  }
}

/** The message to the author of a change that another one replaces. `verb` is "changed" or "asked to change". */
export const explainReplacement =
  (verb: string, { user_id }: UserKey, body: PostBody) =>
  ({ project_name }: OutboxItem): string =>
    `${mentionUser(user_id)} ${verb} a post in ${escapeText(project_name)} to ${escapeFormatting(quotePost(body))}. This replaces your change, which was waiting for approval.`

export const toSeenChanges = (changes: HeldChange[], seen: string[] = []): { waiting_changes?: string[] } =>
  changes.length ? { waiting_changes: [...seen, ...changes.map(({ id }) => id)] } : {}

/** 'A change of this post waits for approval: "Launch day!".' */
export function describeChanges(changes: HeldChange[]): string {
  const texts = changes.map(({ body }) => quotePost((body ?? {}) as PostBody))
  return `A change of this post waits for approval: ${texts.join(', ')}.`
}
