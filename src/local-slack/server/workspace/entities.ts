import type { KnownBlock, MessageAttachment, Option } from '@slack/types'
import type { ValidView } from '../../blocks/validate-blocks.ts'

// The entities of a workspace. Their functions are in the files named after them, such as channels.ts.

/** The organization of a workspace in an Enterprise Grid. */
type Enterprise = { id: string; name: string; domain: string }

/** A workspace. Slack's API calls it a team. */
export type Team = { id: string; name: string; domain: string; enterprise?: Enterprise }

export type Role = 'owner' | 'admin' | 'member' | 'guest' | 'single_channel_guest' | 'bot' | 'workflow_bot'

export type User = {
  id: string
  teamId: string
  handle: string
  name: string
  title: string
  role: Role
  isDeactivated: boolean
  /** The app of a bot. */
  app?: { id: string; botId: string }
  locale: string
  email?: string
  tz?: string
}

/** `members` are the ids of users. */
export type UserGroup = { id: string; handle: string; name: string; members: string[] }

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim'

export type Channel = {
  id: string
  /** Without the #. Empty for a direct message. */
  name: string
  kind: ChannelKind
  created: Date
  creator: string
  members: Set<string>
  /** The ids of the other workspaces that share the channel. */
  sharedWith: string[]
  topic: string
  purpose: string
  archived: boolean
  /** By `ts`, oldest first, including replies and ephemeral messages. */
  messages: Map<string, Message>
  /** The `ts` of all replies, by the `ts` of the thread's first message. */
  threads: Map<string, Set<string>>
}

export type Message = {
  ts: string
  channel: string
  user: string
  text: string
  blocks?: KnownBlock[]
  attachments?: MessageAttachment[]
  subtype?: string
  thread_ts?: string
  /** Set if the app posted the message; the app can change its name and icon. */
  appIdentity?: { username?: string; icons?: Record<string, string> }
  edited?: { user: string; ts: string }
  files?: string[]
  reactions?: { name: string; users: string[] }[]
  metadata?: unknown
  /** The only user who sees an ephemeral message. */
  visibleTo?: string
  /** A command that Slack shows above the app's response. The app gets no event for it. */
  isCommandEcho?: true
  /** An id that the user's client chose. */
  client_msg_id?: string
}

export type ScheduledMessage = {
  id: string
  channel: string
  post_at: number
  date_created: number
  text: string
  blocks?: KnownBlock[]
  attachments?: MessageAttachment[]
  thread_ts?: string
  cancelTimer: () => void
}

export type SharedFile = {
  id: string
  name: string
  title: string
  mimetype: string
  bytes: Buffer
  user: string
  created: Date
  /** The messages that share this file. */
  shares: { channel: string; ts: string }[]
  /** Channels with a message that shows this file in a block. */
  shownInChannels: Set<string>
  /** Users who received this file through a form, or see it in a view. */
  receivedBy: Set<string>
  altText: string
  /** Of an image. */
  width?: number
  height?: number
  /** Blocks can show a file only after Slack has processed it. */
  isProcessed: boolean
}

/** A file upload that the app has announced. */
export type Upload = {
  key: string
  file: string
  filename: string
  length: number
  user: string
  altText: string
  bytes?: Buffer
}

/** One open window of a user. A user can have several sessions. */
export type Session = {
  id: string
  user: string
  /** Whether the session can do what Slack offers only to active users of the app's workspace. */
  isUnrestricted: boolean
  /** The open modals, the topmost last. */
  viewIds: string[]
  /** The options that the app loaded into external selects, by message or view. */
  suggestedOptions: Map<string, Map<string, Option>>
  openPages: number
}

export type OpenView = {
  id: string
  hash: string
  definition: ValidView
  user: string
  sessionId: string
  rootId: string
  previousId: string | null
}

export type HomeView = Omit<OpenView, 'sessionId' | 'previousId'>

/** Allows the app to open one modal soon after a user's action. */
export type Trigger = { sessionId: string; user: string; createdAt: Date; isUsed: boolean }

/** Lets the app respond to a user's action a few times. */
export type ResponseUrl = {
  channel: string
  user: string
  /** The message in which the user acted. The app can replace it. */
  messageTs?: string
  expiresAt: Date
  uses: number
}

/** What a user has approved. The app exchanges the code for tokens. */
export type OauthCode = {
  user: string
  scopes: string[]
  userScopes: string[]
  redirect_uri: string
  expiresAt: Date
}

/** Something that the app sent: a Web API call, an acknowledgement or a message to a response_url. */
export type AppPayload = {
  at: string
  source: 'web-api' | 'acknowledgement' | 'response_url'
  /** The Web API method, or the kind of acknowledgement, such as `view_submission`. */
  name: string
  body: unknown
  /** What the local Slack answered. */
  response: unknown
  /** The errors in this payload, in Slack's words. */
  problems: string[]
}
