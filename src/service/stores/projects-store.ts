import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Returns undefined if there is already a project with this name. */
export const insertProject = (db: Db, name: string) =>
  db
    .insertInto('project')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const listProjects = (db: Db) => db.selectFrom('project').selectAll().orderBy('name').execute()

export function findProject(db: Db, nameOrId: string) {
  const isMatch = sql<boolean>`lower(name) = ${nameOrId.toLowerCase()} or id::text = ${nameOrId}`
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

/** Makes instances that start at once take turns, so that only the first one creates the demo projects. */
export const lockProjectTable = (db: Db) => sql`lock table service.project in exclusive mode`.execute(db)
