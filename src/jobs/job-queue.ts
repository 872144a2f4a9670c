import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'
import { addMs, type Runtime } from '../runtime.ts'
import { failSpan, withTrace } from '../tracing/spans.ts'
import {
  claimJobs,
  endRun,
  type Job,
  type JobDb,
  listDueKinds,
  type NextRun,
  renewLeases,
  summarizeJobs,
} from './job-store.ts'
import { limitRunTime } from './limit-run-time.ts'
import { type Poller, startPoller } from './poller.ts'

export type JobHandler = {
  kind: string
  /** Completes the log line "Failed to …", as in "deliver a webhook". */
  name: string
  concurrency?: number
  /** The job doesn't end, so each of its runs has a trace of its own. */
  isRecurring?: boolean
  /** Returns the time when a failed job stops blocking later jobs with the same key. */
  blocksUntil?: (job: Job) => Date
  /** Returns the time of the next run, or nothing if the job is done. A failed job runs again after a growing pause. */
  run: (job: Job, stopSignal: AbortSignal) => Promise<NextRun | undefined>
}

type QueueOptions = {
  db: JobDb
  log: Logger
  metrics: Metrics
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>
  handlers: JobHandler[]
  intervalMs?: number
}

/** How often an instance looks for due jobs. */
export const JOB_INTERVAL_MS = 1000
/** After this time, other instances take over the jobs of a killed instance. */
const LEASE_MS = 20_000
const RENEWAL_INTERVAL_MS = 5000
const MAX_CONCURRENT_RUNS = 50

const RUN_OUTCOMES = ['done', 'again', 'failed'] as const

const FIRST_BACKOFF_MS = 5000
const MAX_PAUSE_MS = 15 * 60_000

/** Exponential backoff with jitter. */
export const backoffMs = (attempts: number, random: () => number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, attempts - 1)) * (0.75 + random() / 2)

/** Runs due jobs on every instance, several at a time. A lease keeps two instances from running the same job. */
export function startJobQueue({
  db,
  log,
  metrics,
  runtime,
  handlers,
  intervalMs = JOB_INTERVAL_MS,
}: QueueOptions): Poller {
  const runs = new Map<string, { job: Job; ended: Promise<void> }>()
  const stopping = new AbortController()
  const runsOf = (kind: string) => [...runs.values()].filter(({ job }) => job.kind === kind)

  const run = (handler: JobHandler, job: Job): Promise<void> => {
    const traceparent = (!handler.isRecurring && job.traceparent) || undefined
    const attributes = { 'upnext.job.attempts': job.attempts }
    return withTrace(`job ${job.kind}`, { kind: 'consumer', attributes, traceparent }, async () => {
      const { run: runJob, name, blocksUntil } = handler
      const { kind } = job
      let next: NextRun | undefined
      let failures = 0
      try {
        next = await limitRunTime(runJob(job, stopping.signal), runtime)
        metrics.jobRuns.inc({ kind, outcome: next ? 'again' : 'done' })
      } catch (err) {
        failSpan(err)
        metrics.jobRuns.inc({ kind, outcome: 'failed' })
        failures = job.failures + 1
        log.error({ err, job: job.id, failures }, `Failed to ${name}`)
        const due_at = addMs(runtime.now(), backoffMs(failures, runtime.random))
        next = { due_at, blocks_until: blocksUntil?.(job), problem: job.problem ?? undefined }
      }
      // If this fails, the lease ends, and the job runs again.
      await endRun(db, job, next, failures).catch((err) =>
        log.error({ err, kind, job: job.id }, 'Failed to record that a run has ended'),
      )
    })
  }

  /** Returns whether more jobs may be due. */
  async function startDueJobs(handler: JobHandler): Promise<boolean> {
    const { kind, concurrency = MAX_CONCURRENT_RUNS } = handler
    const active = runsOf(kind)
    const limit = concurrency - active.length
    if (limit <= 0) return false
    const claim = { kind, limit, leaseMs: LEASE_MS, except: active.map(({ job }) => job.id) }
    const jobs = await claimJobs(db, claim, runtime.now)
    for (const job of jobs) {
      const runId = `${kind} ${job.id}`
      const ended = run(handler, job).finally(() => {
        runs.delete(runId)
        // A job with the same key may have waited for this one.
        poller.wake()
      })
      runs.set(runId, { job, ended })
    }
    return jobs.length > 0
  }

  const kinds = handlers.map(({ kind }) => kind)
  // Prometheus counts the first event only if the series already existed with the value 0.
  for (const kind of kinds) for (const outcome of RUN_OUTCOMES) metrics.jobRuns.inc({ kind, outcome }, 0)
  metrics.collectors.push(async () => {
    const { jobsDue, jobsWaiting, jobLateness, jobFailures } = metrics
    // While the database can't be reached, the gauges have no values.
    for (const gauge of [jobsDue, jobsWaiting, jobLateness, jobFailures])
      for (const kind of kinds) gauge.remove({ kind })
    for (const { kind, due, waiting, lateness, failures } of await summarizeJobs(db, kinds, runtime.now())) {
      jobsDue.set({ kind }, due)
      jobsWaiting.set({ kind }, waiting)
      jobLateness.set({ kind }, lateness)
      jobFailures.set({ kind }, failures)
    }
  })
  const poller = startPoller({
    log,
    runtime,
    name: 'run jobs',
    intervalMs,
    async task() {
      const dueKinds = await listDueKinds(db, kinds, runtime.now())
      let hasMore = false
      for (const handler of handlers)
        if (dueKinds.includes(handler.kind)) hasMore = (await startDueJobs(handler)) || hasMore
      return hasMore
    },
  })
  /** Leases are renewed while jobs can still be claimed, and until the last run has ended. */
  const renewal = startPoller({
    log,
    runtime,
    name: 'renew leases',
    intervalMs: RENEWAL_INTERVAL_MS,
    async task() {
      const leases = [...runs.values()].flatMap(({ job }) => job.lease ?? [])
      if (leases.length) await renewLeases(db, leases, addMs(runtime.now(), LEASE_MS))
      return false
    },
  })
  return {
    ...poller,
    isStuck: () => poller.isStuck() || renewal.isStuck(),
    async stop() {
      stopping.abort()
      await poller.stop()
      await Promise.all([...runs.values()].map(({ ended }) => ended))
      await renewal.stop()
    },
  }
}
