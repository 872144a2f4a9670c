import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { type Platform, POST_STATUSES, type PostStatus } from '../values-and-limits.ts'
import type { Db, Row, Tables } from './tables.ts'

export const insertPost = (db: Db, post: Insertable<Tables['post']>) =>
  db.insertInto('post').values(post).returningAll().executeTakeFirstOrThrow()

type PostKey = { project_id: string; id: string }

export const findPost = (db: Db, { project_id, id }: PostKey) =>
  db
    .selectFrom('post')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()

type PostVersion = PostKey & { version: number }

const NEXT_VERSION = sql<number>`post.version + 1`

/** Undefined if the post has another version, is published or doesn't exist. */
export const updatePost = (
  db: Db,
  { project_id, id, version }: PostVersion,
  change: Updateable<Tables['post']>,
) =>
  db
    .updateTable('post')
    .set({ ...change, version: NEXT_VERSION })
    .where((eb) => eb.and({ project_id, id, version }))
    .where('status', '!=', 'PUBLISHED')
    .returningAll()
    .executeTakeFirst()

/** Returns the deleted post. Undefined if it has another version, is published or doesn't exist. */
export const deletePost = (db: Db, { project_id, id, version }: PostVersion) =>
  db
    .deleteFrom('post')
    .where((eb) => eb.and({ project_id, id, version }))
    .where('status', '!=', 'PUBLISHED')
    .returningAll()
    .executeTakeFirst()

type PostFilter = {
  project_id: string
  schedule_date_from?: Date | undefined
  schedule_date_to?: Date | undefined
  platforms: Platform[]
  status: PostStatus[]
}

/** List Posts stops counting here, because counting all posts would be slow in large projects. */
const MAX_TOTAL = 1000

/** Returns a page of the matching posts and their total. `hasMore` means that the real total is larger. */
export async function listPosts(db: Db, query: PostFilter & { skip: number; limit: number }) {
  const { skip, limit, ...filter } = query
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
  const { project_id, schedule_date_from: from, schedule_date_to: to } = filter
  const statuses = filter.status.length ? filter.status : POST_STATUSES
  const platforms = filter.platforms.length ? filter.platforms : [undefined]
  const matchesWith = (status: PostStatus, platform: Platform | undefined) => {
    const conditions = [sql`project_id = ${project_id}`, sql`status = ${status}`]
    // PostgreSQL uses the platform's partial index only for a literal, not for a parameter.
    if (platform) conditions.push(sql`platforms @> array[${sql.lit(platform)}]`)
    if (from) conditions.push(sql`schedule_date >= ${from}`)
    if (to) conditions.push(sql`schedule_date <= ${to}`)
    return sql`(select id, schedule_date from service.post where ${sql.join(conditions, sql` and `)}
      order by schedule_date, id limit ${limit})`
  }
  const queries = statuses.flatMap((status) => platforms.map((platform) => matchesWith(status, platform)))
  return sql`(${sql.join(queries, platforms.length > 1 ? sql` union ` : sql` union all `)}) matching`
}

export function findNextPost(db: Db, projectId: string) {
  const posts = db.selectFrom('post').selectAll().where('project_id', '=', projectId)
  const scheduledPosts = posts.where('status', '=', 'SCHEDULED')
  return scheduledPosts.orderBy('schedule_date').orderBy('id').limit(1).executeTakeFirst()
}

/** Marks due posts as published, except those that another instance is publishing at the same time. */
export function markDuePostsPublished(db: Db, now: Date, limit: number): Promise<Row<'post'>[]> {
  const scheduled = db.selectFrom('post').select('id').where('status', '=', 'SCHEDULED')
  const due = scheduled.where('schedule_date', '<=', now).orderBy('schedule_date').limit(limit)
  return db
    .with('due', () => due.forUpdate().skipLocked())
    .updateTable('post')
    .from('due')
    .set({ status: 'PUBLISHED', published_at: now, version: NEXT_VERSION })
    .whereRef('post.id', '=', 'due.id')
    .returningAll('post')
    .execute()
}
