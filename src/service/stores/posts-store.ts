import { type Insertable, type RawBuilder, sql } from 'kysely'
import { type Platform, POST_STATUSES, type PostStatus } from '../allowed-values.ts'
import type { Db, Row, Tables } from './tables.ts'

export type NewPost = Omit<Insertable<Tables['post']>, 'id'>

export const insertPost = (db: Db, post: NewPost): Promise<Row<'post'>> =>
  db.insertInto('post').values(post).returningAll().executeTakeFirstOrThrow()

export type PostFilter = {
  project_id: string
  skip: number
  limit: number
  from: Date | undefined
  to: Date | undefined
  platforms: Platform[]
  statuses: PostStatus[]
}

export type PostPage = { posts: Row<'post'>[]; total: number; hasMore: boolean }

/** List Posts stops counting here, because counting all posts would be slow in large projects. */
const MAX_TOTAL = 1000

/**
 * Returns a page of the matching posts and their total. `hasMore` means that the total is larger than shown.
 */
export async function listPosts(db: Db, filter: PostFilter): Promise<PostPage> {
  const { skip, limit } = filter
  const page = sql<Row<'post'>>`
    select post.* from (
      select id, schedule_date from ${firstMatches(filter, skip + limit)}
      order by schedule_date, id offset ${skip} limit ${limit}
    ) page join service.post using (id) order by page.schedule_date, page.id`
  const count = sql<{ total: string }>`
    select count(*) as total from (
      select from ${firstMatches(filter, MAX_TOTAL + 1)} limit ${MAX_TOTAL + 1}
    ) counted`
  const [{ rows: posts }, { rows: counts }] = await Promise.all([page.execute(db), count.execute(db)])
  const total = Number(counts[0]?.total)
  return { posts, total: Math.min(total, MAX_TOTAL), hasMore: total > MAX_TOTAL }
}

/**
 * Combines the first `limit` matches of each status and platform. Each of these queries reads its own index
 * in the order of the list, so a page takes the same time in a project with a million posts. `union` removes
 * the duplicates of a post that is on several platforms.
 */
function firstMatches(filter: PostFilter, limit: number): RawBuilder<unknown> {
  const statuses = filter.statuses.length ? filter.statuses : POST_STATUSES
  const platforms = filter.platforms.length ? filter.platforms : [undefined]
  const queries = statuses.flatMap((status) =>
    platforms.map((platform) => firstMatchesWith(filter, limit, status, platform)),
  )
  return sql`(${sql.join(queries, platforms.length > 1 ? sql` union ` : sql` union all `)}) matching`
}

function firstMatchesWith(
  filter: PostFilter,
  limit: number,
  status: PostStatus,
  platform: Platform | undefined,
): RawBuilder<unknown> {
  const conditions = [sql`project_id = ${filter.project_id}`, sql`status = ${status}`]
  // PostgreSQL uses the platform's partial index only for a literal, not for a parameter.
  if (platform) conditions.push(sql`platforms @> array[${sql.lit(platform)}]`)
  if (filter.from) conditions.push(sql`schedule_date >= ${filter.from}`)
  if (filter.to) conditions.push(sql`schedule_date <= ${filter.to}`)
  return sql`(select id, schedule_date from service.post where ${sql.join(conditions, sql` and `)}
    order by schedule_date, id limit ${limit})`
}

export const findNextPost = (db: Db, projectId: string): Promise<Row<'post'> | undefined> =>
  db
    .selectFrom('post')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', '=', 'SCHEDULED')
    .orderBy('schedule_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Marks due posts as published, except those that another instance is publishing at the same time. */
export async function markDuePostsPublished(db: Db, now: Date, limit: number): Promise<Row<'post'>[]> {
  const due = db
    .selectFrom('post')
    .select('id')
    .where('status', '=', 'SCHEDULED')
    .where('schedule_date', '<=', now)
    .orderBy('schedule_date')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return db
    .with('due', () => due)
    .updateTable('post')
    .from('due')
    .set({ status: 'PUBLISHED', published_at: now })
    .whereRef('post.id', '=', 'due.id')
    .returningAll('post')
    .execute()
}
