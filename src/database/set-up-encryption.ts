import { type Kysely, sql } from 'kysely'
import { asText, checkKeys, type EncryptedSchema } from './check-keys.ts'
import { encryptedPrefix } from './encryption.ts'

// biome-ignore lint/suspicious/noExplicitAny: the bot and the service have different tables
type OpenSchema = EncryptedSchema & { db: Kysely<any> }

/** Checks that the keys fit this database, then encrypts values that were stored unencrypted or with an earlier key. */
export async function setUpEncryption(opened: OpenSchema): Promise<void> {
  const { db, encryption } = opened
  // Instances that start simultaneously take turns, so that they don't encrypt the same rows.
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${SET_UP_LOCK_ID})`.execute(transaction)
    const uses = await checkKeys(transaction, opened)
    if (uses.some(({ key_id }) => key_id !== encryption.keyId)) await encryptStoredValues(opened)
  })
}

const SET_UP_LOCK_ID = 7_503_207

const BATCH_SIZE = 500

async function encryptStoredValues({ db, name, encrypted, encryption }: OpenSchema): Promise<void> {
  const prefix = encryptedPrefix(encryption.keyId)
  for (const [table, columns] of Object.entries(encrypted))
    for (const [column, type] of Object.entries(columns)) {
      const text = asText(column, type)
      // Each batch reads only the rows after the last one, so that a large table isn't read from its start every time.
      let lastRow = '(0,0)'
      const encryptBatch = () =>
        db.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ ctid: string; [column: string]: unknown }>`
            select ctid, ${sql.ref(column)} from ${sql.table(`${name}.${table}`)}
            where ctid > ${lastRow}::tid and ${sql.ref(column)} is not null and not starts_with(${text}, ${prefix})
            order by ctid limit ${BATCH_SIZE} for update`.execute(transaction)
          for (const { ctid, [column]: value } of rows) {
            lastRow = ctid
            await transaction
              .updateTable(table)
              .set({ [column]: value })
              .where(sql`ctid`, '=', sql`${ctid}::tid`)
              .execute()
          }
          return rows.length
        })
      while ((await encryptBatch()) === BATCH_SIZE);
    }
}
