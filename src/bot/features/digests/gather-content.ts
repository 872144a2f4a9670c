import { DateTime } from 'luxon'
import type { PostList } from '../../../api/client.ts'
import type { Log, Post } from '../../../api/records.ts'
import type { ApiFailure } from '../../../api/result.ts'
import { addMs } from '../../../runtime.ts'
import { zoneLabel } from '../../../time/describe.ts'
import type { Bot } from '../../slack/bot.ts'
import { hideEmails } from '../../slack/hide-emails.ts'
import { escapeText, section, truncate } from '../../slack/message-blocks.ts'
import { MAX_PUBLISHING_DELAY_MS } from '../posts/display/overdue.ts'
import { isScheduledBetween, MAX_PREVIEW_LENGTH, postBlocks, postLine } from '../posts/display/post-blocks.ts'
import { datedPostLines, INCOMPLETE_NOTE } from '../posts/display/post-list.ts'
import { postMenu } from '../posts/display/post-menu.ts'
import { describeResults } from '../posts/display/post-results.ts'
import { findNextPost, overdueBlocks } from '../posts/find/next-post.ts'
import { listPostsWithProblems, listProjectPosts } from '../posts/find/project-posts.ts'
import type { Digest, DigestContent, DigestContentSection, DigestSectionName } from './tables.ts'

/** The possible sections of a digest, as its form shows them. */
export const SECTION_LABELS: Record<DigestSectionName, string> = {
  upcoming: 'The next post and the coming days',
  published: 'Posts published since the last digest',
  drafts: 'Drafts with a date',
  problems: 'Problems since the last digest',
  chart: 'Weekly calendar',
}

export const ALL_SECTIONS = Object.keys(SECTION_LABELS) as DigestSectionName[]

type ListSectionName = DigestContentSection['name']

export type GatheredContent = {
  content: DigestContent
  isEmpty: boolean
  /** For the chart. */
  week: { posts: Post[]; hasMore: boolean; at: Date }
  /** The next digest reports the posts that were published after this time. */
  covered_until: Date
}

export const DAYS_IN_WEEK = 7
const MAX_PAGES = 5
const LOAD_TIMEOUT_MS = 8000

/** Loads the content of a digest. People read the digest at `at`, so it doesn't announce posts that go out earlier. */
export async function gatherContent(
  bot: Bot,
  digest: Pick<Digest, 'team_id' | 'project_id' | 'project_name' | 'sections'>,
  { zone, now, at, since }: { zone: string; now: Date; at: Date; since: Date | null },
): Promise<GatheredContent | { failure: ApiFailure }> {
  const { project_id, project_name, sections: wanted } = digest
  const inZone = (date: Date) => DateTime.fromJSDate(date, { zone })
  // Posts that were due after `until` may not be published yet. They belong to the next digest.
  const until = inZone(now).minus({ milliseconds: MAX_PUBLISHING_DELAY_MS })
  const from = since ? inZone(since) : until.minus({ days: 1 })
  const loaded = await loadRecords(bot, digest, { now, at: inZone(at), from, until })
  if (loaded.failure) return { failure: loaded.failure }
  const { upNext, upcoming, published, drafts, postsWithProblems, logs } = loaded
  const toPostSection = (
    name: ListSectionName,
    title: string,
    { items, hasMore }: Pick<PostList, 'items' | 'hasMore'>,
  ) => ({
    name,
    title: `${title} (${zoneLabel(zone)} time)`,
    items: datedPostLines(items, { zone, now }),
    hasMore,
  })
  const datedDrafts = { ...drafts, items: drafts.items.filter(({ ScheduleDate }) => ScheduleDate) }
  const mayMissLogs =
    Boolean(logs.hasMore) && !logs.items.some(({ CreatedAt = '' }) => DateTime.fromISO(CreatedAt) < from)
  const problems = logs.items.filter((log) => isProblem(log) && isBetween(log, from, until))
  // If the service has accounts, failed posts are in the list already, so log entries about posts are left out.
  const otherProblems = problems.filter(
    ({ Action = '' }) => !bot.extensions.current.hasAccounts || !/^post\./.test(Action),
  )
  const sections: DigestContentSection[] = [
    toPostSection('upcoming', 'Coming days', upcoming),
    toPostSection('published', 'Published', published),
    toPostSection('drafts', 'Drafts with a date', datedDrafts),
    {
      name: 'problems' as const,
      title: 'Problems',
      items: [...postsWithProblems.items.map(problemItem), ...otherProblems.map(logItem)],
      hasMore: postsWithProblems.hasMore || mayMissLogs,
    },
  ].filter(({ name, items, hasMore }) => wanted.includes(name) && (items.length || hasMore))
  const hasChart = wanted.includes('chart') && upcoming.items.length > 0
  const viewer = { zone, now, isChannel: true }
  // Everyone in the channel sees the same menu. People without permission get a private refusal when they use it.
  const displayOptions = (post: Post | undefined) => {
    return { maxLength: MAX_PREVIEW_LENGTH, menu: post && postMenu({ bot, project_id }, post) }
  }
  const overdue = overdueBlocks(upNext, viewer, displayOptions(upNext.overdue))
  const nextBlocks = upNext.next ? postBlocks(upNext.next, viewer, displayOptions(upNext.next)) : []
  const isEmpty = !nextBlocks.length && !overdue.length && !sections.length && !hasChart && !upcoming.hasMore
  const noNextMessage = upcoming.hasMore
    ? INCOMPLETE_NOTE
    : explainEmpty(wanted, { isEmpty, isOverdue: overdue.length > 0 })
  const emptyMessage = upNext.next ? undefined : noNextMessage
  return {
    content: {
      project_id,
      title: `${wanted.includes('upcoming') ? 'Up next in' : 'Digest for'} ${escapeText(project_name)}`,
      summary: sections.map(summarize).join(', ') || emptyMessage || 'the schedule',
      next: [
        ...overdue,
        ...(overdue.length && nextBlocks.length ? [section('*Up next*')] : []),
        ...nextBlocks,
        ...(emptyMessage ? [section(emptyMessage)] : []),
      ],
      sections,
    },
    isEmpty,
    week: { posts: upcoming.items, hasMore: upcoming.hasMore, at },
    covered_until: until.toJSDate(),
  }
}

/** Loads only the records for the digest's sections. */
async function loadRecords(
  bot: Bot,
  { team_id, project_id, sections }: Pick<Digest, 'team_id' | 'project_id' | 'sections'>,
  { now, at, from, until }: { now: Date; at: DateTime; from: DateTime; until: DateTime },
) {
  const wants = (...names: DigestSectionName[]) => names.some((name) => sections.includes(name))
  const scope = { team_id, project_id }
  const deadline = addMs(bot.runtime.now(), LOAD_TIMEOUT_MS)
  const list = (status: string, start: DateTime, end?: DateTime) => {
    const schedule_date_to = end && { schedule_date_to: end.toISO() }
    const filter = { status: [status], schedule_date_from: start.toISO(), ...schedule_date_to }
    return listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES, deadline })
  }
  const weekEnd = at.plus({ days: DAYS_IN_WEEK - 1 }).endOf('day')
  const noNext = { kind: 'ok' as const, data: { next: undefined, overdue: undefined } }
  const noRecords = { kind: 'ok' as const, data: { items: [], hasMore: false } }
  const period = { from: from.toJSDate(), to: now, deadline }
  const [next, upcoming, published, drafts, withProblems, logs] = await Promise.all([
    wants('upcoming') ? findNextPost(bot, scope, { now, from: at.toJSDate(), deadline }) : noNext,
    wants('upcoming', 'chart') ? list('SCHEDULED', at, weekEnd) : noRecords,
    wants('published') ? list('PUBLISHED', from, until) : noRecords,
    wants('drafts') ? list('DRAFT', from) : noRecords,
    wants('problems') ? listPostsWithProblems(bot, scope, period) : noRecords,
    wants('problems') ? bot.api.logs.list(project_id, { deadline }) : noRecords,
  ])
  if (next.kind !== 'ok') return { failure: next }
  if (upcoming.kind !== 'ok') return { failure: upcoming }
  if (published.kind !== 'ok') return { failure: published }
  if (drafts.kind !== 'ok') return { failure: drafts }
  if (withProblems.kind !== 'ok') return { failure: withProblems }
  if (logs.kind !== 'ok') return { failure: logs }
  const upcomingPosts = upcoming.data.items.filter((post) =>
    isScheduledBetween(post, at.toJSDate(), weekEnd.toJSDate()),
  )
  return {
    upNext: next.data,
    upcoming: { ...upcoming.data, items: upcomingPosts },
    published: published.data,
    drafts: drafts.data,
    postsWithProblems: withProblems.data,
    logs: logs.data,
  }
}

/** Shown in the digest instead of the next post. */
function explainEmpty(
  sections: DigestSectionName[],
  { isEmpty, isOverdue }: { isEmpty: boolean; isOverdue: boolean },
): string | undefined {
  if (sections.includes('upcoming')) return isOverdue ? 'Nothing else is scheduled.' : EMPTY_MESSAGES.upcoming
  return isEmpty ? sections.map((name) => EMPTY_MESSAGES[name]).join(' ') : undefined
}

const EMPTY_MESSAGES: Record<DigestSectionName, string> = {
  upcoming: 'Nothing is scheduled.',
  published: 'Nothing was published.',
  drafts: 'No draft has a date.',
  problems: 'There were no problems.',
  chart: 'Nothing is scheduled.',
}

const SUMMARIES: Record<ListSectionName, { one: string; many: string }> = {
  upcoming: { one: 'in the coming days', many: 'in the coming days' },
  published: { one: 'published', many: 'published' },
  drafts: { one: 'draft with a date', many: 'drafts with a date' },
  problems: { one: 'problem', many: 'problems' },
}

function summarize({ name, items, hasMore }: DigestContentSection): string {
  const { one, many } = SUMMARIES[name]
  return items.length === 1 && !hasMore ? `1 ${one}` : `${items.length}${hasMore ? '+' : ''} ${many}`
}

/** Without a level, the message shows whether an entry is about a problem. */
const isProblem = ({ Level = '', Action = '', Message = '' }: Log) =>
  /error|fail|warn|critical/i.test(`${Level} ${Action}`) || (!Level && /\bfail|\berror/i.test(Message))

function isBetween({ CreatedAt = '' }: Log, from: DateTime, until: DateTime): boolean {
  const at = Date.parse(CreatedAt) || 0
  return at >= from.toMillis() && at < until.toMillis()
}

const MAX_LOG_LENGTH = 180

const problemItem = (post: Post): { line: string } => ({
  line: `• ${postLine(post)} · ${describeResults(post) || 'overdue'}`,
})

function logItem({ Message, Action, raw }: Log): { line: string } {
  // Everyone in the channel reads the digest.
  const text = hideEmails(Message ?? Action ?? JSON.stringify(raw))
  return { line: `• ${escapeText(truncate(text, MAX_LOG_LENGTH))}` }
}
