import type { NewJob } from '../../jobs/job-store.ts'
import type { ItemKey } from './find-items-store.ts'

/** The kinds of an item's jobs. If the item has a file, an upload job comes before the send job. */
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
