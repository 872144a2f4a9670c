import { App, HTTPReceiver } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { NO_EXTENSIONS } from '../api/service-extensions.ts'
import type { StoreAccess } from '../database/database.ts'
import { startJobQueue } from '../jobs/job-queue.ts'
import type { Poller } from '../jobs/poller.ts'
import { createDatabaseChecks, createPollerCheck, createReadinessCheck } from '../readiness.ts'
import { failSpan } from '../tracing/spans.ts'
import { WORKSPACE_TABLES } from './all-tables.ts'
import { startCleanup } from './cleanup.ts'
import { publishHome } from './features/home/home.ts'
import { MODULES } from './features/index.ts'
import { replaceUnreachableImages } from './features/media/replace-images.ts'
import { MEDIA_PATH, serveMedia } from './features/media/serve-media.ts'
import { registerListeners } from './register-listeners.ts'
import { type ActionLimits, createActionLimiter } from './slack/action-limiter.ts'
import { toBoltLogger } from './slack/bolt-logger.ts'
import type { Bot, BotSettings } from './slack/bot.ts'
import { createConnectedPlatforms } from './slack/connected-platforms.ts'
import { startExtensionChecks } from './slack/extensions/start-extension-checks.ts'
import { createHttpReceiver, type ReceivedContext } from './slack/http-receiver.ts'
import { startHttpServer } from './slack/http-server.ts'
import { configureImageFonts } from './slack/images/svg.ts'
import { confirmInstallation } from './slack/installation/confirm-installation.ts'
import { createScopeCheck } from './slack/installation/granted-scopes.ts'
import { measureSlack } from './slack/measure-slack.ts'
import { createProjectList } from './slack/project-list.ts'
import { trackRunningRequests } from './slack/running-requests.ts'
import { isTokenRejected, slackErrorCode } from './slack/slack-errors.ts'
import { createSocketMode } from './slack/socket-mode.ts'
import { createTokenChecks } from './slack/token-checks.ts'
import { createUserDirectory } from './slack/user-directory.ts'
import { createUserGroups } from './slack/user-groups.ts'

type StartOptions = {
  bot: BotSettings
  /** The database behind `bot.db`. */
  database: StoreAccess
  actionLimits: ActionLimits
  slack: {
    botToken: string
    /** For Socket Mode. Without it, the bot listens for signed HTTP requests. */
    appToken?: string | undefined
    signingSecret?: string | undefined
    apiUrl?: string | undefined
    /** Set for a local Slack. Its workspace is lost when Slack stops, so that workspace must not own the database. */
    isLocal?: boolean
  }
  /** Called if Slack is down when the bot starts, and the token later turns out to belong to another workspace. */
  onOtherWorkspace: (error: Error) => void
  isStopping?: () => boolean
  host: string
  port: number
  /** The public URL of this server. */
  publicUrl?: string | undefined
  /** Whether the service runs on this machine. If so, it can follow links to this server without a public URL. */
  isServiceOnThisMachine: boolean
  /** How much space the files of a workspace may take up. */
  maxWorkspaceBytes: number
}

/** How long a shutdown waits for requests that are being handled. */
const FINISH_TIMEOUT_MS = 10_000
const SLACK_TIMEOUT_MS = 10_000
const SLACK_FILES_ORIGIN = 'https://files.slack.com'
/** Without these limits, the SDK retries for half an hour. */
const INTERACTIVE_RETRIES = { retries: 2, maxTimeout: 2000 }

export async function startBot(options: StartOptions) {
  const { slack, host, port, publicUrl, isServiceOnThisMachine, maxWorkspaceBytes } = options
  const { log, metrics, runtime } = options.bot
  const { botToken, appToken, signingSecret = '', apiUrl } = slack
  configureImageFonts()
  const uploads = { current: { baseUrl: publicUrl, isPublic: Boolean(publicUrl), maxWorkspaceBytes } }
  const slackMetrics = measureSlack(metrics)
  const runningRequests = trackRunningRequests(metrics, log)
  const bot: Bot = {
    ...options.bot,
    directory: createUserDirectory(runtime),
    userGroups: createUserGroups(runtime, log),
    projectList: createProjectList(options.bot.api, runtime.now),
    connectedPlatforms: createConnectedPlatforms(options.bot.api, runtime.now),
    extensions: { current: NO_EXTENSIONS, areKnown: false },
    actionLimit: createActionLimiter(options.actionLimits, runtime.now),
    scopes: createScopeCheck(runtime),
    typingUpdates: new Map(),
    uploads,
    refreshHome: (actor) => publishHome(bot, actor),
    slackFetch: replaceUnreachableImages({ ...options.bot, uploads }, slackMetrics.wrapFetch(runtime.fetch)),
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
    // With `token`, Bolt calls auth.test. If that fails once, Bolt drops every later request and acknowledges it, so forms
    // close as if they had been submitted.
    authorize: async () => ({ botToken }),
    clientOptions: { ...clientOptions, retryConfig: INTERACTIVE_RETRIES },
    logger,
    convoStore: false,
    receiver,
  })
  // No SDK retries here: the workers retry by themselves, and digests check Slack before they resend.
  const client = new WebClient(botToken, {
    ...clientOptions,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
  })
  const slackFiles = { botToken, origin: apiUrl ? new URL(apiUrl).origin : SLACK_FILES_ORIGIN }
  const context = { bot, client, modules: MODULES, workspaceTables: WORKSPACE_TABLES, slackFiles }
  runningRequests.watch(app)
  slackMetrics.watch(app)
  registerListeners(app, context)
  app.error(async (err) => {
    // Bolt passes listeners' errors to this handler, so the request's span doesn't see them.
    failSpan(err)
    log.error({ err }, 'Failed to handle a Slack request')
  })
  // Loads the workspace before the first command needs it. If this fails, that command tries again.
  bot.directory.findWorkspace(client).catch(() => {})
  const installationPoller = await confirmInstallation(context, {
    claimsDatabase: !slack.isLocal,
    onOtherWorkspace: options.onOtherWorkspace,
  }).catch((err) => {
    throw isTokenRejected(err) ? rejectedTokenError('SLACK_BOT_TOKEN', err, 'OAuth & Permissions') : err
  })
  bot.scopes.refresh(client)
  const extensionChecks = await startExtensionChecks(bot)
  const pollers: Poller[] = [extensionChecks, ...(installationPoller ? [installationPoller] : [])]
  const findProblem = createReadinessCheck({
    log,
    isStopping: options.isStopping,
    checks: [
      ...createDatabaseChecks(options.database, runtime),
      () => socketMode?.findProblem(),
      createPollerCheck(pollers),
      ...createTokenChecks(bot, client),
    ],
  })
  metrics.collectors.push(async () =>
    metrics.ready.set({ upnext_server: 'bot' }, (await findProblem()) ? 0 : 1),
  )
  const server = await startHttpServer({
    log,
    metrics,
    host,
    port,
    files: {
      path: MEDIA_PATH,
      serve: (name, request, response) => serveMedia(bot, name, request, response),
    },
    findProblem,
    receiveFromSlack: receiver instanceof HTTPReceiver ? receiver.requestListener : undefined,
  })
  if (isServiceOnThisMachine) bot.uploads.current.baseUrl ??= server.url
  await socketMode?.start().catch(async (err) => {
    await server.close()
    throw isTokenRejected(err) ? rejectedTokenError('SLACK_APP_TOKEN', err, 'Basic Information') : err
  })
  const handlers = MODULES.flatMap((module) => module.jobs?.(context) ?? [])
  pollers.push(startJobQueue({ db: bot.db, log, metrics, runtime, handlers }), startCleanup(context))
  return {
    url: server.url,
    /** Why no requests from Slack arrive yet. Undefined if they do. */
    slackProblem: socketMode?.findProblem(),
    async stop() {
      await socketMode?.stop()
      await Promise.all([
        server.close(),
        ...pollers.map((poller) => poller.stop()),
        // An interrupted submission would wait until another instance notices that it was abandoned.
        Promise.race([runningRequests.finish(), runtime.sleep(FINISH_TIMEOUT_MS)]),
      ])
    },
  }
}

const rejectedTokenError = (name: string, error: unknown, page: string): Error =>
  new Error(
    `Slack rejected ${name} (${slackErrorCode(error)}). Copy the token from "${page}" in your Slack app's settings.`,
  )
