import type { ModalView } from '@slack/types'
import type { Search } from './form/field.ts'
import type { SlackFile } from './form/form-value.ts'
import type { Reply } from './message-blocks.ts'
import type { Access, AuthorizedActor } from './permissions.ts'

/** A permitted use of a command, button or shortcut. It is already acknowledged. */
export type Request = AuthorizedActor & {
  /** What the user typed after the verb, or the value of the button. */
  text: string
  /** The first file of the message whose shortcut was used. */
  messageFile?: SlackFile | undefined
  /** Answers visibly only to the user. */
  reply: (reply: Reply) => Promise<void>
  /** Replaces the message whose button was pressed. */
  replace: (reply: Reply) => Promise<void>
  /** Answers visibly to everyone in the channel. */
  share: (reply: Reply) => Promise<void>
  /** The button that was pressed is in a modal. */
  isInModal: boolean
  /** The menu that was used is in a private message that shows nothing but this post. */
  isInConfirmation: boolean
  /** Opens a modal. Slack allows three seconds for it; afterwards the modal can still be updated. */
  open: (view: ModalView) => Promise<OpenModal>
}

export type OpenModal = { update: (view: ModalView) => Promise<void> }

export type Handler = (request: Request) => Promise<void>

export type Action = { access: Access; run: Handler }

/** A select menu that loads its options as the user types. */
export type OptionsSource = { access: Access; search: Search }

/** One thing a person can do. The help, the router and the test of the manifest use these declarations. */
export type Feature = {
  verb: string
  /** A slash command of its own, for frequent use. */
  command?: `/${string}`
  usage?: string
  help: string
  /** A verb with subcommands may require more for some of them. */
  access: Access | ((text: string) => Access)
  run: Handler
  actions?: Record<string, Action>
  options?: Record<string, OptionsSource>
  shortcuts?: { type: 'global' | 'message'; callback_id: string }[]
}
