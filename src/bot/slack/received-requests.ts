import type { Db, Tables } from '../database/tables.ts'
import type { Bot } from './bot.ts'

const CLAIM_TIMEOUT_MS = 500

/**
 * Whether a request with this signature was received before, by this instance or another. Also false if the database
 * doesn't say in time: Slack waits three seconds for an answer, and the handler says that the database can't be reached.
 * Socket Mode has no signatures.
 */
export async function isRepeatedRequest(
  { db, log, runtime }: Bot,
  signature: string | undefined,
): Promise<boolean> {
  if (!signature) return false
  const isFirst = claimRequest(db, { signature, received_at: runtime.now() }).catch((err) => {
    log.error({ err }, 'Failed to record a received request')
    return true
  })
  return !(await Promise.race([isFirst, runtime.sleep(CLAIM_TIMEOUT_MS).then(() => true)]))
}

async function claimRequest(db: Db, request: Tables['received_request']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('received_request')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
