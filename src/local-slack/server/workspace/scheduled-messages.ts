import type { KnownBlock, MessageAttachment } from '@slack/types'
import { addMessage } from './messages.ts'
import type { Slack } from './slack.ts'

export type ScheduledMessage = {
  id: string
  channel: string
  post_at: number
  date_created: number
  text: string
  blocks?: KnownBlock[]
  attachments?: MessageAttachment[]
  thread_ts?: string
  stopClock: () => void
}

const FURTHEST_DAYS = 120
const CROWD = { messages: 30, seconds: 5 * 60 }
const TOO_LATE_TO_DELETE_S = 60

type Schedule = Omit<ScheduledMessage, 'id' | 'date_created' | 'stopClock'> & {
  /** Slack takes such a message, and never posts it. */
  hasMetadata: boolean
}

type Refusal = 'time_in_past' | 'time_too_far' | 'restricted_too_many'

export function scheduleMessage(
  slack: Slack,
  { hasMetadata, ...given }: Schedule,
): { scheduled: ScheduledMessage } | { refusal: Refusal } {
  const now = secondsNow(slack)
  if (given.post_at <= now) return { refusal: 'time_in_past' }
  if (given.post_at > now + FURTHEST_DAYS * 86_400) return { refusal: 'time_too_far' }
  if (isCrowded(slack, given)) return { refusal: 'restricted_too_many' }
  const id = slack.ids.next('Q')
  const wait = given.post_at * 1000 - slack.clock.now().getTime()
  const stopClock = slack.clock.after(wait, () => deliver(slack, id, hasMetadata))
  const scheduled = { ...given, id, date_created: Math.floor(now), stopClock }
  slack.scheduledMessages.set(id, scheduled)
  return { scheduled }
}

/** Whether, with one more, some five minutes of the channel would hold more than they may. */
function isCrowded(
  { scheduledMessages }: Slack,
  { channel, post_at }: Pick<Schedule, 'channel' | 'post_at'>,
) {
  const times = [...scheduledMessages.values()]
    .filter((one) => one.channel === channel && Math.abs(one.post_at - post_at) < CROWD.seconds)
    .map((one) => one.post_at)
  return [...times, post_at].some(
    (start) =>
      start <= post_at &&
      post_at < start + CROWD.seconds &&
      times.filter((time) => time >= start && time < start + CROWD.seconds).length >= CROWD.messages,
  )
}

export function deleteScheduled(slack: Slack, channel: string, id: string): boolean {
  const scheduled = slack.scheduledMessages.get(id)
  if (!scheduled || scheduled.channel !== channel) return false
  if (scheduled.post_at - secondsNow(slack) < TOO_LATE_TO_DELETE_S) return false
  callOff(slack, channel, id)
  return true
}

/** Takes it back, however near its time is. */
export function callOff({ scheduledMessages }: Slack, channel: string, id: string): void {
  const scheduled = scheduledMessages.get(id)
  if (scheduled?.channel !== channel) return
  scheduled.stopClock()
  scheduledMessages.delete(id)
}

function deliver(slack: Slack, id: string, hasMetadata: boolean): void {
  const scheduled = slack.scheduledMessages.get(id)
  slack.scheduledMessages.delete(id)
  const channel = scheduled && slack.channels.get(scheduled.channel)
  if (!channel || channel.archived || hasMetadata) return
  const { text, blocks, attachments, thread_ts } = scheduled
  addMessage(slack, channel, {
    user: slack.app.botUser,
    byApp: {},
    text,
    ...(blocks && { blocks }),
    ...(attachments && { attachments }),
    ...(thread_ts && { thread_ts }),
  })
}

const secondsNow = ({ clock }: Slack) => clock.now().getTime() / 1000
