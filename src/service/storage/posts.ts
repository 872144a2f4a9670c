import { type Insertable, type RawBuilder, sql } from 'kysely'
import { type Platform, POST_STATUSES, type PostStatus } from '../vocabulary.ts'
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

export type PostPage = { posts: Row<'post'>[]; total: number; exact: boolean }

const COUNTED = 1000

export async function listPosts(db: Db, filter: PostFilter): Promise<PostPage> {
  const { skip, limit } = filter
  const page = sql<Row<'post'>>`
    select post.* from (
      select id, schedule_date from ${matching(filter, skip + limit)}
      order by schedule_date, id offset ${skip} limit ${limit}
    ) page join service.post using (id) order by page.schedule_date, page.id`
  const count = sql<{ total: string }>`
    select count(*) as total from (select from ${matching(filter, COUNTED + 1)} limit ${COUNTED + 1}) counted`
  const [{ rows: posts }, { rows: counts }] = await Promise.all([page.execute(db), count.execute(db)])
  const total = Number(counts[0]?.total)
  return { posts, total: Math.min(total, COUNTED), exact: total <= COUNTED }
}

/**
 * The first `depth` matches of each status and platform, together. Each part walks an index of its own in the order of
 * the list, so that a page costs the same in a project of a million posts; a post on two platforms is found twice.
 */
function matching(filter: PostFilter, depth: number): RawBuilder<unknown> {
  const statuses = filter.statuses.length ? filter.statuses : POST_STATUSES
  const platforms = filter.platforms.length ? filter.platforms : [undefined]
  const parts = statuses.flatMap((status) =>
    platforms.map((platform) => part(filter, depth, status, platform)),
  )
  return sql`(${sql.join(parts, platforms.length > 1 ? sql` union ` : sql` union all `)}) matching`
}

function part(filter: PostFilter, depth: number, status: PostStatus, platform: Platform | undefined) {
  const conditions = [sql`project_id = ${filter.project_id}`, sql`status = ${status}`]
  // A literal, not a parameter: only so can it be matched with the partial index of that platform.
  if (platform) conditions.push(sql`platforms @> array[${sql.lit(platform)}]`)
  if (filter.from) conditions.push(sql`schedule_date >= ${filter.from}`)
  if (filter.to) conditions.push(sql`schedule_date <= ${filter.to}`)
  return sql`(select id, schedule_date from service.post where ${sql.join(conditions, sql` and `)}
    order by schedule_date, id limit ${depth})`
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

/** Marks up to `most` due posts as published. Rows that another instance is at are skipped, not waited for. */
export async function takeDuePosts(db: Db, now: Date, most: number): Promise<Row<'post'>[]> {
  const due = db
    .selectFrom('post')
    .select('id')
    .where('status', '=', 'SCHEDULED')
    .where('schedule_date', '<=', now)
    .orderBy('schedule_date')
    .limit(most)
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
