import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import { SCHEMA } from '../database/queries.ts'
import type { Db, Tables } from '../database/tables.ts'
import { isChannelId } from './actor.ts'
import type { AuditEntry, AuditOutcome } from './tables.ts'

export type NewAuditEntry = Insertable<Tables['audit_entry']>

/** Used instead of a user's id in the entries of the operator's commands. */
export const OPERATOR = 'operator'

export const insertAuditEntry = (db: Db, entry: NewAuditEntry): Promise<unknown> =>
  db.insertInto('audit_entry').values(entry).execute()

/** The audit trail doesn't need phone numbers to identify people, so they aren't stored in it. */
export const withoutPhoneNumber = ({ PhoneNumber: _, ...values }: Record<string, unknown>) => values

const MAX_EARLIER_ENTRIES = 50

/** Values from earlier changes made from Slack. If a field changed more than once, its latest value counts. */
export async function findLatestValues(
  db: Db,
  { team_id, project_id, target }: { team_id: string; project_id?: string | undefined; target: string },
) {
  const entries = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where((eb) => eb.and({ team_id, target, outcome: 'done' }))
    // A person has one id in all projects, but a role in each. A channel can be moved from one project to another.
    .where((eb) => (project_id && !isChannelId(target) ? eb('project_id', '=', project_id) : eb.lit(true)))
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER_ENTRIES)
    .execute()
  return Object.assign({}, ...entries.toReversed().map(({ detail }) => detail?.after))
}

type ChangeFilter = {
  team_id: string
  target: string
  actions: string[]
  since: Date
}

/** Finds the user who last made one of these changes to the target. */
export async function findLatestEditor(
  db: Db,
  { team_id, target, actions, since }: ChangeFilter,
): Promise<string | undefined> {
  const entry = await db
    .selectFrom('audit_entry')
    .select('user_id')
    .where((eb) => eb.and({ team_id, target, outcome: 'done' }))
    .where('action', 'in', actions)
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return entry?.user_id
}

/** The last attempt at an action, whatever its outcome. */
export const findLatestAttempt = (
  db: Db,
  { team_id, target, action }: { team_id: string; target: string; action: string },
): Promise<Pick<AuditEntry, 'user_id' | 'outcome'> | undefined> =>
  db
    .selectFrom('audit_entry')
    .select(['user_id', 'outcome'])
    .where((eb) => eb.and({ team_id, target, action }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export type AuditFilter = {
  team_id: string
  user_ids?: string[]
  actions?: string[]
  outcomes?: AuditOutcome[]
  from?: Date
  to?: Date
}

/** The newest come first. */
export function listAuditEntries(
  db: Db,
  { team_id, user_ids, actions, outcomes, from, to }: AuditFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit_entry').selectAll().where('team_id', '=', team_id)
  if (user_ids) query = query.where('user_id', 'in', user_ids)
  if (actions)
    query = query.where((eb) =>
      eb.or(actions.flatMap((action) => [eb('action', '=', action), eb('action', 'like', `${action}:%`)])),
    )
  if (outcomes) query = query.where('outcome', 'in', outcomes)
  if (from) query = query.where('at', '>=', from)
  if (to) query = query.where('at', '<=', to)
  return readEntries(db, query.orderBy('id', 'desc').offset(offset).limit(limit))
}

type EntriesQuery = SelectQueryBuilder<Tables, 'audit_entry', AuditEntry>

/** An entry whose detail can't be decrypted must not hide the others. */
async function readEntries(db: Db, query: EntriesQuery): Promise<AuditEntry[]> {
  try {
    return await query.execute()
  } catch {
    const encrypted = db.withoutPlugins().withSchema(SCHEMA)
    const readFrom = (source: Db, id: string) =>
      source.selectFrom('audit_entry').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const entries: AuditEntry[] = []
    for (const { id } of await query.clearSelect().select('id').execute()) {
      const withoutDetail = async () => ({ ...(await readFrom(encrypted, id)), detail: null })
      entries.push(await readFrom(db, id).catch(withoutDetail))
    }
    return entries
  }
}

/** Maps the ids of these requests to the Slack ids of the users who made them. */
export async function findRequestUsers(
  db: Db,
  team_id: string,
  request_ids: string[],
): Promise<Map<string, string>> {
  if (!request_ids.length) return new Map()
  const rows = await db
    .selectFrom('audit_entry')
    .select(['request_id', 'user_id'])
    .where('team_id', '=', team_id)
    .where('request_id', 'in', request_ids)
    .execute()
  return new Map(rows.map(({ request_id, user_id }) => [request_id, user_id]))
}

/** The names of these users are looked up in Slack, which allows about 100 lookups a minute. */
export const MAX_AUDITED_USERS = 50

/** Returns the most recently active users first. */
export async function listAuditedUsers(db: Db, team_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('user_id')
    .where('team_id', '=', team_id)
    .groupBy('user_id')
    .orderBy(({ fn }) => fn.max('id'), 'desc')
    .limit(MAX_AUDITED_USERS)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

const EXPORT_PAGE_SIZE = 1000

/** All entries of all workspaces, the oldest first. */
export async function* readAllEntries(db: Db): AsyncGenerator<AuditEntry> {
  let lastId = '0'
  for (;;) {
    const entries = db.selectFrom('audit_entry').selectAll().where('id', '>', lastId)
    const page = await readEntries(db, entries.orderBy('id').limit(EXPORT_PAGE_SIZE))
    yield* page
    const last = page.at(-1)
    if (!last) return
    lastId = last.id
  }
}

/** The application's role may only add and read entries. This database function may also delete them. */
export const deleteExpiredEntries = (db: Db): Promise<unknown> =>
  sql`select upnext.delete_expired_audit_entries()`.execute(db)
