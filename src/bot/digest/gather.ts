import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { type Log, type Post, readLogs, readPost, readPosts } from '../../api/records.ts'
import type { Digest } from '../../store/digests.ts'
import { zoneLabel } from '../../time/describe.ts'
import type { Bot } from '../bot.ts'
import { momentOf, postBlocks, SHORT, sortedByDate, underDays } from '../posts.ts'
import { escaped, section, shortened } from '../reply.ts'
import type { Failure } from '../trouble.ts'

/** What a digest can tell of, as whoever sets it up sees it. */
export const PARTS = {
  coming: 'What goes out next, and in the coming days',
  published: 'What went out since the last one',
  drafts: 'Drafts that have a date and are not scheduled',
  wrong: 'What went wrong since the last one',
  picture: 'A picture of the week',
} as const

export const ALL_PARTS = Object.keys(PARTS)

export type PartName = Exclude<keyof typeof PARTS, 'picture'>

export type Part = {
  name: PartName
  title: string
  items: { /** The day it stands under. */ under?: string; line: string }[]
  /** Whether the service has more than it gave. */
  isMore: boolean
}

/** All that a digest has to say; it is kept, for whoever unfolds it. */
export type Content = {
  project_id: string
  title: string
  summary: string
  /** The post that goes out next, or that there is none. */
  next: KnownBlock[]
  parts: Part[]
  picture?: { file_id: string; alt_text: string }
  isLate?: boolean
}

export type Gathered = {
  content: Content
  isEmpty: boolean
  week: { posts: Post[]; at: Date }
  /** How far it goes. */
  told_until: Date
}

/** `at` is when it is read: what goes out before that is nothing that is coming. */
type When = { zone: string; now: Date; at: Date; since: Date | undefined }

export const WEEK_DAYS = 7
/** What is published comes a little after its date: younger than that it is for the next digest. */
const SETTLING_MS = 5 * 60_000
const PAGE = 100
const MOST_PAGES = 5
const CALL_MS = 8000

/** Looks up what a channel is to be told. */
export async function gatherDigest(
  bot: Bot,
  digest: Pick<Digest, 'project_id' | 'project_name' | 'includes'>,
  when: When,
): Promise<Gathered | { failure: Failure }> {
  const told_until = new Date(when.now.getTime() - SETTLING_MS)
  const found = await lookUp(bot, digest, { ...when, told_until })
  if ('failure' in found) return found
  const { project_id, project_name, includes } = digest
  const { coming } = found
  const next = includes.includes('coming') ? nextOf(found, when) : undefined
  const parts = partsOf(found, when.zone).filter(({ name }) => includes.includes(name))
  const hasPicture = includes.includes('picture') && coming.posts.length > 0
  const isEmpty = !next && !parts.length && !hasPicture
  const nothing = next ? undefined : nothingIn(includes, isEmpty)
  const title = includes.includes('coming') ? 'Up next in' : 'Digest of'
  return {
    content: {
      project_id,
      title: `${title} ${escaped(project_name)}`,
      summary: parts.map(countOf).join(', ') || nothing || 'the week',
      next: next
        ? postBlocks(next, { ...when, isEverybody: true }, SHORT)
        : nothing
          ? [section(nothing)]
          : [],
      parts,
    },
    isEmpty,
    week: { posts: coming.posts, at: when.at },
    told_until,
  }
}

type Found = {
  next: Post | undefined
  coming: Listed
  published: Listed
  drafts: Listed
  wrong: Log[]
}

/** What of it was asked for; the rest is empty. */
async function lookUp(
  { api }: Bot,
  { project_id, includes }: Pick<Digest, 'project_id' | 'includes'>,
  { zone, at, since, told_until }: When & { told_until: Date },
): Promise<Found | { failure: Failure }> {
  const path = { project_id }
  const asks = (...names: string[]) => names.some((name) => includes.includes(name))
  const inZone = (date: Date) => DateTime.fromJSDate(date, { zone })
  const read = inZone(at)
  const until = read.plus({ days: WEEK_DAYS - 1 }).endOf('day')
  const before = since ? inZone(since) : inZone(told_until).minus({ days: 1 })
  const list = (status: Status, from: DateTime, to?: DateTime) =>
    listPosts({ api }, project_id, {
      status: [status],
      schedule_date_from: from.toISO() ?? '',
      ...(to && { schedule_date_to: to.toISO() ?? '' }),
    })
  const [next, coming, published, drafts, logs] = await Promise.all([
    asks('coming') &&
      api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', {
        params: { path },
        deadlineMs: CALL_MS,
      }),
    asks('coming', 'picture') ? list('SCHEDULED', read, until) : NONE,
    asks('published') ? list('PUBLISHED', before, inZone(told_until)) : NONE,
    asks('drafts') ? list('DRAFT', before) : NONE,
    asks('wrong') && api.GET('/api/v1/projects/{project_id}/logs', { params: { path }, deadlineMs: CALL_MS }),
  ])
  if (next && next.kind !== 'ok' && next.kind !== 'not-found') return { failure: next }
  if (logs && logs.kind !== 'ok') return { failure: logs }
  if ('failure' in coming) return coming
  if ('failure' in published) return published
  if ('failure' in drafts) return drafts
  return {
    next: next && next.kind === 'ok' ? readPost(next.data) : undefined,
    coming,
    published,
    drafts,
    wrong: logs
      ? readLogs(logs.data).items.filter((log) => isWrong(log) && isIn(log, before, told_until))
      : [],
  }
}

/** The one that the service names, unless it is over by the time that this is read. */
function nextOf({ next, coming }: Found, { at }: When): Post | undefined {
  const goesOut = next && momentOf(next)
  return goesOut && goesOut.toMillis() < at.getTime() ? sortedByDate(coming.posts)[0] : next
}

function partsOf({ coming, published, drafts, wrong }: Found, zone: string): Part[] {
  const there = `(times of ${zoneLabel(zone)})`
  const posts = (name: PartName, title: string, listed: Listed): Part => ({
    name,
    title: `${title} ${there}`,
    items: underDays(listed.posts, zone),
    isMore: listed.isMore,
  })
  const dated = { ...drafts, posts: drafts.posts.filter(({ ScheduleDate }) => ScheduleDate) }
  const parts: Part[] = [
    posts('coming', 'The coming days', coming),
    posts('published', 'Went out', published),
    posts('drafts', 'Drafts with a date', dated),
    {
      name: 'wrong',
      title: 'Went wrong',
      items: wrong.map((log) => ({ line: `• ${wordsOf(log)}` })),
      isMore: false,
    },
  ]
  return parts.filter(({ items }) => items.length)
}

/** What is said in the place of the next post, where there is none. */
function nothingIn(includes: string[], isEmpty: boolean): string | undefined {
  if (includes.includes('coming')) return 'Nothing is scheduled.'
  return isEmpty ? includes.flatMap((name) => NOTHING[name] ?? []).join(' ') : undefined
}

const NOTHING: Record<string, string> = {
  published: 'Nothing went out.',
  drafts: 'No draft has a date.',
  wrong: 'Nothing went wrong.',
  picture: 'Nothing is scheduled.',
}

const COUNTED: Record<PartName, string> = {
  coming: 'in the coming days',
  published: 'went out',
  drafts: 'with a date, and not scheduled',
  wrong: 'went wrong',
}

const countOf = ({ name, items, isMore }: Part) =>
  `${items.length}${isMore ? ' and more' : ''} ${COUNTED[name]}`

type Status = 'SCHEDULED' | 'PUBLISHED' | 'DRAFT'

type Listed = { posts: Post[]; isMore: boolean }

const NONE: Listed = { posts: [], isMore: false }

async function listPosts(
  { api }: Pick<Bot, 'api'>,
  project_id: string,
  query: object,
): Promise<Listed | { failure: Failure }> {
  const posts: Post[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const outcome = await api.GET('/api/v1/projects/{project_id}/posts', {
      params: { path: { project_id }, query: { ...query, skip: page * PAGE, limit: PAGE } },
      deadlineMs: CALL_MS,
    })
    if (outcome.kind !== 'ok') return { failure: outcome }
    const { items } = readPosts(outcome.data)
    posts.push(...items)
    if (items.length < PAGE) return { posts, isMore: false }
  }
  return { posts, isMore: true }
}

const isWrong = ({ Level = '', Action = '', Message = '' }: Log) =>
  /error|fail|warn|critical/i.test(`${Level} ${Action}`) || /\bfail|\berror/i.test(Message)

function isIn({ CreatedAt = '' }: Log, since: DateTime, until: Date): boolean {
  const at = Date.parse(CreatedAt) || 0
  return at >= since.toMillis() && at < until.getTime()
}

const wordsOf = (log: Log) => escaped(shortened(log.Message ?? log.Action ?? JSON.stringify(log.raw), 180))
