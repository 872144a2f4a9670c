import { defaultProcessEventErrorHandler, SocketModeReceiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import type { ReadinessProblem } from '../../readiness.ts'
import type { Runtime } from '../../runtime.ts'
import { toBoltLogger } from './bolt-logger.ts'
import { BusyError } from './running-requests.ts'
import { isSlackInternalError, slackErrorCode } from './slack-errors.ts'

type SocketModeOptions = {
  appToken: string
  clientOptions: WebClientOptions
  log: Logger
  runtime: Pick<Runtime, 'now' | 'random' | 'sleep'>
}

/** Slack accepts a connection within seconds, or not at all. */
const CONNECT_TIMEOUT_MS = 30_000
const FIRST_BACKOFF_MS = 1000
const MAX_PAUSE_MS = 30_000

/**
 * Bolt's receiver for Socket Mode, which reconnects until it is stopped. On its own, the SDK gives up for good after the
 * first request that Slack doesn't answer.
 */
export function createSocketMode({ appToken, clientOptions, log, runtime }: SocketModeOptions) {
  const logger = toBoltLogger(log)
  const stopping = new AbortController()
  const { signal } = stopping
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    // The receiver reads the URL of the Slack API only from these options.
    installerOptions: {
      clientOptions: { ...clientOptions, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
    },
    // The SDK logs several messages for each failed attempt. Upnext logs one when an outage begins, and one when it ends.
    logger: { ...logger, warn() {}, error() {} },
    processEventErrorHandler: async (failed) =>
      failed.error instanceof BusyError ? false : defaultProcessEventErrorHandler({ ...failed, logger }),
  })
  const { client } = receiver
  let connection: { since: number; closed: Promise<void> } | undefined
  /** Why the last attempt failed. */
  let failure: string | undefined
  let socketError: unknown
  let markClosed = () => {}
  client.on('error', (error) => {
    socketError = error
  })
  client.on('disconnected', () => {
    connection = undefined
    markClosed()
  })

  /** Rejects if the connection fails or takes too long. */
  async function connect(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      markClosed = resolve
    })
    let isConnecting = true
    // Disconnecting makes `client.start()` fail. Otherwise it would wait forever for a server that is silent.
    void runtime.sleep(CONNECT_TIMEOUT_MS).then(() => {
      if (isConnecting) void client.disconnect()
    })
    try {
      await client.start()
    } catch (error) {
      // The SDK doesn't say why a connection ended.
      throw error ?? new Error('The connection ended before it was ready.', { cause: socketError })
    } finally {
      isConnecting = false
    }
    // `receiver.stop()` doesn't end a connection that is still being established.
    if (signal.aborted) return void client.disconnect()
    connection = { since: runtime.now().getTime(), closed }
    if (failure) log.info('Connected to Slack again')
    failure = undefined
  }

  /** Logs an outage once, and again if its reason changes. */
  function logOutage(err: unknown): void {
    const reason = isRejection(err)
      ? `Slack rejects the connection (${slackErrorCode(err)}). Check SLACK_APP_TOKEN.`
      : DISCONNECTED
    if (reason !== failure && !signal.aborted)
      log.error({ err, reason }, 'Failed to connect to Slack. Upnext keeps trying')
    failure = reason
  }

  async function keepConnected(): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      if (connection) {
        const { since, closed } = connection
        await closed
        // Slack replaces connections now and then. A pause is needed only if it keeps closing them shortly after they open.
        if (runtime.now().getTime() - since > MAX_PAUSE_MS) attempts = 0
      }
      if (attempts) await runtime.sleep(backoffMs(attempts, runtime.random), signal)
      if (signal.aborted) return
      await connect().catch(logOutage)
    }
  }

  return {
    receiver,
    /** Connects, or keeps trying in the background. Rejects if Slack rejects the token. */
    async start() {
      await connect().catch((error) => {
        if (isRejection(error)) throw error
        logOutage(error)
      })
      void keepConnected()
    },
    stop() {
      stopping.abort()
      return receiver.stop()
    },
    /** Returns the reason why no requests arrive from Slack, or undefined while the bot is connected. */
    findProblem: (): ReadinessProblem | undefined =>
      connection ? undefined : { reason: failure ?? DISCONNECTED },
  }
}

const DISCONNECTED = "Slack can't be reached right now."

/** Slack rejected this app or its token. The pattern is needed because the SDK may also report a proxy's page as a code. */
const isRejection = (error: unknown): boolean =>
  /^\w+$/.test(slackErrorCode(error) ?? '') && !isSlackInternalError(error)

const backoffMs = (attempts: number, random: () => number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1)) * (0.5 + random() / 2)
