import type { HttpCarrier } from '../to-app/http.ts'
import type { Mischief } from '../web-api/mischief.ts'
import type { Sent } from '../workspace/sent.ts'
import type { Slack } from '../workspace/slack.ts'
import { expireTriggers } from '../workspace/triggers.ts'

export type DropHow = 'warning' | 'refresh_requested' | 'link_disabled' | 'cut'

/** What a test, or the curious, can do to this Slack that no person in it could. */
export type Control = {
  /** The next calls of a method fail, take long, or lose their answer. */
  misbehave: (mischief: Omit<Mischief, 'times'> & { times?: number | undefined }) => void
  behave: () => void
  /** Everything that the app sent, with what the judge said of it. */
  sent: () => Sent[]
  forgetSent: () => void
  moveClock: (by: { seconds: number }) => void
  now: () => Date
  dropSockets: (how: DropHow) => number
  connections: () => number
  expireTriggers: () => void
  /** Sends the challenge to the address for events; says what is wrong, if anything is. */
  verifyUrl: () => Promise<string | undefined>
}

export function createControl(slack: Slack, http: HttpCarrier | undefined): Control {
  return {
    misbehave: ({ times = 1, ...mischief }) => void slack.mischief.push({ ...mischief, times }),
    behave: () => void slack.mischief.splice(0),
    sent: () => slack.sent,
    forgetSent: () => void slack.sent.splice(0),
    moveClock: ({ seconds }) => slack.clock.moveBy(seconds * 1000),
    now: slack.clock.now,
    dropSockets: (how) => slack.socketMode?.drop(how) ?? 0,
    connections: () => slack.socketMode?.connections() ?? 0,
    expireTriggers: () => expireTriggers(slack),
    verifyUrl: async () => (http ? http.verify() : 'the app is reached in Socket Mode'),
  }
}
