import { DateTime } from 'luxon'
import type { Log, Page, Post } from '../../api/records.ts'
import type { ApiFailure } from '../../api/result.ts'
import { zoneLabel } from '../../time/describe.ts'
import type { Bot } from '../bot.ts'
import type { Digest, DigestContent, DigestContentSection, DigestSection } from '../database/tables.ts'
import { escapeText, section, truncate } from '../message-blocks.ts'
import { datedPostLines, MAX_PREVIEW_LENGTH, postBlocks, postTime, sortBySchedule } from '../post-blocks.ts'

/** What a digest can include, as its form shows it. */
export const SECTION_LABELS: Record<DigestSection, string> = {
  upcoming: 'The next post and the coming days',
  published: 'Posts published since the last digest',
  drafts: "Drafts with a date that aren't scheduled",
  problems: 'Problems since the last digest',
  chart: 'Weekly chart',
}

export const ALL_SECTIONS = Object.keys(SECTION_LABELS) as DigestSection[]

type ListSection = DigestContentSection['name']

export type GatheredContent = {
  content: DigestContent
  isEmpty: boolean
  week: { posts: Post[]; at: Date }
  covered_until: Date
}

/** `at` is when the digest is read: it doesn't announce posts that go out before. */
type DigestTime = { zone: string; now: Date; at: Date; since: Date | null }

export const WEEK_DAYS = 7
/** The service marks a post as published a little after its date. Younger posts belong to the next digest. */
const PUBLISHING_DELAY_MS = 5 * 60_000
const MAX_PAGES = 5
const REQUEST_TIMEOUT_MS = 8000
const NO_POSTS: Page<Post> = { items: [], hasMore: false }

/** Loads everything that a digest tells its channel. */
export async function gatherContent(
  bot: Bot,
  digest: Pick<Digest, 'project_id' | 'project_name' | 'sections'>,
  time: DigestTime,
): Promise<GatheredContent | { failure: ApiFailure }> {
  const covered_until = new Date(time.now.getTime() - PUBLISHING_DELAY_MS)
  const records = await loadRecords(bot, digest, { ...time, covered_until })
  if ('failure' in records) return records
  const { project_id, project_name, sections: wanted } = digest
  const next = wanted.includes('upcoming') ? nextPost(records, time.at) : undefined
  const sections = listSections(records, time.zone).filter(({ name }) => wanted.includes(name))
  const hasChart = wanted.includes('chart') && records.upcoming.items.length > 0
  const isEmpty = !next && !sections.length && !hasChart
  const emptyMessage = next ? undefined : explainEmpty(wanted, isEmpty)
  const title = wanted.includes('upcoming') ? 'Up next in' : 'Digest of'
  const nextBlocks = next ? postBlocks(next, { ...time, isChannel: true }, MAX_PREVIEW_LENGTH) : undefined
  return {
    content: {
      project_id,
      title: `${title} ${escapeText(project_name)}`,
      summary: sections.map(summarize).join(', ') || emptyMessage || 'the week',
      next: nextBlocks ?? (emptyMessage ? [section(emptyMessage)] : []),
      sections,
    },
    isEmpty,
    week: { posts: records.upcoming.items, at: time.at },
    covered_until,
  }
}

type Records = {
  next: Post | undefined
  upcoming: Page<Post>
  published: Page<Post>
  drafts: Page<Post>
  problems: Log[]
}

/** Loads only what the digest includes. */
async function loadRecords(
  { api }: Bot,
  { project_id, sections }: Pick<Digest, 'project_id' | 'sections'>,
  { zone, at, since, covered_until }: DigestTime & { covered_until: Date },
): Promise<Records | { failure: ApiFailure }> {
  const wants = (...names: DigestSection[]) => names.some((name) => sections.includes(name))
  const inZone = (date: Date) => DateTime.fromJSDate(date, { zone })
  const from = since ? inZone(since) : inZone(covered_until).minus({ days: 1 })
  const listPosts = (status: string, start: DateTime, end?: DateTime) =>
    api.posts.listAll(
      project_id,
      {
        status: [status],
        schedule_date_from: start.toISO(),
        ...(end && { schedule_date_to: end.toISO() }),
      },
      { maxPages: MAX_PAGES, deadlineMs: REQUEST_TIMEOUT_MS },
    )
  const weekEnd = inZone(at)
    .plus({ days: WEEK_DAYS - 1 })
    .endOf('day')
  const deadline = { deadlineMs: REQUEST_TIMEOUT_MS }
  const [next, upcoming, published, drafts, logs] = await Promise.all([
    wants('upcoming') ? api.posts.getNext(project_id, deadline) : skipped(undefined),
    wants('upcoming', 'chart') ? listPosts('SCHEDULED', inZone(at), weekEnd) : skipped(NO_POSTS),
    wants('published') ? listPosts('PUBLISHED', from, inZone(covered_until)) : skipped(NO_POSTS),
    wants('drafts') ? listPosts('DRAFT', from) : skipped(NO_POSTS),
    wants('problems')
      ? api.logs.list(project_id, deadline)
      : skipped<Page<Log>>({ items: [], hasMore: false }),
  ])
  if (next.kind !== 'ok') return { failure: next }
  if (upcoming.kind !== 'ok') return { failure: upcoming }
  if (published.kind !== 'ok') return { failure: published }
  if (drafts.kind !== 'ok') return { failure: drafts }
  if (logs.kind !== 'ok') return { failure: logs }
  return {
    next: next.data,
    upcoming: upcoming.data,
    published: published.data,
    drafts: drafts.data,
    problems: logs.data.items.filter((log) => isProblem(log) && isBetween(log, from, covered_until)),
  }
}

const skipped = <T>(data: T) => ({ kind: 'ok' as const, data })

/** The service's next post, unless it goes out before the digest is read. */
function nextPost({ next, upcoming }: Records, at: Date): Post | undefined {
  const time = next && postTime(next)
  return time && time.toMillis() < at.getTime() ? sortBySchedule(upcoming.items)[0] : next
}

function listSections(
  { upcoming, published, drafts, problems }: Records,
  zone: string,
): DigestContentSection[] {
  const posts = (name: ListSection, title: string, { items, hasMore }: Page<Post>) => ({
    name,
    title: `${title} (${zoneLabel(zone)} time)`,
    items: datedPostLines(items, zone),
    hasMore,
  })
  const datedDrafts = { ...drafts, items: drafts.items.filter(({ ScheduleDate }) => ScheduleDate) }
  return [
    posts('upcoming', 'Coming days', upcoming),
    posts('published', 'Published', published),
    posts('drafts', 'Drafts with a date', datedDrafts),
    {
      name: 'problems' as const,
      title: 'Problems',
      items: problems.map((log) => ({ line: `• ${logLine(log)}` })),
      hasMore: false,
    },
  ].filter(({ items }) => items.length)
}

/** What the digest shows instead of the next post. */
function explainEmpty(sections: DigestSection[], isEmpty: boolean): string | undefined {
  if (sections.includes('upcoming')) return EMPTY_MESSAGES.upcoming
  return isEmpty ? sections.map((name) => EMPTY_MESSAGES[name]).join(' ') : undefined
}

const EMPTY_MESSAGES: Record<DigestSection, string> = {
  upcoming: 'Nothing is scheduled.',
  published: 'Nothing was published.',
  drafts: 'No draft has a date.',
  problems: 'There were no problems.',
  chart: 'Nothing is scheduled.',
}

const SUMMARIES: Record<ListSection, { one: string; many: string }> = {
  upcoming: { one: 'in the coming days', many: 'in the coming days' },
  published: { one: 'published', many: 'published' },
  drafts: { one: 'draft with a date', many: 'drafts with a date' },
  problems: { one: 'problem', many: 'problems' },
}

function summarize({ name, items, hasMore }: DigestContentSection): string {
  const { one, many } = SUMMARIES[name]
  return items.length === 1 && !hasMore ? `1 ${one}` : `${items.length}${hasMore ? '+' : ''} ${many}`
}

const isProblem = ({ Level = '', Action = '', Message = '' }: Log) =>
  /error|fail|warn|critical/i.test(`${Level} ${Action}`) || /\bfail|\berror/i.test(Message)

function isBetween({ CreatedAt = '' }: Log, from: DateTime, until: Date): boolean {
  const at = Date.parse(CreatedAt) || 0
  return at >= from.toMillis() && at < until.getTime()
}

const MAX_LOG_LENGTH = 180

const logLine = (log: Log) =>
  escapeText(truncate(log.Message ?? log.Action ?? JSON.stringify(log.raw), MAX_LOG_LENGTH))
