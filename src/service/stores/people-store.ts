import { type Insertable, sql, type Updateable } from 'kysely'
import { deleteRows, updateRows } from './queries.ts'
import type { Db, Row, Tables } from './tables.ts'

/** A person's membership in a project. The same person can be a user of several projects. */
export type ProjectUser = Row<'project_user'> & { email: string }

const LOWER_EMAIL = sql<string>`lower(email)`

export const findOrCreatePerson = (db: Db, email: string) =>
  db
    .insertInto('person')
    .values({ email })
    // An existing person keeps their email address. The update only makes the query return the existing row.
    .onConflict((conflict) =>
      conflict.expression(LOWER_EMAIL).doUpdateSet({ email: (eb) => eb.ref('person.email') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const findPerson = (db: Db, email: string) =>
  db.selectFrom('person').selectAll().where(LOWER_EMAIL, '=', email.toLowerCase()).executeTakeFirst()

/** Returns undefined if the person is already in the project. */
export const insertProjectUser = (db: Db, user: Insertable<Tables['project_user']>) =>
  db
    .insertInto('project_user')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

const selectProjectUsers = (db: Db, projectId: string) =>
  db
    .selectFrom('project_user')
    .innerJoin('person', 'person.id', 'project_user.user_id')
    .selectAll('project_user')
    .select('email')
    .where('project_id', '=', projectId)

type ProjectUserKey = { project_id: string; user_id: string }

export const findProjectUser = (db: Db, { project_id, user_id }: ProjectUserKey) =>
  selectProjectUsers(db, project_id).where('user_id', '=', user_id).executeTakeFirst()

export const listProjectUsers = (db: Db, projectId: string) =>
  selectProjectUsers(db, projectId).orderBy('email').execute()

export const updateProjectUser = (db: Db, key: ProjectUserKey, change: Updateable<Tables['project_user']>) =>
  updateRows(db, 'project_user', key).set(change).execute()

export const deleteProjectUser = (db: Db, { project_id, user_id }: ProjectUserKey) =>
  deleteRows(db, 'project_user', { project_id, user_id }).execute()

type Permissions = Pick<Row<'project_user'>, 'role' | 'status'>

const isActiveAdmin = ({ role, status }: Permissions) => role === 'ADMIN' && status === 'ACTIVE'

const selectActiveAdmins = (db: Db) =>
  db.selectFrom('project_user').select('user_id').where('role', '=', 'ADMIN').where('status', '=', 'ACTIVE')

/** Whether the change would leave the project without an active admin. Requires lockProjectUsers. */
export async function wouldRemoveLastAdmin(db: Db, user: Row<'project_user'>, change: Permissions) {
  if (!isActiveAdmin(user) || isActiveAdmin(change)) return false
  const admins = await selectActiveAdmins(db).where('project_id', '=', user.project_id).limit(2).execute()
  return admins.length === 1
}

export async function isAdminOfAnyProject(db: Db, userId: string): Promise<boolean> {
  const admin = await selectActiveAdmins(db).where('user_id', '=', userId).limit(1).executeTakeFirst()
  return admin !== undefined
}
