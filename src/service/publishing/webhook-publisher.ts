import { failedToConnect } from './network-request.ts'
import { isPrivateUrl, PrivateAddressError } from './public-dispatcher.ts'
import type { CheckOutcome, Publication, Publisher, PublishOutcome } from './publisher.ts'
import { type EventTransport, sendSignedEvent } from './send-signed-event.ts'

const TIMEOUT_MS = 15_000
/** Statuses after which a retry may succeed. */
const TEMPORARY_STATUSES = [408, 425, 429]

/**
 * Sends posts to the operator's program, which publishes them and reports the results with Confirm Publication. A
 * retry has the same `webhook-id`, so that the program recognizes it.
 */
export const createWebhookPublisher = (transport: EventTransport): Publisher => ({
  queueKeyOf: ({ id }) => `webhook ${id}`,
  isIdempotent: true,

  async publish(publication, { target, credentials }): Promise<PublishOutcome> {
    const event = toEvent(publication, transport.runtime.now())
    const request = { url: target, secret: credentials ?? '', id: publication.reference }
    try {
      const { ok, status } = await sendSignedEvent(transport, { ...request, event, timeoutMs: TIMEOUT_MS })
      if (ok) return { state: 'accepted' }
      const isRejected = status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status)
      const error = `the webhook responded with ${status}`
      return isRejected ? { state: 'failed', error } : { state: 'postponed', error, mayHaveArrived: true }
    } catch (error) {
      const { cause } = error as Error
      if (cause instanceof PrivateAddressError) return { state: 'failed', error: cause.message }
      if (failedToConnect({ cause })) return { state: 'postponed', error: "the webhook couldn't be reached" }
      return { state: 'postponed', error: "the webhook didn't respond", mayHaveArrived: true }
    }
  },

  // Only the program behind the webhook knows the result, which it reports with Confirm Publication.
  find: async () => ({ state: 'waiting' }),

  async check({ target, name }): Promise<CheckOutcome> {
    const isPrivate = transport.dispatcher !== undefined && (await isPrivateUrl(target))
    return isPrivate
      ? {
          state: 'problem',
          problem:
            'The webhook is on this machine or on a private network. The person who runs Upnext can allow that with WEBHOOKS_TO_PRIVATE_ADDRESSES=true.',
        }
      : { state: 'ok', name, target }
  },
})

const toEvent = (
  { project_id, post_id, reference, platform, text, title, mediaUrl, mediaDescription, date }: Publication,
  now: Date,
) => ({
  type: 'post.publish',
  timestamp: now.toISOString(),
  data: {
    ProjectId: project_id,
    PostId: post_id,
    PublicationId: reference,
    Platform: platform,
    Content: text,
    Title: title ?? null,
    Media: mediaUrl,
    MediaDescription: mediaDescription ?? null,
    ScheduleDate: date.toISOString(),
  },
})
