import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { type Log, type Post, readLogs, readPost, readPosts } from '../../api/records.ts'
import type { Digest } from '../../store/digests.ts'
import { zoneName } from '../../time/describe.ts'
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
  { api }: Bot,
  { project_id, project_name, includes }: Pick<Digest, 'project_id' | 'project_name' | 'includes'>,
  { zone, now, at, since }: When,
): Promise<Gathered | { failure: Failure }> {
  const path = { project_id }
  const told_until = new Date(now.getTime() - SETTLING_MS)
  const start = DateTime.fromJSDate(told_until, { zone })
  const read = DateTime.fromJSDate(at, { zone })
  const until =
    read
      .plus({ days: WEEK_DAYS - 1 })
      .endOf('day')
      .toISO() ?? ''
  const before = DateTime.fromJSDate(since ?? start.minus({ days: 1 }).toJSDate(), { zone }).toISO() ?? ''
  const asks = new Set(includes)
  const none = { posts: [] as Post[], isMore: false }
  const list = (query: object) => listPosts({ api }, project_id, query)

  const [next, coming, published, drafts, logs] = await Promise.all([
    asks.has('coming') &&
      api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', {
        params: { path },
        deadlineMs: CALL_MS,
      }),
    asks.has('coming') || asks.has('picture')
      ? list({ status: ['SCHEDULED'], schedule_date_from: read.toISO() ?? '', schedule_date_to: until })
      : none,
    asks.has('published')
      ? list({ status: ['PUBLISHED'], schedule_date_from: before, schedule_date_to: start.toISO() ?? '' })
      : none,
    asks.has('drafts') ? list({ status: ['DRAFT'], schedule_date_from: before }) : none,
    asks.has('wrong') &&
      api.GET('/api/v1/projects/{project_id}/logs', { params: { path }, deadlineMs: CALL_MS }),
  ])
  if (next && next.kind !== 'ok' && next.kind !== 'not-found') return { failure: next }
  for (const listed of [coming, published, drafts]) if ('failure' in listed) return listed
  if (logs && logs.kind !== 'ok') return { failure: logs }
  const { posts, isMore } = coming as Listed
  const [out, unscheduled] = [published as Listed, drafts as Listed]
  const first = next && next.kind === 'ok' ? readPost(next.data) : undefined
  const isOver = first && (momentOf(first) ?? read) < read
  const post = isOver ? sortedByDate(posts)[0] : first
  const part = (name: PartName, title: string, items: Part['items'], isMore = false): Part[] =>
    asks.has(name) && items.length ? [{ name, title, items, isMore }] : []
  const wrong = logs
    ? readLogs(logs.data).items.filter((log) => isWrong(log) && isSince(log, before, told_until))
    : []
  const there = ` (times of ${zoneName(zone)})`
  const parts = [
    ...part('coming', `The coming days${there}`, underDays(posts, zone), isMore),
    ...part('published', `Went out${there}`, underDays(out.posts, zone), out.isMore),
    ...part('drafts', `Drafts with a date${there}`, underDays(dated(unscheduled), zone), unscheduled.isMore),
    ...part(
      'wrong',
      'Went wrong',
      wrong.map((log) => ({ line: `• ${wordsOf(log)}` })),
    ),
  ]
  const hasPicture = asks.has('picture') && posts.length > 0
  const isQuiet = !parts.length && !hasPicture
  const nothing = asks.has('coming')
    ? 'Nothing is scheduled.'
    : isQuiet
      ? includes.flatMap((name) => NOTHING[name] ?? []).join(' ')
      : ''
  return {
    content: {
      project_id,
      title: `${asks.has('coming') ? 'Up next in' : 'Digest of'} ${escaped(project_name)}`,
      summary: parts.map(countOf).join(', ') || nothing || 'the week',
      next: post
        ? postBlocks(post, { zone, now, isEverybody: true }, SHORT)
        : nothing
          ? [section(nothing)]
          : [],
      parts,
    },
    isEmpty: !post && !parts.length && !hasPicture,
    week: { posts, at },
    told_until,
  }
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

type Listed = { posts: Post[]; isMore: boolean }

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

const dated = ({ posts }: Listed) => posts.filter(({ ScheduleDate }) => ScheduleDate)

const isWrong = ({ Level = '', Action = '', Message = '' }: Log) =>
  /error|fail|warn|critical/i.test(`${Level} ${Action}`) || /\bfail|\berror/i.test(Message)

function isSince({ CreatedAt = '' }: Log, since: string, until: Date): boolean {
  const at = Date.parse(CreatedAt) || 0
  return at >= Date.parse(since) && at < until.getTime()
}

const wordsOf = (log: Log) => escaped(shortened(log.Message ?? log.Action ?? JSON.stringify(log.raw), 180))
