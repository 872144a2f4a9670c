import type { Post, PostBody } from '../../../../api/records.ts'
import { ERASED } from '../../../../database/personal-data.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import type { Db, UserKey } from '../../../database/tables.ts'
import { type Outcome, refuseOutdated } from '../../../forms/outcome.ts'
import { addNotification } from '../../../outbox/add-notification.ts'
import { type HeldChange, listHeldChanges } from '../../../outbox/find-items-store.ts'
import { deleteHeldItem } from '../../../outbox/held-items.ts'
import type { OutboxItem } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText, mentionUser } from '../../../slack/message-blocks.ts'
import { queueApprovalUpdate } from '../../approvals/approval-store.ts'
import { quotePost, textSourceLabel } from '../display/post-blocks.ts'
import type { OpenedPost, PostReference } from '../display/post-reference.ts'
import { describeDifferences } from './describe-differences.ts'

/** The parts of a post that an approver reviews, as text. */
export const describeContent = ({
  Content = '',
  Texts = {},
  Titles = {},
  Media,
  MediaDescription,
  Platforms = [],
  ...source
}: PostBody | Post): string =>
  [
    Content || textSourceLabel(source),
    ...Object.entries(Texts).map(([platform, text]) => `${platformName(platform)}: ${text}`),
    ...Object.entries(Titles).map(([platform, title]) => `Title on ${platformName(platform)}: ${title}`),
    ...(Media ? [Media] : []),
    ...(MediaDescription ? [`Image description: ${MediaDescription}`] : []),
    Platforms.map(platformName).join(', '),
  ].join('\n')

type PostWithSeenChanges = PostReference & Pick<OpenedPost, 'waiting_changes'>

/** Finds the changes that wait for approval, except those that the user saw before changing the post. */
export async function findUnseenChanges(
  db: Db,
  team_id: string,
  { project_id, post_id: record_id, waiting_changes = [] }: PostWithSeenChanges,
): Promise<HeldChange[]> {
  const changes = await listHeldChanges(db, { team_id, project_id, record_id })
  return changes.filter(({ id }) => !waiting_changes.includes(id))
}

/** Drops the waiting changes that the user saw. `explain` returns the message to the author of a dropped change. */
export async function dropHeldChanges(
  { bot: { db, runtime }, actor: { team_id, user_id } }: { bot: Pick<Bot, 'db' | 'runtime'>; actor: UserKey },
  { project_id, waiting_changes = [] }: PostWithSeenChanges,
  explain: (dropped: OutboxItem) => string,
): Promise<void> {
  const now = runtime.now()
  for (const id of waiting_changes) {
    const item = await deleteHeldItem(db, { team_id, project_id, id })
    if (!item) continue
    await queueApprovalUpdate(db, { item_id: id, team_id }, now)
    const message = { team_id, user_id: item.user_id, message: explain(item) }
    if (![user_id, ERASED].includes(item.user_id)) await addNotification(db, runtime.newId(), message, now)
  }
}

/** The message to the author of a change that another one replaces. */
export const explainReplacement =
  (verb: 'changed' | 'asked to change', { user_id }: UserKey, body: PostBody) =>
  ({ project_name }: OutboxItem): string =>
    `${mentionUser(user_id)} ${verb} a post in ${escapeText(project_name)} to ${escapeFormatting(quotePost(body))}. This replaces your change, which hadn't been approved yet.`

/** 'A change to this post isn't approved yet: "Launch day!".' Says what differs from `other`. Not escaped. */
export function describeChanges(changes: HeldChange[], other?: Post | PostBody): string {
  const describe = (body: PostBody) => (other ? describeDifferences(body, other) : quotePost(body))
  const quotes = changes.map(({ body }) => describe((body ?? {}) as PostBody)).join(', ')
  return changes.length > 1
    ? `Changes to this post aren't approved yet: ${quotes}.`
    : `A change to this post isn't approved yet: ${quotes}.`
}

/** Asks the user whether `body` may replace changes that they haven't seen. */
export function askAboutChanges(opened: OpenedPost, changes: HeldChange[], body: PostBody): Outcome<never> {
  const waiting_changes = [...(opened.waiting_changes ?? []), ...changes.map(({ id }) => id)]
  const seen: OpenedPost = { ...opened, waiting_changes }
  return refuseOutdated(seen, seen.etag, {
    message: describeChanges(changes, body),
    question: changes.length > 1 ? 'This would replace them:' : 'This would replace it:',
    submitLabel: changes.length > 1 ? 'Replace them' : 'Replace it',
    overridden: `This replaced ${changes.length > 1 ? 'changes' : 'a change'} that hadn't been approved yet.`,
  })
}
