import type { Insertable } from 'kysely'
import type { Db, Tables } from './tables.ts'

export const saveWebhook = (db: Db, { project_id, ...webhook }: Insertable<Tables['webhook']>) =>
  db
    .insertInto('webhook')
    .values({ project_id, ...webhook })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(webhook))
    .execute()

export const findWebhook = (db: Db, projectId: string) =>
  db.selectFrom('webhook').selectAll().where('project_id', '=', projectId).executeTakeFirst()

export async function findProjectsWithWebhook(db: Db, projectIds: string[]): Promise<Set<string>> {
  const webhooks = db.selectFrom('webhook').select('project_id').where('project_id', 'in', projectIds)
  const rows = await webhooks.execute()
  return new Set(rows.map((row) => row.project_id))
}

export const deleteWebhook = (db: Db, projectId: string) =>
  db.deleteFrom('webhook').where('project_id', '=', projectId).returningAll().executeTakeFirst()
