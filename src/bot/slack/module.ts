import type { WebClient } from '@slack/web-api'
import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Db } from '../database/tables.ts'
import type { Bot } from './bot.ts'
import type { Feature } from './feature.ts'

/** A folder's part of the bot. The help, the router, the audit trail and the workers follow from it. */
export type Module = {
  /** In the order in which the help lists them. */
  features?: Feature[]
  jobs?: (context: WorkerContext) => JobHandler[]
  /** Runs once an hour. Tables with lifetimes need none. */
  cleanUp?: ((context: WorkerContext) => Promise<unknown>)[]
  onUninstalled?: (db: Db, workspace: RemovedWorkspace, now: Date) => Promise<unknown>
  /** The app is back in a workspace that had removed it. */
  onReinstalled?: (db: Db, team_id: string, now: Date) => Promise<unknown>
}

export type WorkerContext = {
  bot: Bot
  client: WebClient
  modules: Module[]
  /** Their rows are deleted with their workspace. */
  workspaceTables: string[]
  /** The origin of files, and the token for them. */
  slackFiles: { origin: string; botToken: string }
}

export const UNINSTALLATION_REASONS = ['app_uninstalled', 'token_revoked'] as const

export type RemovedWorkspace = { team_id: string; reason: (typeof UNINSTALLATION_REASONS)[number] }

export const listFeatures = (modules: Module[]): Feature[] => modules.flatMap(({ features = [] }) => features)
