import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  Kysely,
  Selectable,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'

type AnyTables = Record<string, Record<string, unknown>>

/** Kysely leaves out undefined values, so a missing id would match every row. */
function requireValues<Values extends object>(values: Values): Values {
  const all = Object.values(values)
  if (!all.length || all.includes(undefined)) throw new Error('Each column of the conditions needs a value.')
  return values
}

/** Returns queries whose conditions are values of columns: `selectRows(db, 'plan', { id, team_id })`. */
export function createRowQueries<Tables>() {
  type Name = keyof Tables & string
  type Values<Table extends Name> = Partial<Selectable<Tables[Table]>>
  // Kysely can't type a query of any table.
  const untyped = (db: Kysely<Tables>) => db as unknown as Kysely<AnyTables>
  return {
    selectRows<Table extends Name>(db: Kysely<Tables>, table: Table, values: Values<Table>) {
      const query = untyped(db).selectFrom<string>(table).selectAll()
      const matching: unknown = query.where((eb) => eb.and(requireValues(values)))
      return matching as SelectQueryBuilder<Tables, Table, Selectable<Tables[Table]>>
    },
    updateRows<Table extends Name>(db: Kysely<Tables>, table: Table, values: Values<Table>) {
      const query = untyped(db).updateTable<string>(table)
      const matching: unknown = query.where((eb) => eb.and(requireValues(values)))
      return matching as UpdateQueryBuilder<Tables, Table, Table, UpdateResult>
    },
    deleteRows<Table extends Name>(db: Kysely<Tables>, table: Table, values: Values<Table>) {
      const query = untyped(db).deleteFrom<string>(table)
      const matching: unknown = query.where((eb) => eb.and(requireValues(values)))
      return matching as DeleteQueryBuilder<Tables, Table, DeleteResult>
    },
    /** Inserts a row or, if there is one with the same key, replaces these values in it. */
    saveRow: <Table extends Name>(
      db: Kysely<Tables>,
      table: Table,
      key: (keyof Tables[Table] & string)[],
      row: Insertable<Tables[Table]>,
    ): Promise<unknown> =>
      untyped(db)
        .insertInto<string>(table)
        .values(row)
        .onConflict((conflict) => conflict.columns(key).doUpdateSet(row))
        .execute(),
  }
}
