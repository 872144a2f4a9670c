import type { PostFilter } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import type { ApiResult } from '../../../../api/result.ts'
import { addMs } from '../../../../runtime.ts'
import { DAY_MS } from '../../../database/table-rules.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { MAX_PUBLISHING_DELAY_MS } from '../display/overdue.ts'
import { type LoadedList, listProjectPosts } from './project-posts.ts'

const MAX_PAGES = 5

export type LoadPosts = (changes?: PostFilter) => Promise<ApiResult<LoadedList>>

export const createLoader =
  (bot: Pick<Bot, 'api' | 'db'>, scope: ProjectKey, filter: PostFilter): LoadPosts =>
  (changes) =>
    listProjectPosts(bot, scope, { ...filter, ...changes }, { maxPages: MAX_PAGES, hasFallback: true })

/** Loads the posts that aren't out yet, and also the drafts that have no date or whose date has passed. */
export async function loadUpcoming(load: LoadPosts, now: Date): Promise<ApiResult<LoadedList>> {
  const from = addMs(now, -MAX_PUBLISHING_DELAY_MS)
  return mergeLists(
    await Promise.all([load({ schedule_date_from: from.toISOString() }), load({ status: ['DRAFT'] })]),
  )
}

export const SEARCH_DAYS = 90
/** A service lists the oldest posts first, so the latest ones are loaded period by period, going back from now. */
const LOOKBACK_DAYS = [0, 2, 14, 45, SEARCH_DAYS]

const periodsBefore = (now: Date): PostFilter[] =>
  LOOKBACK_DAYS.slice(1).map((days, index) => ({
    schedule_date_from: addMs(now, -days * DAY_MS).toISOString(),
    schedule_date_to: addMs(now, -(LOOKBACK_DAYS[index] ?? 0) * DAY_MS).toISOString(),
  }))

/** As many past posts as most users look through. */
const MIN_LATEST_POSTS = 25

/** Loads past posts, the latest first, until enough of them match `isWanted`. */
export async function loadLatest(
  load: LoadPosts,
  now: Date,
  isWanted: (post: Post) => boolean,
): Promise<ApiResult<LoadedList>> {
  const lists: ApiResult<LoadedList>[] = []
  for (const period of periodsBefore(now)) {
    lists.push(await load(period))
    const merged = mergeLists(lists)
    if (merged.kind !== 'ok' || merged.data.failure) return merged
    if (merged.data.items.filter(isWanted).length >= MIN_LATEST_POSTS)
      return { kind: 'ok', data: { ...merged.data, hasMore: true } }
  }
  return mergeLists([...lists, await load()])
}

/** Loads the upcoming posts and those of the last `SEARCH_DAYS`, for a search. */
export async function loadForSearch(load: LoadPosts, now: Date): Promise<ApiResult<LoadedList>> {
  return mergeLists(await Promise.all([loadUpcoming(load, now), ...periodsBefore(now).map(load)]))
}

/** The posts of all lists, each once, because the lists may overlap. */
export function mergeLists(lists: ApiResult<LoadedList>[]): ApiResult<LoadedList> {
  const loaded = lists.flatMap((list) => (list.kind === 'ok' ? [list.data] : []))
  const failure = loaded.find((list) => list.failure)?.failure
  const failed = lists.find((list) => list.kind !== 'ok')
  if (failed && !failure) return failed
  const byKey = new Map(
    loaded.flatMap(({ items }) => items).map((post) => [post.Id ?? JSON.stringify(post.raw), post]),
  )
  return {
    kind: 'ok',
    data: {
      items: [...byKey.values()],
      hasMore: loaded.some(({ hasMore }) => hasMore),
      isReadable: loaded.every(({ isReadable }) => isReadable),
      ...(failure && { failure }),
    },
  }
}
