import { App, HTTPReceiver } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { NO_EXTENSIONS } from '../api/service-extensions.ts'
import type { StoreAccess } from '../database/database.ts'
import type { Poller } from '../poller.ts'
import { createDatabaseChecks, createPollerCheck, createReadiness } from '../readiness.ts'
import { type ActionLimits, createActionLimit } from './action-limit.ts'
import { registerListeners } from './app.ts'
import { toBoltLogger } from './bolt-logger.ts'
import type { Bot } from './bot.ts'
import { startCleanup } from './cleanup.ts'
import { startDigests } from './digests/start-digests.ts'
import { startExtensionChecks } from './extensions/start-extension-checks.ts'
import { forms } from './features/index.ts'
import { schedulePost } from './features/schedule-post.ts'
import { startHandOver } from './held-posts/start-hand-over.ts'
import { createHttpReceiver, type ReceivedContext } from './http-receiver.ts'
import { startHttpServer } from './http-server.ts'
import { confirmInstallation } from './installation/confirm-installation.ts'
import { createScopeCheck } from './installation/granted-scopes.ts'
import { createPictureCleaner } from './media/clean-picture.ts'
import { startUploads } from './media/start-uploads.ts'
import { replaceUnreachableImages } from './message-images.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { startOutbox } from './outbox/start-outbox.ts'
import { createUserDirectory } from './people/user-directory.ts'
import { usePictureFonts } from './pictures/svg.ts'
import { startMessageUpdates } from './posts/keep-messages-current.ts'
import { createProjectList } from './projects/project-list.ts'
import { isTokenRefused, slackErrorCode } from './slack-errors.ts'
import { createSocketMode } from './socket-mode.ts'
import { createTokenChecks } from './token-checks.ts'

type StartOptions = {
  bot: Omit<
    Bot,
    'directory' | 'projectList' | 'actionLimit' | 'extensions' | 'uploads' | 'scopes' | 'slackFetch'
  >
  /** What `bot.db` connects to. */
  database: StoreAccess
  actionLimits: ActionLimits
  slack: {
    botToken: string
    /** For Socket Mode. Without it, the bot listens for signed HTTP requests. */
    appToken?: string | undefined
    signingSecret?: string | undefined
    apiUrl?: string | undefined
    /** Its workspace is lost when it stops, so it doesn't keep a real one from using the database. */
    isLocal?: boolean
  }
  /** Called if Slack is down during the start, and later turns out to be another workspace's. */
  onOtherWorkspace: (error: Error) => void
  host: string
  port: number
  /** Where the internet reaches this server. */
  publicUrl?: string | undefined
  /** Links to this server are good enough for a service that runs here, too. */
  isServiceOnThisMachine: boolean
  /** How much the files of a workspace may take up. */
  maxWorkspaceBytes: number
}

const SLACK_TIMEOUT_MS = 10_000
const SLACK_FILES_ORIGIN = 'https://files.slack.com'
/** Without these limits, the SDK retries for half an hour. */
const INTERACTIVE_RETRIES = { retries: 2, maxTimeout: 2000 }

export async function startBot(options: StartOptions) {
  const { slack, host, port, publicUrl, isServiceOnThisMachine, maxWorkspaceBytes } = options
  const { log, runtime } = options.bot
  const { botToken, appToken, signingSecret = '', apiUrl } = slack
  usePictureFonts()
  const uploads = { current: { baseUrl: publicUrl, isPublic: Boolean(publicUrl), maxWorkspaceBytes } }
  const bot: Bot = {
    ...options.bot,
    directory: createUserDirectory(runtime),
    projectList: createProjectList(options.bot.api, runtime.now),
    extensions: { current: NO_EXTENSIONS },
    actionLimit: createActionLimit(options.actionLimits, runtime.now),
    scopes: createScopeCheck(runtime),
    uploads,
    slackFetch: replaceUnreachableImages({ ...options.bot, uploads }, runtime.fetch),
  }
  const clientOptions = {
    timeout: SLACK_TIMEOUT_MS,
    fetch: bot.slackFetch,
    ...(apiUrl && { slackApiUrl: apiUrl }),
  }
  const logger = toBoltLogger(log)
  const socketMode = appToken ? createSocketMode({ appToken, clientOptions, log, runtime }) : undefined
  const receiver = socketMode?.receiver ?? createHttpReceiver({ bot, signingSecret, logger })
  const app = new App<ReceivedContext>({
    token: botToken,
    clientOptions: { ...clientOptions, retryConfig: INTERACTIVE_RETRIES },
    logger,
    convoStore: false,
    receiver,
  })
  registerListeners(app, bot)
  // No SDK retries here: the workers retry by themselves, and digests check Slack before they resend.
  const client = new WebClient(botToken, {
    ...clientOptions,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
  })
  // Loads the workspace before the first command needs it. If this fails, that command tries again.
  bot.directory.findWorkspace(client).catch(() => {})
  const confirmation = await confirmInstallation(bot, client, {
    claimsDatabase: !slack.isLocal,
    onOtherWorkspace: options.onOtherWorkspace,
  }).catch((err) => {
    throw isTokenRefused(err) ? refusedToken('SLACK_BOT_TOKEN', err, 'OAuth & Permissions') : err
  })
  bot.scopes.refresh(client)
  const extensionChecks = await startExtensionChecks(bot)
  const pollers: Poller[] = [extensionChecks, ...(confirmation ? [confirmation] : [])]
  const findProblem = createReadiness({
    log,
    checks: [
      ...createDatabaseChecks(options.database, runtime),
      () => socketMode?.findProblem(),
      createPollerCheck(pollers),
      ...createTokenChecks(bot, client),
    ],
  })
  const server = await startHttpServer({
    bot,
    host,
    port,
    findProblem,
    receiveFromSlack: receiver instanceof HTTPReceiver ? receiver.requestListener : undefined,
  })
  if (isServiceOnThisMachine) bot.uploads.current.baseUrl ??= server.url
  await socketMode?.start().catch(async (err) => {
    await server.close()
    throw isTokenRefused(err) ? refusedToken('SLACK_APP_TOKEN', err, 'Basic Information') : err
  })
  const source = {
    client,
    botToken,
    origin: apiUrl ? new URL(apiUrl).origin : SLACK_FILES_ORIGIN,
    cleanPicture: createPictureCleaner(),
  }
  pollers.push(
    startOutbox({ bot, client, forms }),
    startUploads({ bot, client, forms, source }),
    startHandOver(bot, schedulePost.verb),
    startMessageUpdates(bot, client),
    startNotifications({ bot, client, forms }),
    ...startDigests(bot, client),
    startCleanup(bot, client),
  )
  return {
    url: server.url,
    /** Why no request of Slack arrives yet. */
    slackProblem: socketMode?.findProblem(),
    async stop() {
      await socketMode?.stop()
      await server.close()
      await Promise.all(pollers.map((poller) => poller.stop()))
    },
  }
}

const refusedToken = (name: string, error: unknown, page: string): Error =>
  new Error(`Slack refused ${name} (${slackErrorCode(error)}). Copy the token from "${page}" of the app.`)
