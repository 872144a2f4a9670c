import type { Insertable, Updateable } from 'kysely'
import type { Role, UserStatus } from '../allowed-values.ts'
import type { Db, Row, Tables } from './tables.ts'

/**
 * A person's membership in a project. A person has one email address and can be a user of several projects.
 */
export type ProjectUser = Row<'project_user'> & { email: string }

export async function findOrCreatePerson(db: Db, email: string): Promise<Row<'person'>> {
  await db
    .insertInto('person')
    .values({ email })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const person = await findPerson(db, email)
  if (!person) throw new Error(`The person ${email} was deleted while being added.`)
  return person
}

export const findPerson = (db: Db, email: string): Promise<Row<'person'> | undefined> =>
  db
    .selectFrom('person')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()

type NewProjectUser = Insertable<Tables['project_user']>

/** Returns undefined if the person is already in the project. */
export const insertProjectUser = (db: Db, user: NewProjectUser): Promise<Row<'project_user'> | undefined> =>
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

export const findProjectUser = (db: Db, key: ProjectUserKey): Promise<ProjectUser | undefined> =>
  selectProjectUsers(db, key.project_id).where('user_id', '=', key.user_id).executeTakeFirst()

export const listProjectUsers = (db: Db, projectId: string): Promise<ProjectUser[]> =>
  selectProjectUsers(db, projectId).orderBy('email').execute()

export const updateProjectUser = (
  db: Db,
  key: ProjectUserKey,
  change: Updateable<Tables['project_user']>,
): Promise<unknown> =>
  db
    .updateTable('project_user')
    .set(change)
    .where('project_id', '=', key.project_id)
    .where('user_id', '=', key.user_id)
    .execute()

/** Whether the change would leave the project without an active admin. Requires lockProjectUsers. */
export async function wouldRemoveLastAdmin(
  db: Db,
  user: Row<'project_user'>,
  change: { role: Role; status: UserStatus },
): Promise<boolean> {
  if (!isActiveAdmin(user) || isActiveAdmin(change)) return false
  const otherAdmin = await selectActiveAdmins(db)
    .where('project_id', '=', user.project_id)
    .where('user_id', '!=', user.user_id)
    .executeTakeFirst()
  return otherAdmin === undefined
}

const isActiveAdmin = ({ role, status }: { role: Role; status: UserStatus }) =>
  role === 'ADMIN' && status === 'ACTIVE'

export async function isAdminOfAnyProject(db: Db, userId: string): Promise<boolean> {
  const admin = await selectActiveAdmins(db).where('user_id', '=', userId).executeTakeFirst()
  return admin !== undefined
}

const selectActiveAdmins = (db: Db) =>
  db
    .selectFrom('project_user')
    .select('user_id')
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .limit(1)
