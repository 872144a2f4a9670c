import { type QueryExecutorProvider, sql } from 'kysely'
import { checkRunningInstances } from './declared-keys.ts'
import type { EncryptedColumns } from './encrypt-columns.ts'
import { type Encryption, KEY_ID_PATTERN, PREFIX_LENGTH } from './encryption.ts'

export type EncryptedSchema = { name: string; encrypted: EncryptedColumns; encryption: Encryption }

/** How many rows have values encrypted with this key. `key_id` is null for values that aren't encrypted yet. */
export type KeyUsage = { key_id: string | null; rows: number }

/** Counts each key's rows. Throws an error if SECRET_KEY lacks one of the keys or conflicts with a running instance. */
export async function checkKeys(db: QueryExecutorProvider, schema: EncryptedSchema): Promise<KeyUsage[]> {
  const { name, encryption } = schema
  await checkRunningInstances(db, encryption)
  const uses = await countRowsByKey(db, schema)
  const missing = uses.filter(({ key_id }) => key_id && !encryption.keyIds.includes(key_id))
  if (!missing.length) return uses
  const needs = missing.map(
    ({ key_id, rows }) => `${rows} ${rows === 1 ? 'row needs' : 'rows need'} the key with id ${key_id}`,
  )
  throw new Error(
    `SECRET_KEY lacks a key of this database: in the schema ${name}, ${needs.join(', and ')}. Set SECRET_KEY to that key or, to replace it, to the new key, a comma, and that key.`,
  )
}

/** Reads every row, because only a value itself names its key. Columns that a migration has yet to add are left out. */
async function countRowsByKey(
  db: QueryExecutorProvider,
  { name: schema, encrypted }: EncryptedSchema,
): Promise<KeyUsage[]> {
  const { rows: existing } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = ${schema}`.execute(db)
  const counts = Object.entries(encrypted).flatMap(([table, columns]) => {
    const values = Object.entries(columns)
      .filter(([column]) => existing.some(({ name }) => name === `${table}.${column}`))
      .map(([column, type]) => sql`(left(${asText(column, type)}, ${PREFIX_LENGTH}))`)
    if (!values.length) return []
    return sql`
      select key_id, count(*) as rows from ${sql.table(`${schema}.${table}`)}, lateral (
        select distinct substring(prefix from ${KEY_ID_PATTERN}) as key_id
        from (values ${sql.join(values)}) stored (prefix) where prefix is not null
      ) used group by key_id`
  })
  if (!counts.length) return []
  const { rows } = await sql<KeyUsage>`
    select key_id, sum(rows)::int as rows from (${sql.join(counts, sql` union all `)}) counted
    group by key_id order by key_id`.execute(db)
  return rows
}

/** SQL for the text of a column whose values may be encrypted. */
export const asText = (column: string, type: 'text' | 'jsonb') =>
  type === 'jsonb' ? sql`(${sql.ref(column)} #>> '{}')` : sql.ref(column)
