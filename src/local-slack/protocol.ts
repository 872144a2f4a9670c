import type { UserActions } from './server/person/deeds.ts'
import type { ChannelKind } from './server/workspace/channels.ts'
import type { MessageRecord } from './server/workspace/messages.ts'
import type { Role } from './server/workspace/people.ts'
import type { ViewRecord } from './server/workspace/views.ts'

// What the page and the server say to each other over their one WebSocket. Types alone: the page takes nothing else.

export type ClientUser = { id: string; handle: string; name: string; title: string; role: Role; tz?: string }

export type ClientChannel = {
  id: string
  name: string
  kind: ChannelKind
  topic: string
  purpose: string
  members: string[]
}

export type ClientMessage = MessageRecord & { channel: string; only: boolean }

export type ClientApp = {
  id: string
  name: string
  description: string
  color: string
  botUser: string
  installed: boolean
  home: boolean
  messages: boolean
  commands: { command: string; description: string; usage_hint?: string | undefined }[]
  shortcuts: { name: string; type: 'global' | 'message'; callback_id: string; description: string }[]
}

/** All that one person sees at their desk. */
export type ClientState = {
  me: string
  /** Where the page sits: what it uploads or looks at is its person's. */
  desk: string
  team: string
  app: ClientApp
  people: ClientUser[]
  channels: ClientChannel[]
  messages: Record<string, ClientMessage[]>
  home: ViewRecord | null
  /** The modals that lie here, the topmost last. */
  views: ViewRecord[]
}

/** What has changed since. */
export type StatePatch =
  | { news: 'all'; seen: ClientState }
  | { news: 'message'; message: ClientMessage }
  | { news: 'gone'; channel: string; ts: string }
  | { news: 'views'; views: ViewRecord[] }
  | { news: 'home'; home: ViewRecord | null }

export type ActionRequest = { id: number; deed: keyof UserActions; given: unknown }

export type ActionResponse = { id: number; result: unknown }

export type { UserActions, ViewRecord }
