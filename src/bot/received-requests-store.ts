import { prepare } from './database/prepare.ts'
import type { Db, Tables } from './database/tables.ts'

type ReceivedRequest = Tables['received_request']

const insertSignature = prepare((db, { signature, received_at }: ReceivedRequest) =>
  db
    .insertInto('received_request')
    .values({ signature, received_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('signature'),
)

/** False if a request with this signature was claimed before, by this instance or another. */
export async function claimSignature(db: Db, request: ReceivedRequest): Promise<boolean> {
  const [claimed] = await insertSignature(db, request)
  return claimed !== undefined
}

export const deleteSignatures = (db: Db, receivedBefore: Date): Promise<unknown> =>
  db.deleteFrom('received_request').where('received_at', '<', receivedBefore).execute()
