import { prepareOne } from './database/prepare.ts'
import type { Db, Tables } from './database/tables.ts'

type ReceivedRequest = Tables['received_request']

const insertSignature = prepareOne((db, { signature, received_at }: ReceivedRequest) =>
  db
    .insertInto('received_request')
    .values({ signature, received_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('signature'),
)

/** False if a request with this signature was claimed before, by this instance or another. */
export const claimSignature = async (db: Db, request: ReceivedRequest): Promise<boolean> =>
  (await insertSignature(db, request)) !== undefined

export const deleteSignatures = (db: Db, receivedBefore: Date): Promise<unknown> =>
  db.deleteFrom('received_request').where('received_at', '<', receivedBefore).execute()
