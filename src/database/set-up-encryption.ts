import { type Kysely, sql } from 'kysely'
import type { EncryptedColumns } from './encrypt-columns.ts'
import { type Encryption, encryptedPrefix } from './encryption.ts'

type EncryptedSchema = {
  // biome-ignore lint/suspicious/noExplicitAny: the bot and the service have different tables
  db: Kysely<any>
  schema: string
  tables: EncryptedColumns
  encryption: Encryption
}

/** Checks that the keys fit this database, then encrypts what was stored before encryption or with an earlier key. */
export async function setUpEncryption(encrypted: EncryptedSchema, now: Date): Promise<void> {
  const { encryption } = encrypted
  // The check value of an unknown key must stay encrypted until the key is known.
  const db: Kysely<KeyTable> = encrypted.db.withoutPlugins().withSchema(encrypted.schema)
  // Instances that start at once take turns. Otherwise one could forget a key that another is still replacing.
  await db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${SET_UP_LOCK_ID})`.execute(transaction)
    await checkKeys(db, encryption)
    await saveKey(db, encryption, now)
    await encryptStoredValues(encrypted)
    await forgetEarlierKeys(db, encryption)
  })
}

const SET_UP_LOCK_ID = 7_503_204

export type KeyTable = { encryption_key: { key_id: string; check_value: string; used_since: Date } }

/** Throws an error if SECRET_KEY lacks a key with which stored values may be encrypted. */
export async function checkKeys(db: Kysely<KeyTable>, { keyIds, decrypt }: Encryption): Promise<void> {
  const storedKeys = await db.selectFrom('encryption_key').selectAll().execute()
  for (const { key_id, check_value, used_since } of storedKeys)
    if (!keyIds.includes(key_id) || decrypt(check_value) !== key_id)
      throw new Error(
        `SECRET_KEY doesn't fit this database. Some of its data is encrypted with another key (id ${key_id}, used since ${used_since.toISOString().slice(0, 10)}). Set SECRET_KEY to that key. To replace it, set SECRET_KEY to the new key, a comma, and that key.`,
      )
}

const saveKey = (db: Kysely<KeyTable>, { keyId, encrypt }: Encryption, now: Date): Promise<unknown> =>
  db
    .insertInto('encryption_key')
    .values({ key_id: keyId, check_value: encrypt(keyId), used_since: now })
    .onConflict((conflict) => conflict.column('key_id').doNothing())
    .execute()

const forgetEarlierKeys = (db: Kysely<KeyTable>, { keyId }: Encryption): Promise<unknown> =>
  db.deleteFrom('encryption_key').where('key_id', '!=', keyId).execute()

const BATCH_SIZE = 500

async function encryptStoredValues({ db, schema, tables, encryption }: EncryptedSchema): Promise<void> {
  const prefix = encryptedPrefix(encryption.keyId)
  for (const [table, columns] of Object.entries(tables))
    for (const [column, type] of Object.entries(columns)) {
      const text = type === 'jsonb' ? sql`(${sql.ref(column)} #>> '{}')` : sql.ref(column)
      // Only the rows behind the last one, so that a large table isn't read again for every batch.
      let last = '(0,0)'
      const encryptBatch = () =>
        db.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ ctid: string; [column: string]: unknown }>`
            select ctid, ${sql.ref(column)} from ${sql.table(`${schema}.${table}`)}
            where ctid > ${last}::tid and ${sql.ref(column)} is not null and not starts_with(${text}, ${prefix})
            order by ctid limit ${BATCH_SIZE} for update`.execute(transaction)
          for (const { ctid, [column]: value } of rows) {
            last = ctid
            await transaction
              .withSchema(schema)
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
