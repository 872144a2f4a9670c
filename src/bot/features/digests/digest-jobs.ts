import { DateTime } from 'luxon'
import { z } from 'zod'
import type { Job, NewJob } from '../../../jobs/job-store.ts'
import type { Digest } from './tables.ts'

/** The kind of a digest's own job, and of a job for each message that Slack must delete. A digest's jobs run in order. */
export const DIGEST = 'digest'

/** Slack gets a message this long before it is due, so a digest is on time even if the bot is down then. */
export const SCHEDULING_LEAD_MS = 15 * 60_000

/** A late digest is still posted, with an apology. After this delay, it is skipped. */
export const MAX_DELAY_MS = 3 * 60 * 60_000

export const toDigestJob = ({ id, team_id }: Pick<Digest, 'id' | 'team_id'>, due_at: Date): NewJob => {
  return { kind: DIGEST, id, key: id, owner: team_id, due_at }
}

/** Formats the day of the next message for the owner, with the time if the digest is posted several times a day. */
export const formatMessageDay = ({ recurrence: { zone, clocks }, next_at }: Digest): string =>
  DateTime.fromJSDate(next_at, { zone }).toFormat(clocks.length === 1 ? 'ccc d LLL' : 'ccc d LLL, HH:mm')

/** In Slack's list of scheduled messages, a message is found by its channel and the second at which it is due. */
export const messageKey = (channel_id: string, post_at: Date): string =>
  `${channel_id} ${post_at.getTime() / 1000}`

/** A scheduled message that Slack has or may have, and that must be deleted. */
export type Cancellation = z.infer<typeof Cancellation>

const Cancellation = z.object({
  team_id: z.string(),
  owner_id: z.string(),
  channel_id: z.string(),
  project_name: z.string(),
  day: z.string(),
  message_id: z.string().nullable(),
  next_at: z.coerce.date(),
  requested_at: z.coerce.date(),
  post_at: z.coerce.date(),
})

export const readCancellation = ({ data }: Job): Cancellation => Cancellation.parse(data)

/** The reason for the digest's delay, as its owner reads it. */
export const delayReasonOf = ({ problem, failures }: Job): string | undefined =>
  problem ?? (failures ? 'something went wrong in Upnext' : undefined)

/** The digest's own job waits for this job until the message would have been posted. */
export const toCancellationJob = (digest: Digest, post_at: Date): NewJob => ({
  ...toDigestJob(digest, new Date(0)),
  id: messageKey(digest.channel_id, post_at),
  data: Cancellation.parse({ ...digest, day: formatMessageDay(digest), post_at }),
  blocks_until: post_at,
})
