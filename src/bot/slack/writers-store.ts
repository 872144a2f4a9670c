import { ERASED } from '../../database/personal-data.ts'
import { selectRows } from '../database/row-queries.ts'
import type { Db, ProjectKey } from '../database/tables.ts'
import type { Writers } from './tables.ts'

/** Who may change the project. Undefined if everyone with the permission to write may change it. */
export async function findWriters(db: Db, { team_id, project_id }: ProjectKey): Promise<Writers | undefined> {
  const writers = await selectRows(db, 'project_writers', { team_id, project_id }).executeTakeFirst()
  // Erased people are left out, but the restriction stays.
  return writers && { ...writers, people: writers.people.filter((person) => person !== ERASED) }
}
