import type { Post, PostBody } from '../../../api/records.ts'
import type { Dated } from '../../../api/timestamps.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import { addMs } from '../../../runtime.ts'
import type { Db } from '../../database/tables.ts'
import { listHeldChanges } from '../../outbox/find-items-store.ts'
import { deleteHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { queueApprovalUpdate } from '../approvals/approval-store.ts'
import type { PostReference } from './post-reference.ts'
import { HAND_OVER_LEAD_MS } from './post-states.ts'

export const handOverTime = (body: PostBody): Date => addMs(publicationTime(body), -HAND_OVER_LEAD_MS)

export function publicationTime({ ScheduleDate }: Dated): Date {
  if (!ScheduleDate) throw new Error("A post without a date can't be held.")
  return new Date(ScheduleDate)
}

/** Why a post isn't sent if nobody decides in time. */
export const NOT_APPROVED = {
  kind: 'unsendable' as const,
  details: [{ loc: [], msg: 'Nobody approved it in time.' }],
}

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

/** Drops the changes of a post that wait for approval, because a newer one replaces them or the post is gone. Returns them. */
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
