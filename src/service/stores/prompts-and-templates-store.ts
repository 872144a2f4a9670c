import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from './tables.ts'

type NewPrompt = Omit<Insertable<Tables['prompt']>, 'id'>

export const insertPrompt = (db: Db, prompt: NewPrompt): Promise<Row<'prompt'>> =>
  db.insertInto('prompt').values(prompt).returningAll().executeTakeFirstOrThrow()

export const findPrompt = (db: Db, projectId: string, id: string): Promise<Row<'prompt'> | undefined> =>
  db
    .selectFrom('prompt')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()

type NewTemplate = Omit<Row<'template'>, 'id' | 'created_at'>

export const insertTemplate = (db: Db, template: NewTemplate): Promise<Row<'template'>> =>
  db.insertInto('template').values(template).returningAll().executeTakeFirstOrThrow()

const selectTemplates = (db: Db, projectId: string) =>
  db.selectFrom('template').selectAll().where('project_id', '=', projectId)

export const findTemplate = (db: Db, projectId: string, id: string): Promise<Row<'template'> | undefined> =>
  selectTemplates(db, projectId).where('id', '=', id).executeTakeFirst()

export const listTemplates = (db: Db, projectId: string): Promise<Row<'template'>[]> =>
  selectTemplates(db, projectId).orderBy('created_at').orderBy('id').execute()
