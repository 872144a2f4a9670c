import { statfs } from 'node:fs/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { StoreAccess } from './database.ts'
import { checkRunningInstances } from './declared-keys.ts'

/** Rejects if the database can't be reached, and with WrongKeyError if this instance and another can't read what both store. */
export const checkDeclaredKeys = ({ pool, encryption }: StoreAccess): Promise<void> =>
  checkRunningInstances(new Kysely({ dialect: new PostgresDialect({ pool }) }), encryption)

/** PostgreSQL needs it to go on writing, and to recover after a crash. */
const MIN_FREE_BYTES = 100 * 1024 ** 2

/** Resolves to false if the database can't store more. Rejects if that can't be found out. */
export async function hasRoom({ pool, dataDir }: StoreAccess): Promise<boolean> {
  if (dataDir) {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize >= MIN_FREE_BYTES
  }
  try {
    // Rows of existing tables can often be changed on a full disk. A new table needs room, if only for this statement.
    await pool.query('create temporary table room on commit drop as select generate_series(1, 2000)')
    return true
  } catch (error) {
    if (FULL_CODES.includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/** PostgreSQL's codes for a full disk, an error of the disk, and a database that only allows reading. */
const FULL_CODES = ['53100', '58030', '25006']
