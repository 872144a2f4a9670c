import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** Bucket limits in seconds. Slack gives up after three, and people notice a delay of one. */
const DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
/** Upper bounds in seconds, for digests and posts. Their due times are whole minutes. */
const LATENESS_BUCKETS = [1, 5, 15, 30, 60, 300, 1800, 3600, 10_800]

/** Updates gauges when Prometheus reads them. */
export type Collector = () => void | Promise<void>

/**
 * For operators. The names follow OpenTelemetry's conventions. Labels contain no ids and nothing that people enter, so the
 * number of series doesn't grow with use.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const collectors: Collector[] = []
  const registry = new Registry()
  const registers = [registry]
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = DURATION_BUCKETS,
  ) => new Histogram({ name, help, labelNames, buckets, registers })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })

  gauge('target_info', 'The running version.', ['service_name', 'service_version']).set(
    { service_name: 'upnext', service_version: VERSION },
    1,
  )
  return {
    registry,
    /** Run before the metrics are read. */
    collectors,
    gauge,
    ready: gauge('upnext_ready', 'Whether the bot or the service is ready.', ['upnext_server']),
    httpRequests: histogram(
      'http_server_request_duration_seconds',
      'Duration of requests to the service and the bot.',
      ['upnext_server', 'http_request_method', 'http_route', 'http_response_status_code'],
    ),
    slackRequests: counter('upnext_slack_requests_total', 'Requests that arrived from Slack.', ['type']),
    refusedRequests: counter(
      'upnext_slack_requests_refused_total',
      'Requests from Slack that were refused because too many were running.',
      ['type'],
    ),
    acknowledgments: histogram(
      'upnext_slack_acknowledgment_duration_seconds',
      'Time until a request from Slack was acknowledged.',
      ['type'],
    ),
    openedForms: histogram(
      'upnext_slack_form_open_duration_seconds',
      'Time from a request until Slack had opened a form.',
      [],
    ),
    slackCalls: histogram('upnext_slack_call_duration_seconds', 'Duration of calls to Slack.', [
      'method',
      'outcome',
    ]),
    serviceCalls: histogram(
      'upnext_service_call_duration_seconds',
      'Duration of calls to the scheduling service.',
      ['http_request_method', 'http_route', 'outcome'],
    ),
    postLateness: gauge(
      'upnext_post_lateness_seconds',
      'Seconds by which the oldest unpublished post is overdue.',
      [],
    ),
    jobsDue: gauge('upnext_jobs_due', 'Jobs that should run now.', ['kind']),
    jobsWaiting: gauge('upnext_jobs_waiting', 'Jobs that are due later.', ['kind']),
    jobLateness: gauge('upnext_job_lateness_seconds', 'Seconds since the oldest overdue job was due.', [
      'kind',
    ]),
    jobFailures: gauge('upnext_job_failures', 'Largest number of consecutive failures of a job.', ['kind']),
    jobRuns: counter('upnext_job_runs_total', 'Runs of jobs.', ['kind', 'outcome']),
    digestLateness: histogram(
      'upnext_digest_lateness_seconds',
      'How late digests appeared.',
      [],
      LATENESS_BUCKETS,
    ),
    digestsSkipped: counter('upnext_digests_skipped_total', 'Digests that were too late to be posted.', []),
    publications: counter('upnext_publications_total', 'Attempts to publish a post on a platform.', [
      'platform',
      'outcome',
    ]),
    publicationLateness: histogram(
      'upnext_publication_lateness_seconds',
      'How late posts were published.',
      ['platform'],
      LATENESS_BUCKETS,
    ),
  }
}
