import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { type Log, type Post, readLogs, readPost, readPosts } from '../../api/records.ts'
import type { Digest } from '../../store/digests.ts'
import type { Bot } from '../bot.ts'
import { byDay, lineOf, postBlocks, SHORT } from '../posts.ts'
import { buttons, context, escaped, type Reply, section, sections, shortened } from '../reply.ts'
import type { Failure } from '../trouble.ts'

const DAYS = 7
const MOST_FETCHED = 100
/** Longer lists are folded: a channel reads it in passing. */
const MOST_LINES = 12

type When = { zone: string; now: Date; since: Date | undefined }

/** What a channel is told: what goes out next and in the coming days, what went out, what waits and what went wrong. */
export async function renderDigest(
  { api }: Bot,
  { project_id, project_name }: Pick<Digest, 'project_id' | 'project_name'>,
  { zone, now, since }: When,
): Promise<{ reply: Reply } | { failure: Failure }> {
  const path = { project_id }
  const start = DateTime.fromJSDate(now, { zone })
  const from = start.toISO() ?? ''
  const until = start.plus({ days: DAYS }).endOf('day').toISO() ?? ''
  const before = DateTime.fromJSDate(since ?? start.minus({ days: 1 }).toJSDate(), { zone }).toISO() ?? ''
  const list = (query: object) =>
    api.GET('/api/v1/projects/{project_id}/posts', {
      params: { path, query: { limit: MOST_FETCHED, ...query } },
    })
  const [next, coming, published, drafts, logs] = await Promise.all([
    api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { params: { path } }),
    list({ status: ['SCHEDULED'], schedule_date_from: from, schedule_date_to: until }),
    list({ status: ['PUBLISHED'], schedule_date_from: before, schedule_date_to: from }),
    list({ status: ['DRAFT'] }),
    api.GET('/api/v1/projects/{project_id}/logs', { params: { path } }),
  ])
  if (next.kind !== 'ok' && next.kind !== 'not-found') return { failure: next }
  if (coming.kind !== 'ok') return { failure: coming }
  if (published.kind !== 'ok') return { failure: published }
  if (drafts.kind !== 'ok') return { failure: drafts }
  if (logs.kind !== 'ok') return { failure: logs }
  const post = next.kind === 'ok' ? readPost(next.data) : undefined
  const dated = readPosts(drafts.data).items.filter(({ ScheduleDate }) => ScheduleDate)
  const wrong = readLogs(logs.data).items.filter((log) => isWrong(log) && isSince(log, before))
  const reader = { zone, now, isEverybody: true }
  const title = `Up next in ${escaped(project_name)}`
  const days = readPosts(coming.data).items
  return {
    reply: {
      text: `${title}: ${days.length ? `${days.length} in the coming days` : 'nothing is scheduled'}`,
      blocks: [
        section(`*${title}*`),
        ...(post ? postBlocks(post, reader, SHORT) : [section('Nothing is scheduled.')]),
        ...part('The coming days', byDay(days, { zone })),
        ...part('Went out', asLines(readPosts(published.data).items)),
        ...part('Drafts with a date', asLines(dated)),
        ...part(
          'Went wrong',
          wrong.map(
            (log) => `• ${escaped(shortened(log.Message ?? log.Action ?? JSON.stringify(log.raw), 180))}`,
          ),
        ),
        ...buttons(
          { action_id: 'schedule:open', label: 'Schedule a post' },
          { action_id: 'posts:show', label: 'All posts', value: project_id },
        ),
      ],
    },
  }
}

const asLines = (posts: Post[]) => posts.map((post) => `• ${lineOf(post)}`)

function part(title: string, lines: string[]): KnownBlock[] {
  if (!lines.length) return []
  const more = lines.length - MOST_LINES
  return [
    section(`*${title}*`),
    ...sections(lines.slice(0, MOST_LINES)),
    ...(more > 0 ? [context(`and ${more} more`)] : []),
  ]
}

const isWrong = ({ Level = '', Action = '', Message = '' }: Log) =>
  /error|fail|warn|critical/i.test(`${Level} ${Action}`) || /\bfail|\berror/i.test(Message)

const isSince = ({ CreatedAt = '' }: Log, since: string) => (Date.parse(CreatedAt) || 0) >= Date.parse(since)
