import type { Db, Row } from './tables.ts'

type NewPrompt = Omit<Row<'prompt'>, 'id' | 'created_at'>

export const insertPrompt = (db: Db, prompt: NewPrompt): Promise<Row<'prompt'>> =>
  db.insertInto('prompt').values(prompt).returningAll().executeTakeFirstOrThrow()

export const findPrompt = (db: Db, projectId: string, id: string): Promise<Row<'prompt'> | undefined> =>
  db
    .selectFrom('prompt')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
