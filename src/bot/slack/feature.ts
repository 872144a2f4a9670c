import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Db } from '../database/tables.ts'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import type { Choice, Reply } from './message-blocks.ts'
import type { Access, AuthorizedActor } from './permissions.ts'
import type { UserProfile } from './profile.ts'
import type { SlackFile } from './slack-file.ts'

/** Where a request came from. */
export type Origin =
  | 'command'
  | 'shortcut'
  | 'home'
  | 'modal'
  /** A message that the whole channel sees. */
  | 'channel message'
  /** A message that only the user sees. */
  | 'ephemeral message'
  /** An ephemeral message that shows only the record that its menu acts on. */
  | 'confirmation'

/** A permitted use of a command, button or shortcut. It is already acknowledged. */
export type Request = AuthorizedActor & {
  /** How the user reads and enters times. `now` is when the handler starts. */
  viewer: UserProfile & { now: Date }
  modules: Module[]
  /** The words after the verb, or the value of the button. */
  text: string
  /** The files of the message whose shortcut was used. */
  messageFiles: SlackFile[]
  /** Sends an answer that only the user can see. */
  reply: (reply: Reply) => Promise<void>
  /** Replaces the message whose button was pressed. */
  replace: (reply: Reply) => Promise<void>
  /** Sends an answer that everyone in the channel can see. */
  share: (reply: Reply) => Promise<void>
  origin: Origin
  /** The modal whose button was pressed, with the user's input. */
  modal?: ViewOutput | undefined
  /** Opens a modal. Slack allows three seconds for it; afterwards the modal can still be updated. */
  open: (view: ModalView) => Promise<OpenedModal>
}

export type OpenedModal = { id: string; update: (view: ModalView) => Promise<void> }

export type Handler = (request: Request) => Promise<void>

export type Action = {
  access: Access
  run: Handler
  /** Finds the project that the button changes. By default, the button's value names it. */
  projectOf?: FindProjectId
}

/** A press of a button, before the user's permission is checked. */
export type ButtonPress = Pick<AuthorizedActor, 'bot' | 'actor'> & { text: string }

type FindProjectId = (pressed: ButtonPress) => Promise<string | undefined>

/** For buttons that users may press even if they aren't among the writers of the project. */
export const noProject: FindProjectId = async () => undefined

/** Reads the project from the value of a record's button, which is a JSON object. */
export const projectInValue: FindProjectId = async ({ text }) => {
  try {
    const { project_id } = JSON.parse(text)
    return typeof project_id === 'string' ? project_id : undefined
  } catch {
    return undefined
  }
}

export type SearchContext = {
  bot: Bot
  actor: Actor
  project_id: string
  query: string
  deadline: Date
}

export type Search = (context: SearchContext) => Promise<Choice[]>

/** A select menu that loads its options as the user types. */
export type OptionsSource = { access: Access; search: Search }

/** Something that users can do in Slack. The help, the router and the test of the manifest read these declarations. */
export type Feature = {
  verb: string
  /** Another word for the verb, taken from the label of a button. */
  synonym?: string
  /** A slash command of its own, for frequent use. */
  command?: `/${string}`
  usage?: string
  help: string
  /** May depend on the text, because some subcommands of a verb require more permission. */
  access: Access | ((text: string) => Access)
  run: Handler
  actions?: Record<string, Action>
  options?: Record<string, OptionsSource>
  shortcuts?: { type: 'global' | 'message'; callback_id: string }[]
}

/**
 * The features and jobs that one folder adds to the bot. The help, the router, the audit trail and the workers are
 * built from all modules.
 */
export type Module = {
  /** The heading of the features in the help. Without one, they appear under the previous module's heading. */
  heading?: string
  /** In the order in which the help lists them. */
  features?: Feature[]
  jobs?: (context: WorkerContext) => JobHandler[]
  /** The labels of late and failing jobs, by their kind. Admins read them. */
  jobLabels?: Record<string, string>
  /** Posts in plans that are still in review. Their uploads are kept. */
  listPlannedPosts?: (db: Db, team_id: string) => Promise<Record<string, unknown>[]>
  /** Called in the transaction that records the uninstallation. */
  onUninstalled?: (db: Db, workspace: Uninstallation, now: Date) => Promise<unknown>
  /** Called when the app is installed again in a workspace that had removed it. */
  onReinstalled?: (db: Db, team_id: string, now: Date) => Promise<unknown>
}

export type WorkerContext = {
  bot: Bot
  client: WebClient
  modules: Module[]
  /** The tables whose rows are deleted together with their workspace. */
  workspaceTables: string[]
  /** The origin of Slack's file URLs, and the token for downloading the files. */
  slackFiles: { origin: string; botToken: string }
}

export const UNINSTALLATION_REASONS = ['app_uninstalled', 'token_revoked'] as const

export type Uninstallation = { team_id: string; reason: (typeof UNINSTALLATION_REASONS)[number] }

export const listFeatures = (modules: Module[]): Feature[] => modules.flatMap(({ features = [] }) => features)
