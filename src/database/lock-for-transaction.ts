import { type Kysely, sql } from 'kysely'

/** Transactions with the same lock run one after another. */
// biome-ignore lint/suspicious/noExplicitAny: the bot and the service have different tables
export const lockForTransaction = (transaction: Kysely<any>, lock: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction)
