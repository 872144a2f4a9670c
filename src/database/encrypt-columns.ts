import {
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  type TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import { type Encryption, isEncrypted } from './encryption.ts'

/** The encrypted columns of each table, with their types in the database. */
export type EncryptedColumns = Record<string, Record<string, 'text' | 'jsonb'>>

/** Encrypts these columns in every insert and update, and decrypts them in every result. Comparing them in SQL doesn't work. */
export function encryptColumns(tables: EncryptedColumns, encryption: Encryption): KyselyPlugin {
  const transformer = new EncryptingTransformer(tables, encryption)
  // A result names its columns, but not their tables, so values are decrypted only in columns with these names.
  // In any other column, text that looks encrypted may have been typed by a user.
  const columns = new Set(Object.values(tables).flatMap(Object.keys))
  const decrypt = (value: unknown) => (isEncrypted(value) ? JSON.parse(encryption.decrypt(value)) : value)
  return {
    transformQuery: ({ node }) => transformer.transformNode(node),
    async transformResult({ result }) {
      const encrypted = Object.keys(result.rows[0] ?? {}).filter((column) => columns.has(column))
      if (!encrypted.length) return result
      const decryptRow = (row: UnknownRow) => ({
        ...row,
        ...Object.fromEntries(encrypted.map((column) => [column, decrypt(row[column])])),
      })
      return { ...result, rows: result.rows.map(decryptRow) }
    },
  }
}

class EncryptingTransformer extends OperationNodeTransformer {
  readonly #tables: EncryptedColumns
  readonly #encryption: Encryption

  constructor(tables: EncryptedColumns, encryption: Encryption) {
    super()
    this.#tables = tables
    this.#encryption = encryption
  }

  protected override transformInsertQuery(insert: InsertQueryNode): InsertQueryNode {
    const types = this.#typesOf(insert.into)
    const node = super.transformInsertQuery(insert)
    if (!types) return node
    const columns = node.columns?.map(({ column }) => column.name) ?? []
    const { values, onConflict } = node
    return {
      ...node,
      ...(values && ValuesNode.is(values) && { values: this.#encryptRows(values, columns, types) }),
      ...(onConflict?.updates && {
        onConflict: {
          ...onConflict,
          updates: onConflict.updates.map((update) => this.#encryptUpdate(update, types)),
        },
      }),
    }
  }

  protected override transformUpdateQuery(update: UpdateQueryNode): UpdateQueryNode {
    const { table } = update
    const types = table?.kind === 'TableNode' ? this.#typesOf(table as TableNode) : undefined
    const node = super.transformUpdateQuery(update)
    if (!types || !node.updates) return node
    return { ...node, updates: node.updates.map((changed) => this.#encryptUpdate(changed, types)) }
  }

  #typesOf(table: TableNode | undefined) {
    return this.#tables[table?.table.identifier.name ?? '']
  }

  #encryptRows({ values: rows }: ValuesNode, columns: string[], types: EncryptedColumns[string]) {
    return ValuesNode.create(
      rows.map((row) =>
        PrimitiveValueListNode.is(row)
          ? PrimitiveValueListNode.create(
              row.values.map((value, index) => this.#encryptValue(value, types[columns[index] ?? ''])),
            )
          : ValueListNode.create(
              row.values.map((value, index) => this.#encryptNode(value, types[columns[index] ?? ''])),
            ),
      ),
    )
  }

  #encryptUpdate(update: ColumnUpdateNode, types: EncryptedColumns[string]): ColumnUpdateNode {
    const { column, value } = update
    const name = ColumnNode.is(column) ? column.column.name : ''
    return { ...update, value: this.#encryptNode(value, types[name]) }
  }

  #encryptNode(node: OperationNode, type: 'text' | 'jsonb' | undefined): OperationNode {
    return type && ValueNode.is(node) ? ValueNode.create(this.#encryptValue(node.value, type)) : node
  }

  #encryptValue(value: unknown, type: 'text' | 'jsonb' | undefined): unknown {
    if (!type || value === null || value === undefined) return value
    const encrypted = this.#encryption.encrypt(JSON.stringify(value))
    return type === 'jsonb' ? JSON.stringify(encrypted) : encrypted
  }
}
