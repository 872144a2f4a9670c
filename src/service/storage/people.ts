import type { Insertable, Updateable } from 'kysely'
import type { Role, UserStatus } from '../vocabulary.ts'
import type { Db, Row, Tables } from './tables.ts'

export type ProjectUser = Row<'project_user'> & { email: string }

/** The person with that address, made where there is none yet. */
export async function ensurePerson(db: Db, email: string): Promise<Row<'person'>> {
  await db
    .insertInto('person')
    .values({ email })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const person = await findPerson(db, email)
  if (!person) throw new Error(`The person ${email} was made and is not there.`)
  return person
}

export const findPerson = (db: Db, email: string): Promise<Row<'person'> | undefined> =>
  db
    .selectFrom('person')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()

type NewProjectUser = Insertable<Tables['project_user']>

/** Nothing where the person belongs to the project already. */
export const insertProjectUser = (db: Db, user: NewProjectUser): Promise<Row<'project_user'> | undefined> =>
  db
    .insertInto('project_user')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

type Membership = { project_id: string; user_id: string }

export const findProjectUser = (db: Db, membership: Membership): Promise<ProjectUser | undefined> =>
  db
    .selectFrom('project_user')
    .innerJoin('person', 'person.id', 'project_user.user_id')
    .selectAll('project_user')
    .select('email')
    .where('project_id', '=', membership.project_id)
    .where('user_id', '=', membership.user_id)
    .executeTakeFirst()

export const listProjectUsers = (db: Db, projectId: string): Promise<ProjectUser[]> =>
  db
    .selectFrom('project_user')
    .innerJoin('person', 'person.id', 'project_user.user_id')
    .selectAll('project_user')
    .select('email')
    .where('project_id', '=', projectId)
    .orderBy('email')
    .execute()

export const updateProjectUser = (
  db: Db,
  membership: Membership,
  change: Updateable<Tables['project_user']>,
): Promise<unknown> =>
  db
    .updateTable('project_user')
    .set(change)
    .where('project_id', '=', membership.project_id)
    .where('user_id', '=', membership.user_id)
    .execute()

/** Whether the project would be left with nobody to administer it. The members have to be locked. */
export async function wouldLoseLastAdmin(
  db: Db,
  user: Row<'project_user'>,
  change: { role: Role; status: UserStatus },
): Promise<boolean> {
  const administers = ({ role, status }: typeof change) => role === 'ADMIN' && status === 'ACTIVE'
  return administers(user) && !administers(change) && (await countOtherAdmins(db, user)) === 0
}

/** How many could still administer the project if this person could not. */
async function countOtherAdmins(db: Db, membership: Membership): Promise<number> {
  const { others } = await db
    .selectFrom('project_user')
    .select((eb) => eb.fn.countAll<string>().as('others'))
    .where('project_id', '=', membership.project_id)
    .where('user_id', '!=', membership.user_id)
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow()
  return Number(others)
}

export async function isAdminSomewhere(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('project_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
