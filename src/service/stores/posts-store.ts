import { CompiledQuery, type Insertable, sql } from 'kysely'
import { VARYING } from '../../database/statement-names.ts'
import { PLATFORMS, type Platform, POST_STATUSES, type PostStatus } from '../values-and-limits.ts'
import { type ChangeEntry, withLogEntry } from './logs-store.ts'
import { prepareOne } from './prepare.ts'
import type { Db, Row, Tables } from './tables.ts'

/** Inserts a post as it is, without a log entry. */
export const insertPost = (db: Db, post: Insertable<Tables['post']>) =>
  db.insertInto('post').values(post).returningAll().executeTakeFirstOrThrow()

type PostKey = { project_id: string; id: string }

export const findPost = prepareOne((db, { project_id, id }: PostKey) =>
  db
    .selectFrom('post')
    .selectAll()
    .where((eb) => eb.and({ project_id, id })),
)

const CONTENT_COLUMNS = [
  'content',
  'media',
  'template_id',
  'prompt_id',
  'schedule_date',
  'timezone',
  'platforms',
  'status',
] as const

/** What users decide about a post. */
export type PostContent = Pick<Row<'post'>, (typeof CONTENT_COLUMNS)[number]>

const contentOf = (values: PostContent) =>
  Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, values[column]])) as PostContent

const insertLoggedPost = prepareOne((db, values: PostContent & ChangeEntry) => {
  const { project_id, created_at } = values
  const post = { project_id, created_at, ...contentOf(values) }
  return withLogEntry(db.insertInto('post').values(post).returningAll(), values)
})

export async function createPost(db: Db, content: PostContent, entry: ChangeEntry): Promise<Row<'post'>> {
  const post = await insertLoggedPost(db, { ...content, ...entry })
  return post as Row<'post'>
}

type PostVersion = PostKey & { version: number }

const NEXT_VERSION = sql<number>`post.version + 1`

const updateLoggedPost = prepareOne((db, values: PostVersion & PostContent & ChangeEntry) => {
  const { project_id, id, version } = values
  const change = db
    .updateTable('post')
    .set({ ...contentOf(values), version: NEXT_VERSION })
    .where((eb) => eb.and({ project_id, id, version }))
    .where('status', '!=', 'PUBLISHED')
    .returningAll()
  return withLogEntry(change, values)
})

/** Undefined if the post has another version, is published or doesn't exist. */
export const updatePost = (db: Db, key: PostVersion, content: PostContent, entry: ChangeEntry) =>
  updateLoggedPost(db, { ...key, ...content, ...entry })

const deleteLoggedPost = prepareOne((db, values: PostVersion & ChangeEntry) => {
  const { project_id, id, version } = values
  const deletion = db
    .deleteFrom('post')
    .where((eb) => eb.and({ project_id, id, version }))
    .where('status', '!=', 'PUBLISHED')
    .returningAll()
  return withLogEntry(deletion, values)
})

/** Returns the deleted post. Undefined if it has another version, is published or doesn't exist. */
export const deletePost = (db: Db, key: PostVersion, entry: ChangeEntry) =>
  deleteLoggedPost(db, { ...key, ...entry })

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
  const { project_id, schedule_date_from: from, schedule_date_to: to, platforms, status } = filter
  const isFiltered = from || to || platforms.length || status.length
  const counted = isFiltered
    ? matchesOf(filter, 'schedule_date, id', MAX_TOTAL + 1)
    : 'select from service.post where project_id = $1'
  // Pages after the first are seldom listed twice.
  const text = `${skip ? VARYING : ''}
    select page.*, total
      from (select count(*) as total from (select from (${counted}) matching limit ${MAX_TOTAL + 1}) counted) counts
      left join (
        ${matchesOf(filter, '*', skip + limit)} order by schedule_date, id offset ${skip} limit ${limit}
      ) page on true
      order by schedule_date, id`
  const values = [project_id, from, to].filter((value) => value !== undefined)
  type Match = Row<'post'> & { total: string }
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Match>)
  const total = Number(rows[0]?.total)
  return {
    // A page without posts is one row with the total.
    posts: rows.filter((row) => row.id !== null),
    total: Math.min(total, MAX_TOTAL),
    hasMore: total > MAX_TOTAL,
  }
}

/**
 * Combines the first `limit` matches of each status and platform. Each of these queries reads its own index
 * in the order of the list, so a page takes the same time in a project with a million posts. A post that is on several
 * platforms matches once.
 *
 * The filter's names are part of the text: PostgreSQL uses the platform's partial index only for a literal.
 */
function matchesOf(filter: PostFilter, columns: string, limit: number): string {
  const { schedule_date_from: from, schedule_date_to: to } = filter
  const statuses = POST_STATUSES.filter((status) => !filter.status.length || filter.status.includes(status))
  const wanted = PLATFORMS.filter((platform) => filter.platforms.includes(platform))
  const platforms = wanted.length ? wanted : [undefined]
  const matchesWith = (status: PostStatus, platform: Platform | undefined) => {
    const conditions = ['project_id = $1', `status = '${status}'`]
    if (platform) conditions.push(`platforms @> array['${platform}']`)
    if (from) conditions.push('schedule_date >= $2')
    if (to) conditions.push(`schedule_date <= ${from ? '$3' : '$2'}`)
    return `(select ${columns} from service.post where ${conditions.join(' and ')}
      order by schedule_date, id limit ${limit})`
  }
  const queries = statuses.flatMap((status) => platforms.map((platform) => matchesWith(status, platform)))
  const distinct = platforms.length > 1 ? 'distinct on (schedule_date, id)' : ''
  return `select ${distinct} * from (${queries.join(' union all ')}) matching`
}

export const findNextPost = prepareOne((db, { project_id }: Pick<PostKey, 'project_id'>) =>
  db
    .selectFrom('post')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('status', '=', 'SCHEDULED')
    .orderBy('schedule_date')
    .orderBy('id')
    .limit(1),
)

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
