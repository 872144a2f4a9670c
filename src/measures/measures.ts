import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** Edges in seconds. Slack waits three seconds, and people notice one. */
const DURATIONS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
/** Edges in seconds for what is due at a minute. */
const LATENESS = [1, 5, 15, 30, 60, 300, 1800, 3600, 10_800]

/** Sets gauges, because someone reads them now. */
export type Collector = () => void | Promise<void>

/**
 * What operators watch. The names follow OpenTelemetry's conventions. A label never has an id, or anything that people
 * enter, so that their number stays the same however much Upnext is used.
 */
export type Measures = ReturnType<typeof createMeasures>

export function createMeasures() {
  const collectors: Collector[] = []
  const registry = new Registry()
  const registers = [registry]
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = DURATIONS,
  ) => new Histogram({ name, help, labelNames, buckets, registers })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })

  gauge('target_info', 'The version that runs.', ['service_name', 'service_version']).set(
    { service_name: 'upnext', service_version: VERSION },
    1,
  )
  return {
    registry,
    /** Run before the measures are read. */
    collectors,
    gauge,
    ready: gauge('upnext_ready', 'Whether the bot or the service can work.', ['upnext_server']),
    httpRequests: histogram('http_server_request_duration_seconds', 'Requests to the service and the bot.', [
      'upnext_server',
      'http_request_method',
      'http_route',
      'http_response_status_code',
    ]),
    slackRequests: counter('upnext_slack_requests_total', 'Requests that arrived from Slack.', ['type']),
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
    slackCalls: histogram('upnext_slack_call_duration_seconds', 'Calls to Slack.', ['method', 'outcome']),
    serviceCalls: histogram('upnext_service_call_duration_seconds', 'Calls to the scheduling service.', [
      'http_request_method',
      'http_route',
      'outcome',
    ]),
    postLateness: gauge(
      'upnext_post_lateness_seconds',
      "How late the oldest post is that isn't being published yet.",
      [],
    ),
    jobsDue: gauge('upnext_jobs_due', 'Jobs that should run now.', ['kind']),
    jobsWaiting: gauge('upnext_jobs_waiting', 'Jobs whose time is still to come.', ['kind']),
    jobLateness: gauge('upnext_job_lateness_seconds', 'How late the oldest job is that should run now.', [
      'kind',
    ]),
    jobAttempts: gauge('upnext_job_attempts', 'The most attempts that a job has had.', ['kind']),
    jobRuns: counter('upnext_job_runs_total', 'Runs of jobs.', ['kind', 'outcome']),
    digestLateness: histogram('upnext_digest_lateness_seconds', 'How late digests appeared.', [], LATENESS),
    digestsSkipped: counter('upnext_digests_skipped_total', 'Digests that were too late to be posted.', []),
    publications: counter('upnext_publications_total', 'Attempts to publish a post on a platform.', [
      'platform',
      'outcome',
    ]),
    publicationLateness: histogram(
      'upnext_publication_lateness_seconds',
      'How late posts were published.',
      ['platform'],
      LATENESS,
    ),
  }
}
