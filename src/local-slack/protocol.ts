import type { UserActions } from './server/user-actions/user-actions.ts'
import type { ChannelKind, Role } from './server/workspace/entities.ts'
import type { MessageRecord } from './server/workspace/messages.ts'
import type { ViewRecord } from './server/workspace/views.ts'

// The messages that the page and the server exchange over a WebSocket. Types only: the page imports no server code.

export type ClientUser = {
  id: string
  handle: string
  name: string
  title: string
  role: Role
  isDeactivated: boolean
  tz?: string
  /** The name of this user's workspace, if it isn't the workspace of the user who sees the page. */
  otherTeam?: string
}

export type ClientChannel = {
  id: string
  name: string
  kind: ChannelKind
  topic: string
  purpose: string
  members: string[]
  isArchived: boolean
  /** The names of the other workspaces that share the channel. */
  sharedWith: string[]
}

export type ClientMessage = MessageRecord & { channel: string; isEphemeral: boolean }

export type ClientApp = {
  id: string
  name: string
  description: string
  color: string
  botUserId: string
  isInstalled: boolean
  hasHomeTab: boolean
  hasMessagesTab: boolean
  commands: { command: string; description: string; usage_hint?: string | undefined }[]
  shortcuts: { name: string; type: 'global' | 'message'; callback_id: string; description: string }[]
}

/** What one user sees in one session. */
export type ClientState = {
  userId: string
  /** Identifies this page's uploads and file downloads as its user's. */
  sessionId: string
  workspaceName: string
  /** Whether the user belongs to another workspace than the app. */
  isVisitor: boolean
  app: ClientApp
  users: ClientUser[]
  userGroups: { id: string; handle: string }[]
  channels: ClientChannel[]
  messages: Record<string, ClientMessage[]>
  home: ViewRecord | null
  /** The open modals of this session, the topmost last. */
  views: ViewRecord[]
}

/** A change to the client state. */
export type StatePatch =
  | { type: 'state'; state: ClientState }
  | { type: 'message'; message: ClientMessage }
  | { type: 'message_deleted'; channel: string; ts: string }
  | { type: 'views'; views: ViewRecord[] }
  | { type: 'home'; home: ViewRecord | null }

export type ActionRequest = { id: number; action: keyof UserActions; args: unknown }

export type ActionResponse = { id: number; result: unknown }

export type { UserActions, ViewRecord }
