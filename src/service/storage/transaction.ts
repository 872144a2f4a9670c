import type { Transaction } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Runs `work` in one transaction, and takes back what it did where it throws or `takeBackIf` says so. */
export async function inTransaction<T>(
  db: Db,
  work: (db: Transaction<Tables>) => Promise<T>,
  takeBackIf: (result: T) => boolean = () => false,
): Promise<T> {
  const transaction = await db.startTransaction().execute()
  try {
    const result = await work(transaction)
    await (takeBackIf(result) ? transaction.rollback() : transaction.commit()).execute()
    return result
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => {}) // the first error is the one to tell
    throw error
  }
}
