import type { Post, PostBody } from '../../../../api/records.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import type { Db } from '../../../database/tables.ts'
import { listHeldChanges } from '../../../outbox/find-items-store.ts'
import { deleteHeldItem } from '../../../outbox/held-items.ts'
import type { OutboxItem } from '../../../outbox/tables.ts'
import { queueApprovalUpdate } from '../../approvals/approval-store.ts'
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

/** Drops and returns changes to a post that wait for approval, once a newer one replaces them or the post is gone. */
export async function dropHeldChanges(
  db: Db,
  { project_id, post_id }: PostReference,
  team_id: string,
  now: Date,
): Promise<OutboxItem[]> {
  const dropped: OutboxItem[] = []
  for (const { id } of await listHeldChanges(db, { team_id, project_id, record_id: post_id })) {
    const item = await deleteHeldItem(db, { team_id, project_id, id })
    if (item) await queueApprovalUpdate(db, { item_id: id, team_id }, now)
    if (item) dropped.push(item)
  }
  return dropped
}
