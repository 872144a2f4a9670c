import type { Db } from './database/tables.ts'

/** False if a request with this signature was claimed before, by this instance or another. */
export async function claimSignature(db: Db, signature: string, received_at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('received_request')
    .values({ signature, received_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

export const deleteSignatures = (db: Db, receivedBefore: Date): Promise<unknown> =>
  db.deleteFrom('received_request').where('received_at', '<', receivedBefore).execute()
