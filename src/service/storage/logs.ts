import type { Db, LogLevel, Row } from './tables.ts'

export type LogEntry = {
  project_id: string | null
  action: string
  message: string
  /** An e-mail address, or what did it where nobody did. */
  actor: string
  target_id?: string
  level?: LogLevel
  created_at: Date
}

export async function writeLog(db: Db, entries: LogEntry[]): Promise<void> {
  if (!entries.length) return
  const rows = entries.map((entry) => ({ level: 'INFO' as const, ...entry }))
  await db.insertInto('log').values(rows).execute()
}

type LogFilter = { project_id?: string; most: number }

/** Newest first. */
export const listLogs = (db: Db, { project_id, most }: LogFilter): Promise<Row<'log'>[]> =>
  db
    .selectFrom('log')
    .selectAll()
    .$if(project_id !== undefined, (query) => query.where('project_id', '=', project_id ?? null))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
