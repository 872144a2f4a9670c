import type { Channel, Message, Session, SharedFile, User } from './entities.ts'

/** A change in the workspace. The app and the pages each listen for the changes that concern them. */
export type WorkspaceEvent =
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message; previous: Message }
  | { type: 'message_deleted'; message: Message }
  /** A message got a reply or a reaction; its content is the same. */
  | { type: 'message_refreshed'; message: Message }
  | { type: 'reaction_added' | 'reaction_removed'; message: Message; user: string; reaction: string }
  | { type: 'channel'; channel: Channel }
  | { type: 'user_changed' | 'user_joined'; user: User }
  | { type: 'member_joined_channel'; channel: Channel; user: string; inviter?: string }
  | { type: 'member_left_channel'; channel: Channel; user: string }
  | { type: 'file_shared'; file: SharedFile; channel: Channel; user: string }
  | { type: 'app_home_opened'; user: string; channel: Channel; tab: 'home' | 'messages' }
  | { type: 'home'; user: string }
  | { type: 'views'; session: Session }
  | { type: 'installed' }
  | { type: 'tokens_revoked'; users: string[]; bots: string[] }
  | { type: 'uninstalled' }

type EventListeners = { listeners: Set<(event: WorkspaceEvent) => void>; log: (error: unknown) => void }

export function emitEvent({ listeners, log }: EventListeners, event: WorkspaceEvent): void {
  for (const listener of [...listeners])
    try {
      listener(event)
    } catch (error) {
      log(error) // One failing listener must not stop the others.
    }
}
