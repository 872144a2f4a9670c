import {
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  TableNode,
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
  const typesOf = (table: OperationNode | undefined) =>
    table && TableNode.is(table) ? tables[table.table.identifier.name] : undefined

  function encrypt(node: OperationNode, type: 'text' | 'jsonb' | undefined): OperationNode {
    if (!type || !ValueNode.is(node) || node.value === null || node.value === undefined) return node
    const encrypted = encryption.encrypt(JSON.stringify(node.value))
    return ValueNode.create(type === 'jsonb' ? JSON.stringify(encrypted) : encrypted)
  }

  const encryptUpdates = (updates: readonly ColumnUpdateNode[], types: EncryptedColumns[string]) =>
    updates.map((update) => {
      const name = ColumnNode.is(update.column) ? update.column.column.name : ''
      return { ...update, value: encrypt(update.value, types[name]) }
    })

  const transformer = new (class extends OperationNodeTransformer {
    protected override transformInsertQuery(insert: InsertQueryNode): InsertQueryNode {
      const types = typesOf(insert.into)
      const node = super.transformInsertQuery(insert)
      if (!types) return node
      const { columns, values, onConflict } = node
      const encryptRow = (nodes: readonly OperationNode[]) =>
        ValueListNode.create(
          nodes.map((value, index) => encrypt(value, types[columns?.[index]?.column.name ?? ''])),
        )
      const rows = values && ValuesNode.is(values) ? values.values : undefined
      return {
        ...node,
        ...(rows && {
          values: ValuesNode.create(
            rows.map((row) =>
              encryptRow(PrimitiveValueListNode.is(row) ? row.values.map(ValueNode.create) : row.values),
            ),
          ),
        }),
        ...(onConflict?.updates && {
          onConflict: { ...onConflict, updates: encryptUpdates(onConflict.updates, types) },
        }),
      }
    }

    protected override transformUpdateQuery(update: UpdateQueryNode): UpdateQueryNode {
      const types = typesOf(update.table)
      const node = super.transformUpdateQuery(update)
      return types && node.updates ? { ...node, updates: encryptUpdates(node.updates, types) } : node
    }
  })()

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
