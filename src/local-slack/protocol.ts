import type { Deeds } from './server/person/deeds.ts'
import type { ChannelKind } from './server/workspace/channels.ts'
import type { MessageRecord } from './server/workspace/messages.ts'
import type { Role } from './server/workspace/people.ts'
import type { ViewRecord } from './server/workspace/views.ts'

// What the page and the server say to each other over their one WebSocket. Types alone: the page takes nothing else.

export type PersonSeen = { id: string; handle: string; name: string; title: string; role: Role; tz?: string }

export type ChannelSeen = {
  id: string
  name: string
  kind: ChannelKind
  topic: string
  purpose: string
  members: string[]
}

export type MessageSeen = MessageRecord & { channel: string; only: boolean }

export type AppSeen = {
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
export type Seen = {
  me: string
  /** Where the page sits: what it uploads or looks at is its person's. */
  desk: string
  team: string
  app: AppSeen
  people: PersonSeen[]
  channels: ChannelSeen[]
  messages: Record<string, MessageSeen[]>
  home: ViewRecord | null
  /** The modals that lie here, the topmost last. */
  views: ViewRecord[]
}

/** What has changed since. */
export type News =
  | { news: 'all'; seen: Seen }
  | { news: 'message'; message: MessageSeen }
  | { news: 'gone'; channel: string; ts: string }
  | { news: 'views'; views: ViewRecord[] }
  | { news: 'home'; home: ViewRecord | null }

export type Asked = { id: number; deed: keyof Deeds; given: unknown }

export type Answered = { id: number; result: unknown }

export type { Deeds, ViewRecord }
