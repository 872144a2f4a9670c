import { askOptions } from './ask-options.ts'
import { closeView } from './close-view.ts'
import type { UserAction } from './deed.ts'
import { installApp, uninstallApp } from './manage-app.ts'
import { invite, join, leave, openApp, openDirect, remove } from './move-around.ts'
import { press } from './press.ts'
import { react } from './react.ts'
import { runCommand } from './run-command.ts'
import { runShortcut } from './run-shortcut.ts'
import { sendMessage } from './send-message.ts'
import { submitView } from './submit-view.ts'

/** All that a person can do. The page asks for it by these names. */
export const userActions = {
  sendMessage,
  runCommand,
  runShortcut,
  press,
  askOptions,
  submitView,
  closeView,
  react,
  openApp,
  openDirect,
  join,
  leave,
  invite,
  remove,
  installApp,
  uninstallApp,
} satisfies Record<string, UserAction<never, unknown>>

export type UserActions = typeof userActions
