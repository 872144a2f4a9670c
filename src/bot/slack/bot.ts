import type { Logger } from 'pino'
import type { Api } from '../../api/client.ts'
import type { ServiceExtensions } from '../../api/service-extensions.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Runtime } from '../../runtime.ts'
import type { Db } from '../database/tables.ts'
import type { ActionLimiter } from './action-limiter.ts'
import type { Actor } from './actor.ts'
import type { ConnectedPlatforms } from './connected-platforms.ts'
import type { createScopeCheck } from './installation/granted-scopes.ts'
import type { ProjectList } from './project-list.ts'
import type { UserDirectory } from './user-directory.ts'
import type { UserGroups } from './user-groups.ts'

/** `replaced` has the hashes of the versions that this update and those before it replaced. */
export type TypingUpdate = { hash: string | undefined; updatedAt: number; replaced: string[] }

export type Bot = BotSettings & {
  directory: UserDirectory
  userGroups: UserGroups
  projectList: ProjectList
  connectedPlatforms: ConnectedPlatforms
  /** The service's abilities beyond the contract, as far as they are known. */
  extensions: {
    current: ServiceExtensions
    /** Whether the service has answered since Upnext started. */
    areKnown: boolean
  }
  actionLimit: ActionLimiter
  /**
   * By view id: this instance's latest update of the form while the user was typing. Resolves to undefined if the
   * update had no effect.
   */
  typingUpdates: Map<string, Promise<TypingUpdate | undefined>>
  /** How uploaded files are served. */
  uploads: {
    current: {
      /** Where the files can be fetched. Undefined if the scheduling service couldn't reach them. */
      baseUrl: string | undefined
      /** Whether Slack can also fetch the files from `baseUrl`. */
      isPublic: boolean
      /** How much space the files of a workspace may take up. */
      maxWorkspaceBytes: number
    }
  }
  /** Which permissions the app has in Slack. */
  scopes: ReturnType<typeof createScopeCheck>
  slackFetch: typeof fetch
  /** Shows changes on the user's Home tab. */
  refreshHome: (actor: Actor) => Promise<void>
}

export type BotSettings = {
  api: Api
  db: Db
  log: Logger
  metrics: Metrics
  runtime: Runtime
  /** Slack ids of additional users with admin permission. */
  admins: string[]
  guestsMayWrite: boolean
  /** Whether people from other organizations may view posts, in channels shared with them. */
  externalUsersMayView: boolean
  uninstallRetentionDays: number
}

/** While the extensions aren't known, jobs that depend on them run again after this time. */
export const EXTENSIONS_RECHECK_MS = 5000
