import { authMethods } from './auth.ts'
import { chatMethods } from './chat.ts'
import { conversationMethods } from './conversations.ts'
import { fileMethods } from './files.ts'
import { historyMethods } from './history.ts'
import { manageChannelMethods } from './manage-channels.ts'
import type { Method } from './method.ts'
import { reactionMethods } from './reactions.ts'
import { scheduledMessageMethods } from './scheduled-messages.ts'
import { userGroupMethods } from './user-groups.ts'
import { userMethods } from './users.ts'
import { viewMethods } from './views.ts'

/** All Web API methods of the local Slack. */
export const methods: Method[] = [
  ...authMethods,
  ...userMethods,
  ...userGroupMethods,
  ...conversationMethods,
  ...manageChannelMethods,
  ...historyMethods,
  ...chatMethods,
  ...reactionMethods,
  ...scheduledMessageMethods,
  ...viewMethods,
  ...fileMethods,
]
