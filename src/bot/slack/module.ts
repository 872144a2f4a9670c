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
  /** What people wait for while jobs of these kinds are late. Admins read it. */
  jobLabels?: Record<string, string>
  /** Called in the transaction that records the removal. */
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
  /** The origin of files, and the token for them. */
  slackFiles: { origin: string; botToken: string }
}

export const UNINSTALLATION_REASONS = ['app_uninstalled', 'token_revoked'] as const

export type Uninstallation = { team_id: string; reason: (typeof UNINSTALLATION_REASONS)[number] }

export const listFeatures = (modules: Module[]): Feature[] => modules.flatMap(({ features = [] }) => features)
