import type { WebClient } from '@slack/web-api'

/** An implementation of Slack's Web API, opened for each case. */
export type Implementation = {
  client: WebClient
  botUserId: string
  user: { id: string; email: string }
  /** A user who is neither in `joined` nor in `secret`. */
  nonMember: string
  channels: {
    /** Public, with the bot and the user. */
    joined: string
    /** Public, without the bot. */
    other: string
    /** Private, with the bot and the user. */
    secret: string
    /** Private, without the bot. */
    hidden: string
  }
  /** Posts in `joined` as the user and returns the `ts`. */
  postAsUser: (text: string) => Promise<string>
  /** Creates a trigger by a command, or by the button "more" of an open view. */
  createTrigger: (from?: { view_id: string }) => Promise<string>
  /** The current time of the Slack under test. */
  now: () => Date
  close: () => Promise<void>
}

export type Cases = Record<string, (slack: Implementation) => Promise<void>>
