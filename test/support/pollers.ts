import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { MAX_RUN_MS } from '../../src/jobs/limit-run-time.ts'
import type { Runtime } from '../../src/runtime.ts'

/** Of jobs, their leases, cleanup and extensions. */
const POLLER_COUNT = 4
const POLL_INTERVAL_MS = 100
/** The first poll may have begun before. */
const POLLS_TO_SETTLE = 2

type PollerControl = {
  /** The bot's runtime. Its pollers sleep for a shorter time than in production. */
  runtime: Runtime
  /** Lets every poller run now. */
  wake: () => void
  /** Ends the time that the current runs and jobs of all pollers have. */
  endRunTime: () => void
  /** Waits until the bot has nothing left to do at this point in time. */
  settled: (hasRunningJob: () => Promise<boolean>) => Promise<void>
}

/** Only the bot's pollers pass a signal when they sleep. */
export function controlPollers(runtime: Runtime): PollerControl {
  const polls = new Map<AbortSignal, number>()
  let waking = new AbortController()
  const runEnds = new Set<() => void>()
  let isHurrying = false

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (!signal) return runtime.sleep(ms)
    if (ms === MAX_RUN_MS) return waitForRunEnd(signal)
    polls.set(signal, (polls.get(signal) ?? 0) + 1)
    if (!isHurrying)
      await runtime.sleep(Math.min(ms, POLL_INTERVAL_MS), AbortSignal.any([signal, waking.signal]))
    else if (!signal.aborted) await setTimeout(5)
  }

  function waitForRunEnd(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        runEnds.delete(end)
        resolve()
      }
      runEnds.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  function wake(): void {
    waking.abort()
    waking = new AbortController()
  }

  async function waitForPolls(count: number): Promise<void> {
    const before = new Map(polls)
    const hasPolled = (signal: AbortSignal) => (polls.get(signal) ?? 0) - (before.get(signal) ?? 0) >= count
    isHurrying = true
    wake()
    while ([...polls.keys()].filter(hasPolled).length < POLLER_COUNT) await setTimeout(5)
    isHurrying = false
  }

  return {
    runtime: { ...runtime, sleep },
    wake,
    endRunTime() {
      for (const end of runEnds) end()
    },
    async settled(hasRunningJob) {
      let wasRunning = true
      let quietSince: number | undefined
      for (;;) {
        const before = requests.started
        while (hasRequestInFlight()) await setTimeout(5)
        await waitForPolls(POLLS_TO_SETTLE)
        const isRunning = await hasRunningJob()
        const isQuiet = requests.started === before && !hasRequestInFlight()
        if (isQuiet) quietSince ??= performance.now()
        else quietSince = undefined
        // A job that has just ended may have added another.
        if (isQuiet && !wasRunning && !isRunning) return
        if (quietSince && performance.now() - quietSince > MAX_JOB_WAIT_MS) return
        wasRunning = isRunning || !isQuiet
      }
    },
  }
}

/** A job may wait for the database before its first request. Some tests have a job that never ends. */
const MAX_JOB_WAIT_MS = 4000

type ClientRequest = { upgrade?: unknown; getHeader?: (name: string) => unknown }

/** The HTTP requests of this process, which include all calls of the bot to Slack and to the service. */
const requests = { started: 0, inFlight: new Map<ClientRequest, number>() }

/** Node doesn't announce the end of every request that is aborted, so an old one counts as ended. */
const MAX_REQUEST_MS = 4000

const hasRequestInFlight = () =>
  [...requests.inFlight.values()].some((startedAt) => performance.now() - startedAt < MAX_REQUEST_MS)

for (const start of ['undici:request:create', 'http.client.request.start'])
  subscribe(start, (message) => {
    const { request } = message as { request: ClientRequest }
    // WebSocket connections don't end. In node:http, only a header shows them.
    if (request.upgrade || request.getHeader?.('upgrade')) return
    requests.started += 1
    requests.inFlight.set(request, performance.now())
  })
for (const end of ['undici:request:trailers', 'undici:request:error', 'http.client.request.error'])
  subscribe(end, (message) => {
    requests.inFlight.delete((message as { request: ClientRequest }).request)
  })
// Despite the event's name, the body is still to come.
subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
  response.once('close', () => requests.inFlight.delete(request))
})
