import { App, type Logger as BoltLogger, LogLevel } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { NO_EXTENSIONS } from '../api/service-extensions.ts'
import { type ActionLimits, createActionLimit } from './action-limit.ts'
import { registerListeners } from './app.ts'
import type { Bot } from './bot.ts'
import { startCleanup } from './cleanup.ts'
import { startDigests } from './digests/start-digests.ts'
import { startExtensionChecks } from './extensions/start-extension-checks.ts'
import { forms } from './features/index.ts'
import { schedulePost } from './features/schedule-post.ts'
import { startHandOver } from './held-posts/start-hand-over.ts'
import { createHttpReceiver, type ReceivedContext } from './http-receiver.ts'
import { startHttpServer } from './http-server.ts'
import { createScopeCheck } from './installation/granted-scopes.ts'
import { resumeInstallation } from './installation/installation.ts'
import { createPictureCleaner } from './media/clean-picture.ts'
import { startUploads } from './media/start-uploads.ts'
import { replaceUnreachableImages } from './message-images.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { startOutbox } from './outbox/start-outbox.ts'
import { createUserDirectory } from './people/user-directory.ts'
import { usePictureFonts } from './pictures/svg.ts'
import { startMessageUpdates } from './posts/keep-messages-current.ts'
import { createProjectList } from './projects/project-list.ts'
import { isSlackFailure, isTokenRefused, slackErrorCode } from './slack-errors.ts'

type StartOptions = {
  bot: Omit<
    Bot,
    'directory' | 'projectList' | 'actionLimit' | 'extensions' | 'uploads' | 'scopes' | 'slackFetch'
  >
  actionLimits: ActionLimits
  slack: {
    botToken: string
    /** For Socket Mode. Without it, the bot listens for signed HTTP requests. */
    appToken?: string | undefined
    signingSecret?: string | undefined
    apiUrl?: string | undefined
  }
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
  const receiver = appToken ? undefined : createHttpReceiver({ bot, signingSecret, logger })
  const app = new App<ReceivedContext>({
    token: botToken,
    clientOptions: { ...clientOptions, retryConfig: INTERACTIVE_RETRIES },
    logger,
    convoStore: false,
    ...(receiver ? { receiver } : { socketMode: true, appToken: appToken ?? '' }),
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
  await resumeInstallation(bot, client).catch((err) => {
    if (isTokenRefused(err)) throw refusedToken('SLACK_BOT_TOKEN', err, 'OAuth & Permissions')
    if (isSlackFailure(err)) log.warn({ err }, "Slack didn't confirm that the app is installed")
    else log.error({ err }, 'Resuming the installation failed')
  })
  bot.scopes.refresh(client)
  const extensionChecks = await startExtensionChecks(bot)
  const server = await startHttpServer({ bot, host, port, receiveFromSlack: receiver?.requestListener })
  if (isServiceOnThisMachine) bot.uploads.current.baseUrl ??= server.url
  if (!receiver)
    await app.start().catch(async (err) => {
      await server.close()
      throw isTokenRefused(err) ? refusedToken('SLACK_APP_TOKEN', err, 'Basic Information') : err
    })
  const source = {
    client,
    botToken,
    origin: apiUrl ? new URL(apiUrl).origin : SLACK_FILES_ORIGIN,
    cleanPicture: createPictureCleaner(),
  }
  const pollers = [
    extensionChecks,
    startOutbox({ bot, client, forms }),
    startUploads({ bot, client, forms, source }),
    startHandOver(bot, schedulePost.verb),
    startMessageUpdates(bot, client),
    startNotifications({ bot, client, forms }),
    ...startDigests(bot, client),
    startCleanup(bot, client),
  ]
  return {
    url: server.url,
    async stop() {
      if (!receiver) await app.stop()
      await server.close()
      await Promise.all(pollers.map((poller) => poller.stop()))
    },
  }
}

const refusedToken = (name: string, error: unknown, page: string): Error =>
  new Error(`Slack refused ${name} (${slackErrorCode(error)}). Copy the token from "${page}" of the app.`)

function toBoltLogger(log: Logger): BoltLogger {
  const join = (messages: unknown[]) => messages.map(String).join(' ')
  return {
    debug() {},
    info() {},
    warn: (...messages) => log.warn({ source: 'bolt' }, join(messages)),
    error: (...messages) => log.error({ source: 'bolt' }, join(messages)),
    setLevel() {},
    getLevel: () => LogLevel.ERROR,
    setName() {},
  }
}
