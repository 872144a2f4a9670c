import type { Metrics } from '../metrics/metrics.ts'
import { type JobDb, summarizeJobs } from './job-store.ts'

const RUN_OUTCOMES = ['done', 'again', 'failed'] as const

/** Measures the jobs of these kinds. While the database can't be reached, the gauges have no values. */
export function measureJobs(
  { collectors, jobsDue, jobsWaiting, jobLateness, jobFailures, jobRuns }: Metrics,
  { db, kinds, now }: { db: JobDb; kinds: string[]; now: () => Date },
): void {
  // Prometheus counts the first event only if the series already existed with the value 0.
  for (const kind of kinds) for (const outcome of RUN_OUTCOMES) jobRuns.inc({ kind, outcome }, 0)
  const gauges = [jobsDue, jobsWaiting, jobLateness, jobFailures]
  collectors.push(async () => {
    for (const gauge of gauges) for (const kind of kinds) gauge.remove({ kind })
    for (const { kind, due, waiting, lateness, failures } of await summarizeJobs(db, kinds, now())) {
      jobsDue.set({ kind }, due)
      jobsWaiting.set({ kind }, waiting)
      jobLateness.set({ kind }, lateness)
      jobFailures.set({ kind }, failures)
    }
  })
}
