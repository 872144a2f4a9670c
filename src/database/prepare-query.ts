import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
} from 'kysely'

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
