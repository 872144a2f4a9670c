import { z } from 'zod'
import { installApp as install, uninstallApp as uninstall } from '../workspace/installation.ts'
import { canManageApps } from '../workspace/users.ts'
import {
  inviteToChannel,
  joinChannel,
  leaveChannel,
  openAppTab,
  openDirectMessage,
  removeFromChannel,
} from './channels.ts'
import { dispatchAction } from './dispatch-action.ts'
import { loadOptions } from './load-options.ts'
import { addReaction, sendMessage } from './messages.ts'
import { closeView, submitView } from './modals.ts'
import { runCommand } from './run-command.ts'
import { runShortcut } from './run-shortcut.ts'
import { type ActionContext, DONE, defineUserAction, failure, type UserAction } from './user-action.ts'

const MANAGERS_ONLY = 'Only owners and admins can manage apps.'

function isAppManager({ slack, session }: ActionContext): boolean {
  const user = slack.users.get(session.user)
  return user !== undefined && canManageApps(slack, user)
}

const installApp = defineUserAction(z.object({}), async ({ slack, session }) => {
  if (!isAppManager({ slack, session })) return failure(MANAGERS_ONLY)
  const { bot, user } = slack.app.manifest.oauth_config.scopes
  // The same token becomes valid again: the app has no other way to learn a new one.
  slack.app.revoked.delete(slack.app.secrets.botToken)
  install(slack, { installedBy: session.user, scopes: bot, userScopes: user })
  return DONE
})

const uninstallApp = defineUserAction(z.object({}), async ({ slack, session }) => {
  if (!isAppManager({ slack, session })) return failure(MANAGERS_ONLY)
  uninstall(slack)
  return DONE
})

/** Everything that a user can do. The page calls these actions by name. */
export const userActions = {
  sendMessage,
  addReaction,
  runCommand,
  runShortcut,
  dispatchAction,
  loadOptions,
  submitView,
  closeView,
  openAppTab,
  openDirectMessage,
  joinChannel,
  leaveChannel,
  inviteToChannel,
  removeFromChannel,
  installApp,
  uninstallApp,
} satisfies Record<string, UserAction<never, unknown>>

export type UserActions = typeof userActions
