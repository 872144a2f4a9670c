import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'

/** A service may take this long after a post's time to publish it. */
export const MAX_PUBLISHING_DELAY_MS = 5 * 60_000

/** Upnext reports a post that the service hasn't published this long after its time. */
export const OVERDUE_REPORT_DELAY_MS = 10 * 60_000

/** Whether a post is still scheduled more than `MAX_PUBLISHING_DELAY_MS` after its time. */
export function isOverdue(post: Post, now: Date): boolean {
  const at = postTime(post)?.toMillis() ?? Number.POSITIVE_INFINITY
  return post.Status === 'SCHEDULED' && at < now.getTime() - MAX_PUBLISHING_DELAY_MS
}
