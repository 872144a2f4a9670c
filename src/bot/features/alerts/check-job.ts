import type { JobHandler } from '../../../jobs/job-queue.ts'
import { isPlatform } from '../../../platforms/platform-names.ts'
import { addMs } from '../../../runtime.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import { isChannelId } from '../../slack/actor.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { isSharedChannel } from '../../slack/is-shared-channel.ts'
import type { Reply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import {
  hasSlackErrorCode,
  isAccessLost,
  LOST_MESSAGE_CODES,
  slackErrorCode,
} from '../../slack/slack-errors.ts'
import { findFollower, queueMessageUpdates } from '../posts/messages/post-message-store.ts'
import {
  type CheckedProject,
  PROJECT_CHECK,
  type ProjectCheck,
} from '../posts/messages/queue-project-check.ts'
import { type AlertChannel, insertAlert, listAlertChannels, listAlerts, updateAlert } from './alert-store.ts'
import { endAlerts } from './end-alerts.ts'
import { type Findings, findProblems } from './find-problems.ts'
import { groupByRecipient } from './group-by-recipient.ts'
import { renderAlert, renderClosedAlert } from './render-alert.ts'
import type { Alert, Problem } from './tables.ts'

const INTERVAL_MS = 5 * 60_000
/** Used after an alert couldn't be posted, and in the first minutes after a post is retried. */
const RETRY_INTERVAL_MS = 10_000

/** Shorter than the time for which alerts are kept, so that no problem is reported twice. */
const MAX_LOOKBACK_MS = 6 * DAY_MS

/** For a day after sending a post, the service asks the network whether it is out. */
const MAX_WAIT_FOR_RESULT_MS = DAY_MS + 60 * 60_000

/**
 * Looks for problems in a project every five minutes, as long as a channel gets alerts, an alert is open, or a direct
 * message shows a post that may still change.
 */
export const projectCheckHandler = (context: WorkerContext): JobHandler => ({
  kind: PROJECT_CHECK,
  isRecurring: true,
  name: 'look for problems in a project',
  async run(job) {
    const { bot } = context
    const { db, runtime } = bot
    const project = job.data as ProjectCheck
    const channels = await listAlertChannels(db, project)
    const alerts = await listAlerts(db, project)
    // The posts of open alerts come first, because only a limited number of posts is read.
    const alertedIds = [...alerts.filter(({ is_open }) => is_open), ...alerts].flatMap(({ problems }) =>
      problems.flatMap(({ post_id }) => post_id ?? []),
    )
    const startedAt = runtime.now()
    // After an outage, every post that was due during it is checked until it has been published or has failed.
    const dueSince = new Date(job.problem ?? job.due_at)
    const oldest = addMs(startedAt, -MAX_LOOKBACK_MS)
    const since = new Date(Math.max(+oldest, +addMs(dueSince < startedAt ? dueSince : startedAt, -DAY_MS)))
    // A post that was retried may have been due long before its check.
    const retriedIds = project.post_id !== undefined && dueSince > oldest ? [project.post_id] : []
    const earlier_ids = [...new Set([...retriedIds, ...alertedIds])]
    const findings = await findProblems(bot, project, { earlier_ids, since })
    const isDone = !findings || (await updateAlerts(context, { project, channels, alerts, findings }))
    // The due time of the earliest post that wasn't checked or is still being published.
    const uncheckedSince = findings ? findings.publishingDueSince : dueSince
    const problem = uncheckedSince?.toISOString()
    if (project.post_id !== undefined) {
      const isSettled = findings && isDone && !findings.publishing.has(project.post_id)
      const isOver = isSettled || addMs(dueSince, MAX_WAIT_FOR_RESULT_MS) < startedAt
      return isOver ? undefined : { due_at: addMs(startedAt, INTERVAL_MS), problem: dueSince.toISOString() }
    }
    const open = (await listAlerts(db, project)).filter(({ is_open }) => is_open)
    const isWatched =
      channels.length > 0 ||
      open.length > 0 ||
      (await findFollower(db, { team_id: project.team_id, project_id: project.project_id })) !== undefined
    if (!isWatched) return undefined
    const now = runtime.now()
    const isRetried = open.some(({ problems }) =>
      problems.some(({ post_id = '' }) => {
        const publishingSince = findings?.publishing.get(post_id)
        return publishingSince && now < addMs(publishingSince, INTERVAL_MS)
      }),
    )
    return { due_at: addMs(now, isRetried || !isDone ? RETRY_INTERVAL_MS : INTERVAL_MS), problem }
  },
})

type Check = {
  project: CheckedProject
  channels: AlertChannel[]
  /** The alerts as they were before the search. If one is deleted later, its problems must not be posted again. */
  alerts: Alert[]
  findings: Findings
}

/** Returns false if an alert needs a retry. */
async function updateAlerts(context: WorkerContext, check: Check): Promise<boolean> {
  const { bot } = context
  const { alerts, findings } = check
  let isDone = true
  for (const [recipient, problems] of await groupByRecipient(context, check)) {
    const ownAlerts = alerts.filter((alert) => alert.recipient === recipient)
    for (const group of groupBySubject(problems.filter((problem) => !isKnown(ownAlerts, problem)))) {
      const isCurrent = ({ changed_at, is_open }: Alert) =>
        is_open && addMs(changed_at, MAX_CONTINUED_AGE_MS) > bot.runtime.now()
      const open = ownAlerts.find((alert) => isCurrent(alert) && isContinuationOf(group, alert))
      const show = open
        ? () => continueAlert(context, open, group, findings)
        : () => showAlert(context, alert, findings)
      const alert = open ?? (await createAlert(context, check, recipient, group))
      isDone = (await tryToPost(context, alert, show)) && isDone
    }
  }
  for (const alert of alerts.filter(({ is_open }) => !is_open))
    await forgetMendedAccounts(context, alert, findings)
  // A channel's alerts may have been turned off before this one could be posted.
  const isWanted = ({ ts, recipient }: Alert) =>
    ts !== null ||
    !isChannelId(recipient) ||
    check.channels.some(({ channel_id }) => channel_id === recipient)
  for (const alert of alerts.filter((alert) => alert.is_open && isWanted(alert)))
    isDone = (await tryToPost(context, alert, () => refreshAlert(context, alert, findings))) && isDone
  return isDone
}

/** If an account breaks again for the same reason after its alert was closed, a new alert is posted. */
async function forgetMendedAccounts(
  { bot: { db } }: WorkerContext,
  { id, problems }: Alert,
  { brokenAccounts }: Pick<Findings, 'brokenAccounts'>,
): Promise<void> {
  const kept = problems.filter(
    ({ account_id }) => account_id === undefined || brokenAccounts.includes(account_id),
  )
  if (kept.length < problems.length) await updateAlert(db, id, { problems: kept })
}

/** An account has only one open alert, even if the reason for its problem changes. */
const isKnown = (alerts: Alert[], { key, account_id }: Problem): boolean =>
  alerts.some(({ problems, is_open }) =>
    problems.some(
      (known) =>
        known.key === key || (is_open && account_id !== undefined && known.account_id === account_id),
    ),
  )

async function createAlert(
  { bot }: WorkerContext,
  { project: { team_id, project_id, project_name: stored } }: Check,
  recipient: string,
  problems: Problem[],
): Promise<Alert> {
  const initialState = { is_open: true, channel_id: null, ts: null, changed_at: bot.runtime.now() }
  const id = bot.runtime.newId()
  const project_name = await bot.projectList.nameOf(project_id, stored)
  const alert = { id, team_id, project_id, project_name, recipient, problems, ...initialState }
  await insertAlert(bot.db, alert)
  return alert
}

/** Slack's codes for a message, a conversation or a person that can't be reached anymore. */
const UNREACHABLE_CODES = [...LOST_MESSAGE_CODES, 'not_in_channel', 'user_not_found', 'user_disabled']
const isChannelLost = hasSlackErrorCode(['channel_not_found', 'is_archived', 'not_in_channel'])

/** An alert that can't be posted must not keep the others from being posted. Returns false if it needs a retry. */
async function tryToPost(
  context: WorkerContext,
  alert: Alert,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const { db, log } = context.bot
  const { id, recipient } = alert
  try {
    await work()
    return true
  } catch (err) {
    log.warn({ err, recipient }, 'Failed to post an alert')
    // Without access to the workspace, no retry helps. Once the app is installed again, a check posts the alert.
    if (isAccessLost(err)) return true
    const code = slackErrorCode(err) ?? ''
    if (!UNREACHABLE_CODES.includes(code)) return false
    if (isChannelId(recipient) && isChannelLost(err) && !(await endAlerts(context, alert, code))) return false
    await updateAlert(db, id, { is_open: false })
    return true
  }
}

/** No problems are added this long after the last one, because nobody would notice that the message changed. */
const MAX_CONTINUED_AGE_MS = 4 * 60 * 60_000

type ProblemGroup = [Problem, ...Problem[]]

/**
 * Whether the problems can be added to an alert: they have the same subject, but are about other posts. A post that
 * failed again gets a new alert. Posts that are published later get a new message.
 */
const isContinuationOf = ([first, ...others]: ProblemGroup, { problems }: Alert): boolean =>
  problems[0]?.subject === first.subject &&
  first.published_at === undefined &&
  [first, ...others].every(({ post_id }) => post_id && !problems.some((known) => known.post_id === post_id))

function groupBySubject(problems: Problem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>()
  for (const problem of problems) {
    const group = groups.get(problem.subject)
    if (group) group.push(problem)
    else groups.set(problem.subject, [problem])
  }
  return [...groups.values()]
}

async function showAlert({ bot, client }: WorkerContext, alert: Alert, findings: Findings): Promise<void> {
  const { recipient, problems } = alert
  const [first, ...others] = problems
  const current = [...findings.problems, ...findings.published].find(({ key }) => key === first?.key)
  const isShared = isChannelId(recipient) && (await isSharedChannel(bot, client, recipient))
  const post = others.length ? undefined : current?.post
  const reply = renderAlert(alert, { bot, post, isShared })
  await sendAlert({ bot, client }, alert, reply).catch((err) => {
    if (!isMessageLost(err)) throw err
    // Someone deleted the message, but its alert may have a new problem.
    return sendAlert({ bot, client }, { ...alert, channel_id: null, ts: null }, reply)
  })
}

const isMessageLost = hasSlackErrorCode(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/** Adds problems to an alert. If they can't be shown, they are found again by the next check. */
async function continueAlert(
  context: WorkerContext,
  alert: Alert,
  group: Problem[],
  findings: Findings,
): Promise<void> {
  const { db, runtime } = context.bot
  const isOver = (problem: Problem) => findings.isComplete && !mayBeCurrent(problem, findings)
  const problems = [...alert.problems.filter((problem) => !isOver(problem)), ...group]
  await showAlert(context, { ...alert, problems }, findings)
  const earlier = alert.problems
  alert.problems = problems
  await updateAlert(db, alert.id, { problems, changed_at: runtime.now() })
  await updatePostMessages(context, alert, earlier.filter(isOver))
}

async function sendAlert(
  { bot, client }: Pick<WorkerContext, 'bot' | 'client'>,
  { id, recipient, channel_id, ts }: Alert,
  reply: Reply,
): Promise<void> {
  const place = await postOrUpdate(client, recipient, { channel: channel_id, ts }, reply)
  if (place.ts !== ts) await updateAlert(bot.db, id, { channel_id: place.channel, ts: place.ts })
}

/** Posts an alert that couldn't be posted before, or shows in its message that nothing is wrong anymore. */
async function refreshAlert(context: WorkerContext, alert: Alert, findings: Findings): Promise<void> {
  const { bot, client } = context
  if (!alert.ts) return showAlert(context, alert, findings)
  if (alert.problems[0]?.published_at !== undefined) {
    await updateAlert(bot.db, alert.id, { is_open: false })
    return
  }
  if (!findings.isComplete || alert.problems.some((problem) => mayBeCurrent(problem, findings))) return
  const hasFailedAgain = findings.problems.some((found) =>
    alert.problems.some((problem) => isLaterFailure(found, problem)),
  )
  const isShared = isChannelId(alert.recipient) && (await isSharedChannel(bot, client, alert.recipient))
  await sendAlert(context, alert, renderClosedAlert(alert, { isShared, hasFailedAgain }))
  await updateAlert(bot.db, alert.id, { is_open: false })
  await forgetMendedAccounts(context, alert, findings)
  await updatePostMessages(context, alert, alert.problems)
}

/** The messages about these posts may still show the problems. */
async function updatePostMessages(
  { bot: { db, runtime } }: WorkerContext,
  { team_id, project_id }: Alert,
  problems: Problem[],
): Promise<void> {
  const post_ids = new Set(problems.flatMap(({ post_id }) => post_id ?? []))
  await db.transaction().execute(async (transaction) => {
    for (const post_id of post_ids)
      await queueMessageUpdates(transaction, { team_id, project_id, post_id }, runtime.now())
  })
}

/** Whether a problem was found again, or the outcome of its post isn't known yet. */
const mayBeCurrent = ({ key, post_id = '', account_id = '', due_at }: Problem, findings: Findings): boolean =>
  findings.problems.some((found) => found.key === key) ||
  findings.brokenAccounts.includes(account_id) ||
  findings.publishing.has(post_id) ||
  (due_at !== undefined && new Date(due_at) < findings.since && !findings.earlier_ids.includes(post_id))

/** Whether the same post failed again. A failure on another platform doesn't count, because it is another problem. */
function isLaterFailure(found: Problem, { post_id, key }: Problem): boolean {
  const platformOf = (problem: string) => problem.split(' ').find(isPlatform)
  const platform = platformOf(key)
  return (
    post_id !== undefined && found.post_id === post_id && (!platform || platformOf(found.key) === platform)
  )
}
