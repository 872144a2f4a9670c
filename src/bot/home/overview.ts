import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { type Post, readPost, readPosts } from '../../api/records.ts'
import type { Bot } from '../bot.ts'
import { momentOf, platformsOf, postBlocks, type Reader, SHORT } from '../posts.ts'
import type { KnownProject } from '../projects.ts'
import { escaped, section, shortened } from '../reply.ts'
import type { Failure } from '../trouble.ts'

const DAYS = 7
const MOST = 50

/** A project at a glance: what goes out next, the coming days, and what is not scheduled yet. */
export async function overview(
  { api }: Bot,
  { Id, Name }: KnownProject,
  reader: Reader,
): Promise<{ blocks: KnownBlock[] } | { failure: Failure }> {
  const path = { project_id: Id }
  const start = DateTime.fromJSDate(reader.now, { zone: reader.zone })
  const days = {
    schedule_date_from: start.toISO() ?? '',
    schedule_date_to: start.plus({ days: DAYS }).endOf('day').toISO() ?? '',
  }
  const list = (query: object) =>
    api.GET('/api/v1/projects/{project_id}/posts', { params: { path, query: { limit: MOST, ...query } } })
  const [next, coming, drafts] = await Promise.all([
    api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { params: { path } }),
    list({ status: ['SCHEDULED'], ...days }),
    list({ status: ['DRAFT'] }),
  ])
  if (next.kind !== 'ok' && next.kind !== 'not-found') return { failure: next }
  if (coming.kind !== 'ok') return { failure: coming }
  if (drafts.kind !== 'ok') return { failure: drafts }
  const post = next.kind === 'ok' ? readPost(next.data) : undefined
  return {
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(Name, 150) } },
      section('*Up next*'),
      ...(post ? postBlocks(post, reader, SHORT) : [section('Nothing is scheduled.')]),
      section('*The next seven days*'),
      section(byDay(readPosts(coming.data).items, reader)),
      section('*Drafts*'),
      section(draftLines(readPosts(drafts.data).items)),
    ],
  }
}

const lineOf = (post: Post) =>
  `${escaped(shortened(post.Content ?? '(no text)', 80).replaceAll('\n', ' '))} · ${platformsOf(post)}`

function byDay(posts: Post[], { zone }: Reader): string {
  const days = new Map<string, string[]>()
  const dated = posts.map((post) => ({ post, at: momentOf(post)?.setZone(zone) }))
  dated.sort((one, other) => (one.at?.toMillis() ?? 0) - (other.at?.toMillis() ?? 0))
  for (const { post, at } of dated) {
    const day = at ? at.toFormat('cccc d LLLL') : 'Without a day'
    const time = at ? `${at.toFormat('HH:mm')} ` : ''
    days.set(day, [...(days.get(day) ?? []), `• ${time}${lineOf(post)}`])
  }
  return [...days].map(([day, lines]) => `_${day}_\n${lines.join('\n')}`).join('\n') || 'Nothing yet.'
}

const draftLines = (posts: Post[]) => posts.map((post) => `• ${lineOf(post)}`).join('\n') || 'None.'
