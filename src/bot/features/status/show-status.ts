import { summarizeJobs } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { VERSION } from '../../../version.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { explainFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { escapeText, section } from '../../slack/message-blocks.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import { listInstances, listUnsentItems } from './status-store.ts'

/** Work that became due less than this long ago is in progress rather than late. */
const MIN_LATENESS_SECONDS = 10

export const showStatus: Feature = {
  verb: 'status',
  help: 'See whether Upnext is working: its version and instances, and what is late, failing or waiting. For owners and admins.',
  access: ADMIN_ACCESS,
  async run(request) {
    const { bot, actor, modules } = request
    const labels: Record<string, string> = Object.assign({}, ...modules.map(({ jobLabels }) => jobLabels))
    const [instances, service, jobs, items] = await Promise.all([
      listInstances(bot.db),
      bot.api.projects.list({ deadline: addMs(bot.runtime.now(), 3000) }),
      summarizeJobs(bot.db, Object.keys(labels), bot.runtime.now()),
      listUnsentItems(bot.db, actor.team_id),
    ])
    const late = jobs.filter(({ lateness }) => lateness > MIN_LATENESS_SECONDS)
    const lateLines = late.map(
      ({ kind, due, lateness }) => `• ${labels[kind]}: ${due}, the oldest ${formatLateness(lateness)} late`,
    )
    const failing = jobs
      .filter((job) => job.failing)
      .map(({ kind, failing, failures }) => `• ${labels[kind]}: ${failing}, ${formatFailures(failures)}`)
    const sections = [
      `*Upnext ${VERSION}*, ${instances.length === 1 ? 'one instance' : `${instances.length} instances`}${instances.map((name) => `\n• ${escapeText(name.replace(/^upnext /, ''))}`).join('')}`,
      service.kind === 'ok'
        ? ':white_check_mark: The scheduling service is responding.'
        : `:warning: ${escapeText(explainFailure(service, 'admin', { isReadOnly: true }).problem)}`,
      lateLines.length ? `*Late*\n${lateLines.join('\n')}` : ':white_check_mark: Nothing is late.',
      ...(failing.length
        ? [`*Failing and being retried* (the log has the errors)\n${failing.join('\n')}`]
        : []),
      ...describeUnsent(items, request),
    ]
    await request.reply({ text: `Upnext ${VERSION}`, blocks: sections.map((text) => section(text)) })
  },
}

/** How many submissions the service hasn't confirmed yet, by cause. */
function describeUnsent(items: OutboxItem[], { profile }: Request): string[] {
  const causes = new Map<string, number>()
  for (const { failure, needs_answer } of items) {
    const cause = needs_answer
      ? 'Waiting for the author to say whether it arrived.'
      : failure && failure.kind !== 'unsendable'
        ? explainFailure(failure, profile.role).problem
        : 'On the way to the service.'
    causes.set(cause, (causes.get(cause) ?? 0) + 1)
  }
  const lines = [...causes].map(([cause, count]) => `• ${count}: ${escapeText(cause)}`)
  return lines.length ? [`*Submissions not confirmed by the service*\n${lines.join('\n')}`] : []
}

const formatFailures = (failures: number): string =>
  failures === 1 ? 'failed once' : `failed up to ${failures} times in a row`

/** "40 seconds", "3 minutes", "2 hours" */
function formatLateness(seconds: number): string {
  const [amount, unit] =
    seconds < 100 ? [seconds, 'second'] : seconds < 6000 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const rounded = Math.round(amount)
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`
}
