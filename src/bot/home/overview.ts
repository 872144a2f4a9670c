import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { readPost, readPosts } from '../../api/records.ts'
import type { Bot } from '../bot.ts'
import { byDay, lineOf, postBlocks, type Reader, SHORT } from '../posts.ts'
import type { KnownProject } from '../projects.ts'
import { section, shortened } from '../reply.ts'
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
      section(byDay(readPosts(coming.data).items, reader).join('\n') || 'Nothing yet.'),
      section('*Drafts*'),
      section(
        readPosts(drafts.data)
          .items.map((post) => `• ${lineOf(post)}`)
          .join('\n') || 'None.',
      ),
    ],
  }
}
