import type { PlatformResult } from '../../../api/field-readers.ts'
import type { Account, Post } from '../../../api/records.ts'
import { postTime } from '../../../api/timestamps.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import type { Bot } from '../../slack/bot.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { OVERDUE_REPORT_DELAY_MS } from '../posts/display/overdue.ts'
import { formatSchedule, postLine } from '../posts/display/post-blocks.ts'
import {
  accountLabel,
  connectedResults,
  describeResults,
  isPublishing,
  problemResults,
  publishingSince,
  unconnectedResults,
} from '../posts/display/post-results.ts'
import type { CheckedProject } from '../posts/messages/queue-project-check.ts'
import type { Problem } from './tables.ts'

export type FoundProblem = Problem & { post?: Post }

export type Findings = {
  problems: FoundProblem[]
  /** The ids of all accounts that need attention, including those named in alerts about posts. */
  brokenAccounts: string[]
  /** The posts that were published on all of their platforms, except those without an account. */
  published: FoundProblem[]
  /** When the current attempt to publish each post began or should have begun, by the post's id. */
  publishing: Map<string, Date>
  /** The due time of the earliest post that is still being published. */
  publishingDueSince: Date | undefined
  /** Posts that were due before `since` weren't looked at, except for those in `earlier_ids`. */
  since: Date
  earlier_ids: string[]
  /** Whether all posts that were due after `since` were looked at. */
  isComplete: boolean
}

const MAX_PAGES = 5

/**
 * Looks for problems with the posts that were due after `since`, with those of earlier alerts, and with the project's
 * accounts. Returns undefined if the service fails.
 */
export async function findProblems(
  bot: Bot,
  { project_id }: CheckedProject,
  { earlier_ids, since }: { earlier_ids: string[]; since: Date },
): Promise<Findings | undefined> {
  // A service whose extensions aren't known yet may have accounts.
  if (!bot.extensions.areKnown) return undefined
  const now = bot.runtime.now()
  const range = { schedule_date_from: since.toISOString(), schedule_date_to: now.toISOString() }
  const listed = await bot.api.posts.listAll(project_id, range, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return undefined
  const { hasMore } = listed.data
  // Not every service filters its lists.
  const recent = listed.data.items.filter((post) => +(postTime(post) ?? 0) >= since.getTime())
  const missing_ids = earlier_ids.filter((id) => !recent.some(({ Id }) => Id === id))
  const earlier = await loadEarlierPosts(bot, project_id, missing_ids)
  if (!earlier) return undefined
  const items = [...recent, ...earlier.posts]
  const due = items.filter((post) => post.Status === 'SCHEDULED' && +(postTime(post) ?? now) <= +now)
  // A post that is due but that the service hasn't begun to publish counts as unsettled, like one being published.
  const unsettled = due.length && (await reportsPublishing(bot, project_id, items)) ? due : []
  const overdue = unsettled.filter((post) => isOverdue(post, now))
  const accounts = bot.extensions.current.hasAccounts
    ? await bot.api.accounts.list(project_id)
    : { kind: 'ok' as const, data: { items: [] } }
  if (accounts.kind !== 'ok') return undefined
  const accountsWithProblems = accounts.data.items.filter(({ State }) => State === 'NEEDS_ATTENTION')
  const explainedPlatforms = items
    .flatMap(connectedResults)
    .flatMap(({ Platform, State }) => (['FAILED', 'PUBLISHING'].includes(State) ? [Platform] : []))
  const publishing = [...unsettled, ...items.filter(isPublishing)]
  const dueTimes = publishing.flatMap((post) => postTime(post) ?? []).sort((a, b) => +a - +b)
  return {
    problems: [
      ...items.flatMap((post) => publishingProblems(post, accounts.data.items, now)),
      ...overdue.map((post) => postProblem(post, now, explainOverdue(post))),
      // An alert about a failed post already names its account's problem.
      ...accountsWithProblems
        .filter(({ Platform = '' }) => !explainedPlatforms.includes(Platform))
        .map(accountProblem),
    ],
    brokenAccounts: accountsWithProblems.flatMap(({ Id }) => Id ?? []),
    published: items.flatMap((post) => publishedNotices(post, now)),
    publishing: new Map(
      publishing.flatMap((post) =>
        post.Id ? [[post.Id, publishingSince(post) ?? postTime(post)?.toJSDate() ?? now]] : [],
      ),
    ),
    publishingDueSince: dueTimes[0]?.toJSDate(),
    since,
    earlier_ids: earlier.ids,
    isComplete: !hasMore,
  }
}

/** The platform's error says what a post is waiting for: "Telegram (Acme): Too Many Requests: retry after 2400". */
function explainOverdue(post: Post): ProblemDetails {
  const waiting = connectedResults(post).flatMap(({ Platform, Account, State, Error: error }) =>
    State === 'PUBLISHING' && error ? [`${accountLabel(Platform, Account)}: ${error}`] : [],
  )
  const subject = 'Not published yet, although the time has passed'
  return { cause: 'overdue', subject, advice: waiting.join('; ') || undefined }
}

const MAX_EARLIER_POSTS = 20

/** The posts of earlier alerts, which may have been fixed or tried again since. */
async function loadEarlierPosts(
  { api, extensions }: Bot,
  project_id: string,
  post_ids: string[],
): Promise<{ posts: Post[]; ids: string[] } | undefined> {
  if (!extensions.current.hasAccounts) return { posts: [], ids: [] }
  const ids = post_ids.slice(0, MAX_EARLIER_POSTS)
  const results = await Promise.all(ids.map((id) => api.posts.get(project_id, id)))
  if (results.some(({ kind }) => kind !== 'ok' && kind !== 'not-found')) return undefined
  return { posts: results.flatMap((result) => (result.kind === 'ok' ? [result.data.post] : [])), ids }
}

const isOverdue = (post: Post, now: Date): boolean =>
  +(publishingSince(post) ?? postTime(post) ?? now) < now.getTime() - OVERDUE_REPORT_DELAY_MS

/** Some services never say that a post is published. Their posts aren't overdue. */
async function reportsPublishing(
  { api, extensions }: Bot,
  project_id: string,
  items: Post[],
): Promise<boolean> {
  const isPublished = ({ Status }: Post) => Status === 'PUBLISHED'
  if (extensions.current.hasAccounts || items.some(isPublished)) return true
  const published = await api.posts.list(project_id, { status: ['PUBLISHED'], limit: 1 })
  return published.kind === 'ok' && published.data.items.some(isPublished)
}

function publishingProblems(post: Post, accounts: Account[], now: Date) {
  const adviceFor = (platform: string) =>
    accounts.find(({ Platform, State }) => Platform === platform && State === 'NEEDS_ATTENTION')?.Problem
  const problems = problemResults(post).map((result) => {
    const { Platform, Account, State, Error: error = 'no reason given' } = result
    const hasFailed = State === 'FAILED'
    return postProblem(post, now, {
      cause: attemptOf(result),
      subject: `${hasFailed ? 'Not published' : 'May already be out'} on ${accountLabel(Platform, Account)}: ${error}`,
      ...(hasFailed ? { advice: adviceFor(Platform), can_retry: true } : { advice: CHECK_PLATFORM_ADVICE }),
    })
  })
  if (!isPublishing(post))
    for (const result of unconnectedResults(post).filter((one) => hadAccount(one, accounts))) {
      const subject = `Not published on ${platformName(result.Platform)}: no account was connected`
      problems.push(postProblem(post, now, { cause: attemptOf(result), subject, can_retry: true }))
    }
  if (problems.length || post.Status !== 'FAILED') return problems
  return [
    postProblem(post, now, { cause: 'failed', subject: 'Not published: the service reports a failure' }),
  ]
}

const CHECK_PLATFORM_ADVICE = "Check on the platform whether it's out, then use `/upnext retry`."

/** If a platform had no account at the time of the attempt, the service wasn't meant to publish on it. */
const hadAccount = ({ Platform, At }: PlatformResult, accounts: Account[]): boolean =>
  accounts.some(
    (account) =>
      account.Platform === Platform &&
      (!At || !account.CreatedAt || new Date(account.CreatedAt) <= new Date(At)),
  )

const attemptOf = ({ Platform, At, State }: PlatformResult): string =>
  `${Platform} ${At}${State === 'NOT_CONNECTED' ? NOT_CONNECTED : ''}`
const NOT_CONNECTED = ' not connected'
export const isUnconnected = ({ key }: Problem): boolean => key.endsWith(NOT_CONNECTED)
const keyOf = (post_id: string | undefined, cause: string): string => `${post_id} ${cause}`

/** Identifies a failed attempt. If the post fails again, that is another problem. */
export const failureKey = (post_id: string, result: PlatformResult): string =>
  keyOf(post_id, attemptOf(result))

function publishedNotices(post: Post, now: Date): FoundProblem[] {
  const results = connectedResults(post)
  const published_at = results
    .flatMap(({ At = '' }) => At)
    .sort()
    .at(-1)
  if (!published_at || !results.every(({ State }) => State === 'PUBLISHED')) return []
  const cause = { cause: 'published', subject: 'Published', platforms: describeResults(post) }
  return [{ ...postProblem(post, now, cause), published_at }]
}

type ProblemDetails = {
  cause: string
  subject: string
  advice?: string | undefined
  can_retry?: boolean
  /** The results on the platforms. The line shows them in place of the names of the platforms. */
  platforms?: string
}

function postProblem(
  post: Post,
  now: Date,
  { cause, subject, advice, can_retry, platforms }: ProblemDetails,
) {
  const due_at = postTime(post)?.toJSDate().toISOString()
  return {
    key: keyOf(post.Id, cause),
    subject,
    line: `• ${formatSchedule(post, { zone: 'UTC', now, isChannel: true })} · ${postLine(post, platforms)}`,
    ...(advice && { advice }),
    ...(can_retry && { can_retry }),
    ...(post.Id && { post_id: post.Id }),
    ...(due_at && { due_at }),
    post,
  }
}

function accountProblem({ Id, Platform = '', Name, Problem: problem }: Account): Problem {
  const subject = `${accountLabel(Platform, Name)} needs attention: ${problem ?? 'no reason given'}`
  return {
    key: `account ${Id} ${problem}`,
    subject,
    line: escapeText(subject),
    ...(Id && { account_id: Id }),
  }
}
