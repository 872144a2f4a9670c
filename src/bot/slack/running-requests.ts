import type { App, ReceiverEvent } from '@slack/bolt'
import type { Logger } from 'pino'
import type { Metrics } from '../../metrics/metrics.ts'
import { REQUEST_TYPES, requestType } from './request-type.ts'

/** A busy process that works on more requests than this would answer all of them too late. */
export const MAX_RUNNING_REQUESTS = 100
/**
 * A process that works for more than this share of the time counts as busy. Otherwise, its requests mostly wait for Slack or
 * the service.
 */
const BUSY_SHARE = 0.9
const SAMPLE_INTERVAL_MS = 100

/** Thrown for a request whose response can't carry a message. Slack then asks the user to try again. */
export class BusyError extends Error {
  constructor() {
    super('Upnext is working on too many requests')
  }
}

const BUSY_TEXT = 'Upnext is very busy right now, so nothing was done. Try again in a minute.'

/** Keeps track of the requests from Slack that this instance is working on, and refuses more than it can handle in time. */
export function trackRunningRequests({ refusedRequests }: Metrics, log: Logger) {
  const running = new Set<Promise<void>>()
  const isProcessBusy = watchProcess()
  let runningCount = 0
  let isRefusing = false
  for (const type of REQUEST_TYPES) refusedRequests.inc({ type }, 0)

  async function refuse({ body, ack }: ReceiverEvent): Promise<void> {
    refusedRequests.inc({ type: requestType(body) })
    // Only the first refusal is logged until no request is running anymore.
    if (!isRefusing)
      log.warn({ running: runningCount }, 'Started to refuse requests, because too many are running')
    isRefusing = true
    const response = busyResponse(body)
    if (!response) throw new BusyError()
    await ack(response)
  }

  return {
    /** Call this before the receiver starts. */
    watch(app: Pick<App, 'processEvent'>): void {
      const processEvent = app.processEvent.bind(app)
      app.processEvent = async (event: ReceiverEvent) => {
        const isBusy = isProcessBusy()
        // Typing isn't counted, because its handler mostly waits for a pause.
        const isCounted = !isTyping(event.body)
        // Events aren't refused, because no user could try again, and Slack retries them only a few times.
        const isRefusable = isCounted && requestType(event.body) !== 'event_callback'
        if (isRefusable && runningCount >= MAX_RUNNING_REQUESTS && isBusy) return refuse(event)
        if (isCounted) runningCount++
        const run = processEvent(event)
        const ended = run
          .catch(() => {})
          .then(() => {
            running.delete(ended)
            if (isCounted) runningCount--
            if (!runningCount) isRefusing = false
          })
        running.add(ended)
        return run
      }
    },
    /** Resolves once all requests that have arrived are handled. */
    finish: async () => {
      await Promise.all(running)
    },
  }
}

/** Returns a function that says whether the process has recently been busy nearly all of the time. */
function watchProcess(): () => boolean {
  let sampledAt = performance.now()
  let sample = performance.eventLoopUtilization()
  let isBusy = false
  return () => {
    const now = performance.now()
    if (now - sampledAt < SAMPLE_INTERVAL_MS) return isBusy
    isBusy = performance.eventLoopUtilization(sample).utilization > BUSY_SHARE
    sample = performance.eventLoopUtilization()
    sampledAt = now
    return isBusy
  }
}

const isTyping = ({ actions }: { actions?: { type?: string }[] }): boolean =>
  actions?.[0]?.type === 'plain_text_input'

type View = { blocks?: { type?: string; block_id?: string }[] }

function busyResponse({ command, type, view }: { command?: string; type?: string; view?: View }) {
  if (command) return { response_type: 'ephemeral', text: BUSY_TEXT }
  if (type !== 'view_submission') return undefined
  const field = view?.blocks?.find((block) => block.type === 'input')?.block_id
  return field ? { response_action: 'errors', errors: { [field]: BUSY_TEXT } } : undefined
}
