import type { Account, Post } from '../../../api/records.ts'
import { postTime } from '../../../api/timestamps.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import { addMs } from '../../../runtime.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import type { Bot } from '../../slack/bot.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import type { CheckedProject } from '../posts/check-project.ts'
import { formatSchedule, postLine } from '../posts/post-blocks.ts'
import { failedResults, isPublishing, unknownResults } from '../posts/post-results.ts'
import type { Problem } from './tables.ts'

export type FoundProblems = {
  problems: (Problem & { post?: Post })[]
  /** The ids of posts that are being published, maybe again. */
  publishing: string[]
  /** Posts that were due before this time weren't looked at. */
  since: Date
  /** Whether all posts since then were looked at. */
  isComplete: boolean
}

const MAX_PAGES = 5
const DEADLINE = { deadlineMs: 10_000 }
const OVERDUE_MS = 10 * 60_000

/** Looks for problems with the posts of the last day, and with the project's accounts. Returns undefined if the service fails. */
export async function findProblems(
  bot: Bot,
  { project_id }: CheckedProject,
): Promise<FoundProblems | undefined> {
  const now = bot.runtime.now()
  const since = addMs(now, -DAY_MS)
  const range = { schedule_date_from: since.toISOString(), schedule_date_to: now.toISOString() }
  const listed = await bot.api.posts.listAll(project_id, range, { maxPages: MAX_PAGES, ...DEADLINE })
  if (listed.kind !== 'ok') return undefined
  const { items, hasMore } = listed.data
  const overdue = items.filter((post) => isOverdue(post, now))
  const counts = overdue.length > 0 && (await doesPublish(bot, project_id, items))
  const accounts = bot.extensions.current.hasAccounts
    ? await bot.api.accounts.list(project_id, DEADLINE)
    : { kind: 'ok' as const, data: { items: [] } }
  if (accounts.kind !== 'ok') return undefined
  const troubled = accounts.data.items.filter(({ State }) => State === 'NEEDS_ATTENTION')
  const failed = items.flatMap(failedResults).map(({ Platform }) => Platform)
  return {
    problems: [
      ...items.flatMap((post) => publishingProblems(post, troubled, now)),
      ...(counts ? overdue : []).map((post) => postProblem(post, now, OVERDUE)),
      // A post that failed because of its account says it all.
      ...troubled.filter(({ Platform = '' }) => !failed.includes(Platform)).map(accountProblem),
    ],
    publishing: items.filter(isPublishing).flatMap(({ Id }) => Id ?? []),
    since,
    isComplete: !hasMore,
  }
}

const OVERDUE = { cause: 'overdue', subject: 'Not published yet, although the time has passed' }

const isOverdue = (post: Post, now: Date): boolean =>
  post.Status === 'SCHEDULED' && +(postTime(post) ?? now) < now.getTime() - OVERDUE_MS

/** Some services never say that a post is published. Their posts aren't overdue. */
async function doesPublish({ api, extensions }: Bot, project_id: string, items: Post[]): Promise<boolean> {
  const isPublished = ({ Status }: Post) => Status === 'PUBLISHED'
  if (extensions.current.hasAccounts || items.some(isPublished)) return true
  const published = await api.posts.list(project_id, { status: ['PUBLISHED'], limit: 1 }, DEADLINE)
  return published.kind === 'ok' && published.data.items.some(isPublished)
}

function publishingProblems(post: Post, troubled: Account[], now: Date) {
  const adviceFor = (platform: string) => troubled.find((account) => account.Platform === platform)?.Problem
  const failed = failedResults(post).map(({ Platform, Account, Error: error = 'it gave no reason', At }) =>
    postProblem(post, now, {
      cause: `${Platform} ${At}`,
      subject: `Not published on ${nameAccount(Platform, Account)}: ${error}`,
      advice: adviceFor(Platform),
    }),
  )
  const unknown = unknownResults(post).map(({ Platform, Account, Error: error = 'it gave no reason', At }) =>
    postProblem(post, now, {
      cause: `${Platform} ${At}`,
      subject: `It isn't known whether this is out on ${nameAccount(Platform, Account)}: ${error}`,
    }),
  )
  if (failed.length || unknown.length || post.Status !== 'FAILED') return [...failed, ...unknown]
  return [
    postProblem(post, now, { cause: 'failed', subject: 'Not published: the service reports a failure' }),
  ]
}

const nameAccount = (platform: string, account: string | undefined): string =>
  account ? `${platformName(platform)} (${account})` : platformName(platform)

type Cause = { cause: string; subject: string; advice?: string | undefined }

function postProblem(post: Post, now: Date, { cause, subject, advice }: Cause) {
  const due_at = postTime(post)?.toJSDate().toISOString()
  return {
    key: `${post.Id} ${cause}`,
    subject,
    line: `• ${formatSchedule(post, { zone: 'UTC', now, isChannel: true })} · ${postLine(post)}`,
    ...(advice && { advice }),
    ...(post.Id && { post_id: post.Id }),
    ...(due_at && { due_at }),
    post,
  }
}

function accountProblem({ Id, Platform = '', Name, Problem: problem }: Account): Problem {
  const subject = `${nameAccount(Platform, Name)} needs attention: ${problem ?? 'it gave no reason'}`
  return { key: `account ${Id} ${problem}`, subject, line: escapeText(subject) }
}
