import type { CallOptions, PostFilter, PostList } from '../../api/client.ts'
import type { Post } from '../../api/records.ts'
import type { ApiResult } from '../../api/result.ts'
import type { Bot } from '../bot.ts'
import type { HeldPost } from '../database/tables.ts'
import { listHeldPosts } from '../held-posts/held-post-store.ts'
import { HELD } from './post-reference.ts'

/** A project as one workspace sees it: with the posts that this workspace holds in Upnext. */
export type PostScope = { team_id: string; project_id: string }

type ListOptions = CallOptions & {
  /** The service returns up to 100 posts a page. */
  maxPages: number
}

/** Posts of the service, followed by posts that are held in Upnext. */
export async function listPosts(
  { api, db }: Pick<Bot, 'api' | 'db'>,
  scope: PostScope,
  filter: PostFilter,
  options: ListOptions,
): Promise<ApiResult<PostList>> {
  const [listed, held] = await Promise.all([
    api.posts.listAll(scope.project_id, filter, options),
    listMatchingHeldPosts({ db }, scope, filter),
  ])
  if (listed.kind !== 'ok') return listed
  return { kind: 'ok', data: { ...listed.data, items: [...listed.data.items, ...held] } }
}

async function listMatchingHeldPosts(
  { db }: Pick<Bot, 'db'>,
  scope: PostScope,
  { status, platforms, schedule_date_from: from, schedule_date_to: to }: PostFilter,
): Promise<Post[]> {
  if (status?.length && !status.includes('SCHEDULED')) return []
  const range = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined }
  const posts = (await listHeldPosts(db, scope, range)).map(toPost)
  if (!platforms?.length) return posts
  return posts.filter(({ Platforms = [] }) => Platforms.some((platform) => platforms.includes(platform)))
}

/** A held post looks like one of the service. */
export function toPost({ id, body }: Pick<HeldPost, 'id' | 'body'>): Post {
  const { Content, Media, TemplateId, PromptId, ScheduleDate, Timezone, Platforms } = body
  const fields = { Content, Media, TemplateId, PromptId, ScheduleDate, Timezone, Platforms }
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
  return { Id: id, ...filled, Status: HELD, raw: body }
}
