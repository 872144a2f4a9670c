import type { Insertable, Updateable } from 'kysely'
import type { Db, Tables } from './tables.ts'

export const insertPrompt = (db: Db, prompt: Insertable<Tables['prompt']>) =>
  db.insertInto('prompt').values(prompt).returningAll().executeTakeFirstOrThrow()

export function findPrompt(db: Db, projectId: string, id: string) {
  const prompts = db.selectFrom('prompt').selectAll().where('project_id', '=', projectId)
  return prompts.where('id', '=', id).executeTakeFirst()
}

export const insertTemplate = (db: Db, template: Insertable<Tables['template']>) =>
  db.insertInto('template').values(template).returningAll().executeTakeFirstOrThrow()

const selectTemplates = (db: Db, projectId: string) =>
  db.selectFrom('template').selectAll().where('project_id', '=', projectId)

export const findTemplate = (db: Db, projectId: string, id: string) =>
  selectTemplates(db, projectId).where('id', '=', id).executeTakeFirst()

export const listTemplates = (db: Db, projectId: string) =>
  selectTemplates(db, projectId).orderBy('created_at').orderBy('id').execute()

export const insertSource = (db: Db, source: Insertable<Tables['source']>) =>
  db.insertInto('source').values(source).returningAll().executeTakeFirstOrThrow()

export function listSources(db: Db, projectId: string) {
  const sources = db.selectFrom('source').selectAll().where('project_id', '=', projectId)
  return sources.orderBy('created_at').orderBy('id').execute()
}

type SourceKey = { project_id: string; id: string }

export const updateSource = (db: Db, key: SourceKey, change: Updateable<Tables['source']>) =>
  db
    .updateTable('source')
    .set(change)
    .where((eb) => eb.and(key))
    .returningAll()
    .executeTakeFirst()
