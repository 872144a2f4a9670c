import type { Insertable, Updateable } from 'kysely'
import { selectRows, updateRows } from './queries.ts'
import type { Db, Tables } from './tables.ts'

export const insertPrompt = (db: Db, prompt: Insertable<Tables['prompt']>) =>
  db.insertInto('prompt').values(prompt).returningAll().executeTakeFirstOrThrow()

export const findPrompt = (db: Db, project_id: string, id: string) =>
  selectRows(db, 'prompt', { project_id, id }).executeTakeFirst()

export const insertTemplate = (db: Db, template: Insertable<Tables['template']>) =>
  db.insertInto('template').values(template).returningAll().executeTakeFirstOrThrow()

export const findTemplate = (db: Db, project_id: string, id: string) =>
  selectRows(db, 'template', { project_id, id }).executeTakeFirst()

export const listTemplates = (db: Db, project_id: string) =>
  selectRows(db, 'template', { project_id }).orderBy('created_at').orderBy('id').execute()

export const insertSource = (db: Db, source: Insertable<Tables['source']>) =>
  db.insertInto('source').values(source).returningAll().executeTakeFirstOrThrow()

export const listSources = (db: Db, project_id: string) =>
  selectRows(db, 'source', { project_id }).orderBy('created_at').orderBy('id').execute()

type SourceKey = { project_id: string; id: string }

export const updateSource = (db: Db, key: SourceKey, change: Updateable<Tables['source']>) =>
  updateRows(db, 'source', key).set(change).returningAll().executeTakeFirst()
