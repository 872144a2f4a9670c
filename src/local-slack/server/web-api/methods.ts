import { appMethods } from './apps.ts'
import { authMethods } from './auth.ts'
import { chatMethods } from './chat.ts'
import { conversationMethods } from './conversations.ts'
import { fileMethods } from './files.ts'
import { historyMethods } from './history.ts'
import type { Method } from './method.ts'
import { oauthMethods } from './oauth.ts'
import { reactionMethods } from './reactions.ts'
import { scheduledMessageMethods } from './scheduled-messages.ts'
import { teamMethods } from './team.ts'
import { userMethods } from './users.ts'
import { viewMethods } from './views.ts'

/** All that this Slack can be asked. */
export const methods: Method[] = [
  ...authMethods,
  ...appMethods,
  ...oauthMethods,
  ...teamMethods,
  ...userMethods,
  ...conversationMethods,
  ...historyMethods,
  ...chatMethods,
  ...scheduledMessageMethods,
  ...reactionMethods,
  ...viewMethods,
  ...fileMethods,
]
