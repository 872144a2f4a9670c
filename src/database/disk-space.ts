import { statfs } from 'node:fs/promises'
import type { StoreAccess } from './database.ts'

/** PostgreSQL needs this much free space to keep writing, and to recover after a crash. */
const MIN_FREE_BYTES = 100 * 1024 ** 2

/** Resolves to false if the database has no space to store more. Rejects if that can't be determined. */
export async function hasFreeSpace({ pool, dataDir }: StoreAccess): Promise<boolean> {
  if (dataDir) {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize >= MIN_FREE_BYTES
  }
  try {
    // On a full disk, existing tables can often still be changed, so this creates a table, which is dropped on commit.
    await pool.query('create temporary table room on commit drop as select generate_series(1, 2000)')
    return true
  } catch (error) {
    if (UNWRITABLE_CODES.includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/** PostgreSQL's codes for a full disk, a disk error and a read-only database. */
const UNWRITABLE_CODES = ['53100', '58030', '25006']
