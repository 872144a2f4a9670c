import type { Updateable } from 'kysely'
import type { Db, Row, Tables } from './tables.ts'

type NewSource = { project_id: string; source: string; description: string | null }

export const insertSource = (db: Db, source: NewSource): Promise<Row<'source'>> =>
  db.insertInto('source').values(source).returningAll().executeTakeFirstOrThrow()

export const listSources = (db: Db, projectId: string): Promise<Row<'source'>[]> =>
  db
    .selectFrom('source')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

type SourceKey = { project_id: string; id: string }

export const updateSource = (
  db: Db,
  key: SourceKey,
  change: Updateable<Tables['source']>,
): Promise<Row<'source'> | undefined> =>
  db
    .updateTable('source')
    .set(change)
    .where('project_id', '=', key.project_id)
    .where('id', '=', key.id)
    .returningAll()
    .executeTakeFirst()
