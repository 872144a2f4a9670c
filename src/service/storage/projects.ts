import { sql } from 'kysely'
import type { Role } from '../vocabulary.ts'
import type { Db, Row } from './tables.ts'

export const insertProject = (db: Db, name: string): Promise<Row<'project'> | undefined> =>
  db
    .insertInto('project')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const listProjects = (db: Db): Promise<Row<'project'>[]> =>
  db.selectFrom('project').selectAll().orderBy('name').execute()

export const findProject = (db: Db, name: string): Promise<Row<'project'> | undefined> =>
  db
    .selectFrom('project')
    .selectAll()
    .where((eb) =>
      eb.or([eb(eb.fn('lower', ['name']), '=', name.toLowerCase()), eb(eb.cast('id', 'text'), '=', name)]),
    )
    .executeTakeFirst()

export const listProjectsOf = (db: Db, userId: string): Promise<(Row<'project'> & { role: Role })[]> =>
  db
    .selectFrom('project')
    .innerJoin('project_user', 'project_user.project_id', 'project.id')
    .selectAll('project')
    .select('role')
    .where('user_id', '=', userId)
    .where('status', '=', 'ACTIVE')
    .orderBy('name')
    .execute()

/** Until the end of the transaction nobody else changes who belongs to the project. */
export const lockMembers = (db: Db, projectId: string): Promise<unknown> =>
  db.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().executeTakeFirst()

export async function isAnyProjectThere(db: Db): Promise<boolean> {
  return (await db.selectFrom('project').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Two first starts at once: the second one waits, and finds the first one's projects. */
export const lockForSeeding = (db: Db): Promise<unknown> =>
  sql`lock table service.project in exclusive mode`.execute(db)
