import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
} from 'kysely'

/** Stands for a value while a query is compiled. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Query<Row> = { compile: (db: QueryExecutorProvider) => CompiledQuery<Row> }
type BuildQuery<Tables, Values, Row> = (db: Kysely<Tables>, values: Values) => Query<Row>

/**
 * Prepares queries that run often, so that each is compiled only once. Only `values` become parameters, so PostgreSQL
 * knows every other value when it plans the query.
 */
export function prepareQueries<Tables>(schema: string) {
  const compiler = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new ParameterCompiler(),
    },
  }).withSchema(schema)
  const prepare = <Values extends object, Row>(build: BuildQuery<Tables, Values, Row>) => {
    const parameters = new Proxy({}, { get: (_, name) => new Parameter(String(name)) })
    const compiled = build(compiler, parameters as Values).compile(compiler)
    const { sql, query, queryId } = compiled
    const names = compiled.parameters.map((parameter) => (parameter as Parameter).name as keyof Values)
    return async (db: Kysely<Tables>, values: Values): Promise<Row[]> => {
      const parameters = names.map((name) => values[name])
      const filled: CompiledQuery<Row> = { sql, query, queryId, parameters }
      return (await db.executeQuery(filled)).rows
    }
  }
  return {
    prepare,
    /** Like `prepare`, but the query returns its first row, or undefined if there isn't one. */
    prepareOne: <Values extends object, Row>(build: BuildQuery<Tables, Values, Row>) => {
      const query = prepare(build)
      return async (db: Kysely<Tables>, values: Values): Promise<Row | undefined> => {
        const [row] = await query(db, values)
        return row
      }
    },
  }
}

class ParameterCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Parameter) super.appendValue(value)
    else this.appendImmediateValue(value)
  }
}
