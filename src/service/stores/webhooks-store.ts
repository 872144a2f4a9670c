import type { Db, Row } from './tables.ts'

type NewWebhook = { project_id: string; url: string; secret: string }

export const saveWebhook = (db: Db, webhook: NewWebhook): Promise<unknown> =>
  db
    .insertInto('webhook')
    .values(webhook)
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ url: webhook.url, secret: webhook.secret }),
    )
    .execute()

export const findWebhook = (db: Db, projectId: string): Promise<Row<'webhook'> | undefined> =>
  db.selectFrom('webhook').selectAll().where('project_id', '=', projectId).executeTakeFirst()

export async function findProjectsWithWebhook(db: Db, projectIds: string[]): Promise<Set<string>> {
  if (!projectIds.length) return new Set()
  const rows = await db
    .selectFrom('webhook')
    .select('project_id')
    .where('project_id', 'in', projectIds)
    .execute()
  return new Set(rows.map((row) => row.project_id))
}

export const deleteWebhook = (db: Db, projectId: string): Promise<Row<'webhook'> | undefined> =>
  db.deleteFrom('webhook').where('project_id', '=', projectId).returningAll().executeTakeFirst()
