import { sql } from 'kysely'
import type { Role } from '../allowed-values.ts'
import type { Db, Row } from './tables.ts'

/** Returns undefined if there is already a project with this name. */
export const insertProject = (db: Db, name: string): Promise<Row<'project'> | undefined> =>
  db
    .insertInto('project')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const listProjects = (db: Db): Promise<Row<'project'>[]> =>
  db.selectFrom('project').selectAll().orderBy('name').execute()

export const findProject = (db: Db, nameOrId: string): Promise<Row<'project'> | undefined> =>
  db
    .selectFrom('project')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb(eb.fn('lower', ['name']), '=', nameOrId.toLowerCase()),
        eb(eb.cast('id', 'text'), '=', nameOrId),
      ]),
    )
    .executeTakeFirst()

export const listProjectsOfUser = (db: Db, userId: string): Promise<(Row<'project'> & { role: Role })[]> =>
  db
    .selectFrom('project')
    .innerJoin('project_user', 'project_user.project_id', 'project.id')
    .selectAll('project')
    .select('role')
    .where('user_id', '=', userId)
    .where('status', '=', 'ACTIVE')
    .orderBy('name')
    .execute()

/** Keeps other transactions from changing the project's users until this one ends. */
export const lockProjectUsers = (db: Db, projectId: string): Promise<unknown> =>
  db.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().executeTakeFirst()

export async function hasProjects(db: Db): Promise<boolean> {
  return (await db.selectFrom('project').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Makes instances that start at once take turns, so that only the first one creates the demo projects. */
export const lockProjectTable = (db: Db): Promise<unknown> =>
  sql`lock table service.project in exclusive mode`.execute(db)
