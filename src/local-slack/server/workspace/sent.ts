import type { Slack } from './slack.ts'

/** Something that the app sent: a call, an answer to what a person did, a message to a response_url. */
export type Sent = {
  at: string
  via: 'web-api' | 'answer' | 'response_url'
  /** The method called, or what was answered. */
  what: string
  body: unknown
  answer: unknown
  /** What the judge found wrong with it. */
  faults: string[]
}

/** What is older is forgotten, or a Slack that runs for weeks would fill the memory. */
const MOST = 20_000

export function note(slack: Slack, sent: Omit<Sent, 'at'>): void {
  slack.sent.push({ at: slack.clock.now().toISOString(), ...sent })
  if (slack.sent.length > MOST) slack.sent.shift()
}
