import { type Insertable, sql } from 'kysely'
import { readTraceparent } from '../../tracing/spans.ts'
import type { Platform, PostStatus } from '../values.ts'
import { type ChangeEntry, withLogEntry } from './logs-store.ts'
import { deleteRows, prepareOne, selectRows, updateRows } from './queries.ts'
import type { Db, PublishResult, Row, Tables } from './tables.ts'

/** Inserts a post as it is, without a log entry. */
export const insertPost = (db: Db, post: Insertable<Tables['post']>) =>
  db.insertInto('post').values(post).returningAll().executeTakeFirstOrThrow()

type PostKey = { project_id: string; id: string }

export const findPost = prepareOne((db, { project_id, id }: PostKey) =>
  selectRows(db, 'post', { project_id, id }),
)

const CONTENT_COLUMNS = [
  'content',
  'media',
  'media_description',
  'titles',
  'texts',
  'template_id',
  'prompt_id',
  'schedule_date',
  'timezone',
  'platforms',
  'status',
] as const

/** The columns of a post that users set. */
export type PostContent = Pick<Row<'post'>, (typeof CONTENT_COLUMNS)[number]>

const contentOf = (values: PostContent) =>
  Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, values[column]])) as PostContent

/** The trace of the latest change. Publishing the post continues this trace. */
type TraceColumns = Pick<Row<'post'>, 'traceparent'>

const currentTrace = (): TraceColumns => ({ traceparent: readTraceparent() ?? null })

const insertAndLogPost = prepareOne((db, values: PostContent & TraceColumns & ChangeEntry) => {
  const { project_id, created_at, traceparent } = values
  const post = { project_id, created_at, traceparent, ...contentOf(values) }
  return withLogEntry(db.insertInto('post').values(post).returningAll(), values)
})

export async function createPost(db: Db, content: PostContent, entry: ChangeEntry): Promise<Row<'post'>> {
  const post = await insertAndLogPost(db, { ...content, ...currentTrace(), ...entry })
  return post as Row<'post'>
}

type PostVersion = PostKey & { version: number }

const NEXT_VERSION = sql<number>`post.version + 1`

/** A post can't be changed once its publishing has begun, unless it has failed on all platforms. */
const IS_EDITABLE = sql<boolean>`(results is null and status <> 'PUBLISHED' or status = 'FAILED')`

export const isEditable = ({ results, status }: Pick<Row<'post'>, 'results' | 'status'>): boolean =>
  (!results && status !== 'PUBLISHED') || status === 'FAILED'

const updateAndLogPost = prepareOne((db, values: PostVersion & PostContent & TraceColumns & ChangeEntry) => {
  const { project_id, id, version, traceparent } = values
  const change = updateRows(db, 'post', { project_id, id, version })
    .set({ ...contentOf(values), traceparent, results: null, version: NEXT_VERSION })
    .where(IS_EDITABLE)
    .returningAll()
  return withLogEntry(change, values)
})

/** Returns undefined if the post has another version, can't be changed or doesn't exist. */
export const updatePost = (db: Db, key: PostVersion, content: PostContent, entry: ChangeEntry) =>
  updateAndLogPost(db, { ...key, ...content, ...currentTrace(), ...entry })

const deleteAndLogPost = prepareOne((db, values: PostVersion & ChangeEntry) => {
  const { project_id, id, version } = values
  const deletion = deleteRows(db, 'post', { project_id, id, version }).where(IS_EDITABLE).returningAll()
  return withLogEntry(deletion, values)
})

/** Returns the deleted post. Returns undefined if it has another version, can't be changed or doesn't exist. */
export const deletePost = (db: Db, key: PostVersion, entry: ChangeEntry) =>
  deleteAndLogPost(db, { ...key, ...entry })

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
  const fromMatching = sql`from service.post where ${conditionsOf(filter)}`
  // The count is a separate subquery, because a CTE would hold up to a thousand whole posts.
  const { rows } = await sql<Row<'post'> & { total: string }>`
    select page.*, total
      from (select count(*) as total from (select ${fromMatching} limit ${MAX_TOTAL + 1}) counted) counts
      left join (
        select * ${fromMatching} order by schedule_date, id offset ${skip} limit ${limit}
      ) page on true
      order by schedule_date, id`.execute(db)
  const total = Number(rows[0]?.total)
  return {
    // For a page without posts, the query returns one row that has only the total.
    posts: rows.filter((row) => row.id !== null),
    total: Math.min(total, MAX_TOTAL),
    hasMore: total > MAX_TOTAL,
  }
}

function conditionsOf({ project_id, schedule_date_from, schedule_date_to, platforms, status }: PostFilter) {
  const conditions = [sql`project_id = ${project_id}`]
  if (status.length) conditions.push(sql`status in (${sql.join(status)})`)
  if (platforms.length) conditions.push(sql`platforms && ${platforms}::text[]`)
  if (schedule_date_from) conditions.push(sql`schedule_date >= ${schedule_date_from}`)
  if (schedule_date_to) conditions.push(sql`schedule_date <= ${schedule_date_to}`)
  return sql.join(conditions, sql` and `)
}

/** Scheduled, and not being published yet. */
const WAITING = { status: 'SCHEDULED', results: null } as const

export const findNextPost = prepareOne((db, { project_id }: Pick<PostKey, 'project_id'>) =>
  selectRows(db, 'post', { project_id, ...WAITING })
    .orderBy('schedule_date')
    .orderBy('id')
    .limit(1),
)

/** The due time of the oldest post that isn't being published yet. */
export async function findOldestDueTime(db: Db, now: Date): Promise<Date | undefined> {
  const due = db
    .selectFrom('post')
    .where((eb) => eb.and(WAITING))
    .where('schedule_date', '<=', now)
  const row = await due.select(({ fn }) => fn.min('schedule_date').as('oldest')).executeTakeFirst()
  return row?.oldest ?? undefined
}

/** Locks due posts that aren't being published yet. Skips posts that another instance has locked. */
export const lockDuePosts = (db: Db, now: Date, limit: number): Promise<Row<'post'>[]> =>
  selectRows(db, 'post', WAITING)
    .where('schedule_date', '<=', now)
    .orderBy('schedule_date')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const lockPost = (db: Db, id: string) => selectRows(db, 'post', { id }).forUpdate().executeTakeFirst()

/** The columns of a post that publishing changes. */
export type Progress = { results: PublishResult[]; status: PostStatus; published_at: Date | null }

export async function saveProgress(db: Db, posts: (Progress & { id: string })[]): Promise<Row<'post'>[]> {
  if (!posts.length) return []
  const { rows } = await sql<Row<'post'>>`
    update service.post
      set results = saved.results, status = saved.status, published_at = saved.published_at, version = ${NEXT_VERSION}
      from jsonb_to_recordset(${JSON.stringify(posts)}::jsonb)
        as saved (id uuid, results jsonb, status text, published_at timestamptz)
      where post.id = saved.id
      returning post.*`.execute(db)
  return rows
}
