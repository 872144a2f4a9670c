import { addMs } from '../../runtime.ts'
import type { OutboxItem } from './tables.ts'

/** After this time, the user has probably made other plans for the post. */
const MAX_AGE_MS = 24 * 60 * 60_000
export const MAX_AGE_WORDS = 'a day'

export const isExpired = ({ accepted_at }: OutboxItem, now: Date): boolean =>
  now > addMs(accepted_at, MAX_AGE_MS)

/** The longest pause that a service is granted. An item doesn't hold up later ones for longer. */
export const MAX_PAUSE_MS = 15 * 60_000

/** Services keep idempotency keys for at least a day. */
const IDEMPOTENCY_KEY_TTL_MS = 24 * 60 * 60_000

/** Whether the service still knows the item's idempotency key, so that sending the item again can't create a second record. */
export const isRepeatable = ({ keyed_at }: OutboxItem, now: Date): boolean =>
  keyed_at !== null && now < addMs(keyed_at, IDEMPOTENCY_KEY_TTL_MS)
