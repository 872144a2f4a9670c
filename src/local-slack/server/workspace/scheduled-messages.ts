import type { ScheduledMessage } from './entities.ts'
import { addMessage } from './messages.ts'
import type { Slack } from './slack.ts'

const MAX_DAYS_AHEAD = 120
/** Slack allows 30 scheduled messages per channel within any five minutes. */
const CROWD_LIMIT = { messages: 30, seconds: 5 * 60 }
const DELETE_DEADLINE_SECONDS = 60

type NewScheduledMessage = Omit<ScheduledMessage, 'id' | 'date_created' | 'cancelTimer'> & {
  /** Slack accepts a scheduled message with metadata, but never posts it. */
  hasMetadata: boolean
}

type ScheduleError = 'time_in_past' | 'time_too_far' | 'restricted_too_many'

export function scheduleMessage(
  slack: Slack,
  { hasMetadata, ...message }: NewScheduledMessage,
): { scheduled: ScheduledMessage } | { error: ScheduleError } {
  const now = secondsNow(slack)
  if (message.post_at <= now) return { error: 'time_in_past' }
  if (message.post_at > now + MAX_DAYS_AHEAD * 86_400) return { error: 'time_too_far' }
  if (isCrowded(slack, message)) return { error: 'restricted_too_many' }
  const id = slack.ids.next('Q')
  const delay = message.post_at * 1000 - slack.clock.now().getTime()
  const cancelTimer = slack.clock.after(delay, () => postScheduledMessage(slack, id, hasMetadata))
  const scheduled = { ...message, id, date_created: Math.floor(now), cancelTimer }
  slack.scheduledMessages.set(id, scheduled)
  return { scheduled }
}

/** Whether one more message would exceed the limit of any five minutes. */
function isCrowded(
  { scheduledMessages }: Slack,
  { channel, post_at }: Pick<NewScheduledMessage, 'channel' | 'post_at'>,
) {
  const { messages, seconds } = CROWD_LIMIT
  const nearbyTimes = [...scheduledMessages.values()]
    .filter((scheduled) => scheduled.channel === channel && Math.abs(scheduled.post_at - post_at) < seconds)
    .map((scheduled) => scheduled.post_at)
  return [...nearbyTimes, post_at].some(
    (start) =>
      start <= post_at &&
      post_at < start + seconds &&
      nearbyTimes.filter((time) => time >= start && time < start + seconds).length >= messages,
  )
}

/** Deletes a scheduled message at the app's request. Slack rejects this in the last minute before it is due. */
export function deleteScheduledMessage(slack: Slack, channel: string, id: string): boolean {
  const scheduled = slack.scheduledMessages.get(id)
  if (!scheduled || scheduled.channel !== channel) return false
  if (scheduled.post_at - secondsNow(slack) < DELETE_DEADLINE_SECONDS) return false
  cancelScheduledMessage(slack, channel, id)
  return true
}

export function cancelScheduledMessage({ scheduledMessages }: Slack, channel: string, id: string): void {
  const scheduled = scheduledMessages.get(id)
  if (scheduled?.channel !== channel) return
  scheduled.cancelTimer()
  scheduledMessages.delete(id)
}

function postScheduledMessage(slack: Slack, id: string, hasMetadata: boolean): void {
  const scheduled = slack.scheduledMessages.get(id)
  slack.scheduledMessages.delete(id)
  const channel = scheduled && slack.channels.get(scheduled.channel)
  if (!channel || channel.archived || hasMetadata) return
  const { text, blocks, attachments, thread_ts } = scheduled
  addMessage(slack, channel, {
    user: slack.app.botUserId,
    appIdentity: {},
    text,
    ...(blocks && { blocks }),
    ...(attachments && { attachments }),
    ...(thread_ts && { thread_ts }),
  })
}

const secondsNow = ({ clock }: Slack) => clock.now().getTime() / 1000
