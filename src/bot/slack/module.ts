import type { WebClient } from '@slack/web-api'
import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Db } from '../database/tables.ts'
import type { Bot } from './bot.ts'
import type { Feature } from './feature.ts'

/**
 * The part of the bot that is in one folder. The help, the router, the audit trail and the workers are built from all
 * modules.
 */
export type Module = {
  /** The heading of the features in the help. Without one, they appear under the previous module's heading. */
  heading?: string
  /** In the order in which the help lists them. */
  features?: Feature[]
  jobs?: (context: WorkerContext) => JobHandler[]
  /** The labels of late and failing jobs, by their kind. Admins read them. */
  jobLabels?: Record<string, string>
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
