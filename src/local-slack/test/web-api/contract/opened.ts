import type { WebClient } from '@slack/web-api'

/** A Slack with an app in it, as each implementation opens one anew for each case. */
export type Opened = {
  client: WebClient
  botUserId: string
  person: { id: string; email: string }
  /** Somebody who is neither in `joined` nor in `secret`. */
  outsider: string
  channels: {
    /** Public, with the bot and the person in it. */
    joined: string
    /** Public, without the bot. */
    other: string
    /** Private, with the bot and the person in it. */
    secret: string
    /** Private, without the bot. */
    hidden: string
  }
  /** The person writes something in `joined`; returns its ts. */
  say: (text: string) => Promise<string>
  /** The person does what lets the app open a view, or presses the button "more" of a view that is open. */
  trigger: (from?: { view_id: string }) => Promise<string>
  /** The current time of this Slack. */
  now: () => Date
  close: () => Promise<void>
}

export type Cases = Record<string, (slack: Opened) => Promise<void>>
