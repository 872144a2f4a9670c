import type { NewJob } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import type { ItemKey } from './find-items-store.ts'
import type { OutboxItem } from './tables.ts'

/** An item's file is uploaded, then the item is sent. */
export const UPLOAD = 'upload'
export const SEND = 'outbox item'
export const ITEM_JOB_KINDS = [UPLOAD, SEND]

export const toItemJob = (kind: string, { id, team_id, user_id }: ItemKey): NewJob => ({
  kind,
  id,
  key: `${team_id} ${user_id}`,
  owner: team_id,
})

export const toSendJob = (item: ItemKey): NewJob => toItemJob(SEND, item)

const MAX_AGE_MS = 24 * 60 * 60_000

/** After a day, the user has probably made other plans for the post. */
export const isExpired = ({ accepted_at }: OutboxItem, now: Date): boolean =>
  now > addMs(accepted_at, MAX_AGE_MS)
