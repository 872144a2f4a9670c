import { ERASED } from '../../database/personal-data.ts'
import { replaceIfUnchanged } from '../database/replace-if-unchanged.ts'
import { shortHash } from '../database/short-hash.ts'
import type { Db, ProjectKey } from '../database/tables.ts'
import type { Writers } from './tables.ts'

/** Who may change the project. Undefined if everyone with the permission to write may change it. */
export async function findWriters(db: Db, { team_id, project_id }: ProjectKey): Promise<Writers | undefined> {
  const writers = await db
    .selectFrom('project_writers')
    .selectAll()
    .where((eb) => eb.and({ team_id, project_id }))
    .executeTakeFirst()
  // The restriction outlasts the people that it named.
  return writers && { ...writers, people: writers.people.filter((person) => person !== ERASED) }
}

/** Replaces the writers that an admin saw. Returns false if someone else has changed them since. */
export const replaceWriters = (
  db: Db,
  project: ProjectKey,
  { seen, writers }: { seen: string; writers: Writers | undefined },
): Promise<boolean> =>
  replaceIfUnchanged(db, {
    table: 'project_writers',
    project,
    lock: `writers ${project.project_id}`,
    seen,
    next: writers,
    row: writers,
    find: (transaction) => findWriters(transaction, project),
    versionOf: versionOfWriters,
  })

/** Identifies the writers as the form showed them. */
export const versionOfWriters = (writers: Writers | undefined): string =>
  writers ? shortHash(JSON.stringify([writers.people, writers.user_group])) : 'everyone'
