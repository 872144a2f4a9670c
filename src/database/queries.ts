import {
  type CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  DummyDriver,
  type Insertable,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type Selectable,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'

type AnyTables = Record<string, Record<string, unknown>>

/** Kysely leaves out conditions with undefined values, so a missing id would match every row. */
function requireValues<Values extends object>(values: Values): Values {
  const all = Object.values(values)
  if (!all.length || all.includes(undefined)) throw new Error('Each condition needs a value.')
  return values
}

/** Returns functions that query rows with the given column values: `selectRows(db, 'plan', { id, team_id })`. */
export function createRowQueries<Tables>() {
  type Name = keyof Tables & string
  type Values<Table extends Name> = Partial<Selectable<Tables[Table]>>
  // Kysely can't type a query whose table is a type parameter.
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

type Query<Row> = { compile: (db: QueryExecutorProvider) => CompiledQuery<Row> }

/**
 * Prepares queries that run often, so that each is compiled only once. Only `values` become parameters, so PostgreSQL
 * knows every other value when it plans the query. A prepared query returns its first row.
 */
export function createQueryPreparer<Tables>(schema: string) {
  const compiler = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new ParameterCompiler(),
    },
  }).withSchema(schema)
  return <Values extends object, Row>(build: (db: Kysely<Tables>, values: Values) => Query<Row>) => {
    // While the query is compiled, a symbol stands for each value.
    const parameters = new Proxy({}, { get: (_, name) => Symbol(String(name)) })
    const compiled = build(compiler, parameters as Values).compile(compiler)
    const { sql, query, queryId } = compiled
    const names = compiled.parameters.map((parameter) => (parameter as symbol).description as keyof Values)
    return async (db: Kysely<Tables>, values: Values): Promise<Row | undefined> => {
      const parameters = names.map((name) => values[name])
      const filled: CompiledQuery<Row> = { sql, query, queryId, parameters }
      return (await db.executeQuery(filled)).rows[0]
    }
  }
}

class ParameterCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === 'symbol') super.appendValue(value)
    else this.appendImmediateValue(value)
  }
}
