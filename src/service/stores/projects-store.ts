import { type Insertable, sql, type Updateable } from 'kysely'
import { deleteRows, saveRow, selectRows } from './queries.ts'
import type { Db, Tables } from './tables.ts'

/** Returns undefined if there is already a project with this name. */
export const insertProject = (db: Db, name: string) =>
  db
    .insertInto('project')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const listProjects = (db: Db) => db.selectFrom('project').selectAll().orderBy('name').execute()

export const updateProject = (db: Db, id: string, change: Updateable<Tables['project']>) =>
  db.updateTable('project').set(change).where('id', '=', id).execute()

export function findProject(db: Db, nameOrId: string) {
  const isMatch = sql<boolean>`lower(name) = lower(${nameOrId}) or id::text = ${nameOrId}`
  return db.selectFrom('project').selectAll().where(isMatch).executeTakeFirst()
}

export const listProjectsOfUser = (db: Db, user_id: string) =>
  db
    .selectFrom('project')
    .innerJoin('project_user', 'project_user.project_id', 'project.id')
    .selectAll('project')
    .select('role')
    .where((eb) => eb.and({ user_id, status: 'ACTIVE' }))
    .orderBy('name')
    .execute()

/** Keeps other transactions from changing the project's users until this one ends. */
export const lockProjectUsers = (db: Db, projectId: string) =>
  db.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().execute()

/** Makes instances that start simultaneously take turns, so that only the first one creates the demo projects. */
export const lockProjectTable = (db: Db) => sql`lock table service.project in exclusive mode`.execute(db)

export const saveWebhook = (db: Db, webhook: Insertable<Tables['webhook']>) =>
  saveRow(db, 'webhook', ['project_id'], webhook)

export const findWebhook = (db: Db, project_id: string) =>
  selectRows(db, 'webhook', { project_id }).executeTakeFirst()

export async function findProjectsWithWebhook(db: Db, projectIds: string[]): Promise<Set<string>> {
  const webhooks = db.selectFrom('webhook').select('project_id').where('project_id', 'in', projectIds)
  const rows = await webhooks.execute()
  return new Set(rows.map((row) => row.project_id))
}

export const deleteWebhook = (db: Db, webhook: { project_id: string; url?: string }) =>
  deleteRows(db, 'webhook', webhook).returningAll().executeTakeFirst()
