import type { Db, Row } from './tables.ts'

type NewTemplate = Omit<Row<'template'>, 'id' | 'created_at'>

export const insertTemplate = (db: Db, template: NewTemplate): Promise<Row<'template'>> =>
  db.insertInto('template').values(template).returningAll().executeTakeFirstOrThrow()

export const listTemplates = (db: Db, projectId: string): Promise<Row<'template'>[]> =>
  db
    .selectFrom('template')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findTemplate = (db: Db, projectId: string, id: string): Promise<Row<'template'> | undefined> =>
  db
    .selectFrom('template')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
