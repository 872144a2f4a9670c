import { lockUntilEnd } from '../../database/lock-until-end.ts'
import type { Db } from './tables.ts'

type Replacement<Value> = {
  /** Replacements with the same lock run one after another. */
  lock: string
  /** The version that the person saw when they opened the form. */
  seen: string
  next: Value
  find: (transaction: Db) => Promise<Value>
  versionOf: (value: Value) => string
  write: (transaction: Db) => Promise<unknown>
}

/** Replaces what a person saw. Returns false if someone else has changed it since. */
export const replaceIfUnchanged = <Value>(
  db: Db,
  { lock, seen, next, find, versionOf, write }: Replacement<Value>,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await lockUntilEnd(transaction, lock)
    const current = versionOf(await find(transaction))
    // After a second click, it is already replaced.
    if (current === versionOf(next)) return true
    if (current !== seen) return false
    await write(transaction)
    return true
  })
