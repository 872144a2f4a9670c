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
