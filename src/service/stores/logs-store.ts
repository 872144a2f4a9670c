import { type Compilable, type Insertable, sql } from 'kysely'
import type { Db, LogLevel, Row, Tables } from './tables.ts'

/** The actor is "scheduler", "operator", or the email address of the user who acted. */
export type LogEntry = Omit<Insertable<Tables['log']>, 'level' | 'created_at'> & {
  level?: LogLevel
  created_at: Date
}

export async function insertLogEntries(db: Db, entries: LogEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ level: 'INFO' as const, ...entry }))
  await db.insertInto('log').values(rows).execute()
}

/** The log entry of a changed record. */
export type ChangeEntry = Pick<Row<'log'>, 'action' | 'message' | 'actor' | 'request_id' | 'created_at'> & {
  project_id: string
}

/** Makes the change, logs it and returns the record, all in one statement. If no record was changed, nothing is logged. */
export const withLogEntry = <Changed extends { id: string }>(
  change: Compilable<Changed>,
  { project_id, action, message, actor, request_id, created_at }: ChangeEntry,
) => sql<Changed>`
  with changed as (${change}),
    logged as (
      insert into service.log (project_id, level, action, message, actor, target_id, request_id, created_at)
      select ${project_id}, 'INFO', ${action}, ${message}, ${actor}, id, ${request_id}, ${created_at} from changed
    )
  select * from changed`

const DELETION_BATCH_SIZE = 1000

/** Returns whether there may be more to delete. */
export async function deleteLogEntries(db: Db, createdBefore: Date): Promise<boolean> {
  const oldest = db
    .selectFrom('log')
    .select('id')
    .where('created_at', '<', createdBefore)
    .orderBy('id')
    .limit(DELETION_BATCH_SIZE)
  const { numDeletedRows } = await db.deleteFrom('log').where('id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows) === DELETION_BATCH_SIZE
}

/** Returns one project's entries, or all entries, newest first. */
export function listLogEntries(db: Db, limit: number, projectId: string | undefined) {
  const newest = db.selectFrom('log').selectAll().orderBy('id', 'desc').limit(limit)
  return (projectId === undefined ? newest : newest.where('project_id', '=', projectId)).execute()
}
