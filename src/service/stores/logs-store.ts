import type { Db, LogLevel, Row } from './tables.ts'

export type LogEntry = {
  project_id: string | null
  action: string
  message: string
  /** The email address of the user who did it, "scheduler" or "operator". */
  actor: string
  target_id?: string
  level?: LogLevel
  created_at: Date
}

export async function insertLogEntries(db: Db, entries: LogEntry[]): Promise<void> {
  if (!entries.length) return
  const rows = entries.map((entry) => ({ level: 'INFO' as const, ...entry }))
  await db.insertInto('log').values(rows).execute()
}

type LogFilter = { project_id?: string | undefined; limit: number }

/** Returns the newest entries first. */
export const listLogEntries = (db: Db, { project_id, limit }: LogFilter): Promise<Row<'log'>[]> =>
  db
    .selectFrom('log')
    .selectAll()
    .$if(project_id !== undefined, (query) => query.where('project_id', '=', project_id ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
