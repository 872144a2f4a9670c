import type { Channel } from './channels.ts'
import type { Desk } from './desks.ts'
import type { SharedFile } from './files.ts'
import type { Message } from './messages.ts'
import type { Slack } from './slack.ts'

/** What happens in the workspace. The app hears of what its manifest asks for, the page of what its person may see. */
export type Happening =
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message; previous: Message }
  | { type: 'message_deleted'; message: Message }
  /** It looks different, for it got a reply or a reaction, but says the same. */
  | { type: 'touched'; message: Message }
  | { type: 'reaction_added'; message: Message; user: string; reaction: string }
  | { type: 'channel'; channel: Channel }
  | { type: 'member_joined_channel'; channel: Channel; user: string; inviter?: string }
  | { type: 'member_left_channel'; channel: Channel; user: string }
  | { type: 'file_shared'; file: SharedFile; channel: Channel; user: string }
  | { type: 'app_home_opened'; user: string; channel: Channel; tab: 'home' | 'messages' }
  | { type: 'home'; user: string }
  | { type: 'views'; desk: Desk }
  | { type: 'installed' }
  | { type: 'tokens_revoked'; people: string[]; bots: string[] }
  | { type: 'uninstalled' }

export function announce(slack: Slack, happening: Happening): void {
  for (const listener of [...slack.listeners])
    try {
      listener(happening)
    } catch (error) {
      slack.log(error) // what one of them cannot take, the others are told all the same
    }
}
