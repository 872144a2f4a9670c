import { type Kysely, type Selectable, sql } from 'kysely'

/** Replaces values that identified a person. No Slack user or channel has this name. */
export const ERASED = '(erased)'

export type Person = {
  /** Finds the person's email addresses and Slack user ids in text. */
  mentions: RegExp
  /** The ids of the person and of the person's tokens in the scheduling service. */
  serviceIds: Set<string>
}

// biome-ignore lint/suspicious/noExplicitAny: the bot and the service have different tables
type AnyDb = Kysely<any>
type Row = Record<string, unknown>

type Effect = 'delete' | 'blank' | 'keep'

export type PersonalDataRule<R, Db> = {
  /** How erasing a person changes the rows that are about them, are by them, or mention them. */
  effect: Effect | ((row: R) => Effect)
  /** Columns that are neither searched nor exported. */
  ignored?: (keyof R)[]
  /** The columns that identify the user of the service whom the row is about, and the user's email address. */
  serviceUser?: (row: R) => { ids: Partial<R>; email?: unknown } | undefined
  /** Further changes to a blanked row. The values that identify the person are erased anyway. */
  alsoBlank?: (row: R, options: { isAboutThem: boolean }) => Partial<R>
  eraseRelatedRows?: (db: Db, row: R) => Promise<unknown>
  /** Why the person can't be erased now. `isTheirId` says whether a Slack user id is theirs. */
  findErasureObstacle?: (
    db: Db,
    row: R,
    isTheirId: (user_id: string) => boolean,
  ) => Promise<string | undefined>
}

/** A rule for each table. Ids are found in the order of the rules, and rows are erased in the opposite order. */
export type PersonalDataRules<Tables> = {
  [Table in keyof Tables]: PersonalDataRule<Selectable<Tables[Table]>, Kysely<Tables>> | 'nothing personal'
}

/** A table that may hold personal data. */
export type PersonalDataTable = {
  db: AnyDb
  schema: string
  table: string
  rule: PersonalDataRule<Row, AnyDb>
  columns: string[]
  key: string[]
}

type Schema<Tables> = { db: Kysely<Tables>; schema: string; rules: PersonalDataRules<Tables> }

/** Selects the columns of all tables, except for binary ones, which hold files and the hashes of tokens. */
const selectColumns = (schema: string) => sql<{ table: string; column: string; is_key: boolean }>`
  select relname as table, attname as column, coalesce(attnum = any(indkey), false) as is_key
  from pg_class
  join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    and atttypid <> 'bytea'::regtype
  left join pg_index on indrelid = pg_class.oid and indisprimary
  where relnamespace = to_regnamespace(${schema}) and relkind = 'r'
  order by attnum`

/** Lists the tables that may hold personal data. Returns an empty list if the schema doesn't exist. */
export async function listPersonalDataTables<Tables>({
  db,
  schema,
  rules,
}: Schema<Tables>): Promise<PersonalDataTable[]> {
  const { rows } = await selectColumns(schema).execute(db)
  // The cast is safe, because each rule only gets rows of its own table.
  const untyped = rules as unknown as Record<string, PersonalDataRule<Row, AnyDb> | 'nothing personal'>
  return Object.entries(untyped).flatMap(([table, rule]) => {
    if (rule === 'nothing personal') return []
    const found = rows.filter((row) => row.table === table && !rule.ignored?.includes(row.column))
    if (!found.length && rows.length)
      throw new Error(
        `The table ${schema}.${table} is missing. Start this version of Upnext once to create it.`,
      )
    const columns = found.map(({ column }) => column)
    const key = found.filter(({ is_key }) => is_key).map(({ column }) => column)
    return found.length ? { db, schema, table, rule, columns, key } : []
  })
}

const BATCH_SIZE = 500

/** Reads all rows, because PostgreSQL can't search encrypted values. */
async function* readRows({ db, table, columns, key }: PersonalDataTable): AsyncGenerator<Row> {
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  let last: Row | undefined
  for (;;) {
    let query = db.selectFrom(table).select(columns).orderBy(keyColumns).limit(BATCH_SIZE)
    const lastKey = sql.join(key.map((column) => last?.[column]))
    if (last) query = query.where(sql<boolean>`(${keyColumns}) > (${lastKey})`)
    const rows: Row[] = await query.execute()
    yield* rows
    last = rows.at(-1)
    if (rows.length < BATCH_SIZE) return
  }
}

/** Returns whether a row is about a person or only mentions them, or undefined if it does neither. */
function findRelation({ rule }: PersonalDataTable, row: Row, { mentions, serviceIds }: Person) {
  const isMention = (text: string) => mentions.test(text)
  const { ids = {}, email } = rule.serviceUser?.(row) ?? {}
  const isAboutThem = containsMatch(ids, (id) => serviceIds.has(id)) || containsMatch(email, isMention)
  return isAboutThem || containsMatch(row, isMention)
    ? { isAboutThem, ids: isAboutThem ? ids : {} }
    : undefined
}

/** Whether any string in the value, at any depth, passes the test. */
const containsMatch = (value: unknown, test: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? test(value)
    : isObject(value) && Object.values(value).some((item) => containsMatch(item, test))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** Adds the person's ids in the service, from stored rows that connect them with the person's email addresses. */
export async function addServiceIds(places: PersonalDataTable[], person: Person): Promise<void> {
  const placesWithIds = places.filter(({ rule }) => rule.serviceUser)
  for await (const { ids } of findRows(placesWithIds, person))
    for (const id of Object.values(ids)) if (typeof id === 'string') person.serviceIds.add(id)
}

export async function* findRows(places: PersonalDataTable[], person: Person) {
  for (const place of places)
    for await (const row of readRows(place)) {
      const relation = findRelation(place, row, person)
      if (relation) yield { place, row, ids: relation.ids }
    }
}

export const effectOn = ({ rule: { effect } }: PersonalDataTable, row: Row): Effect =>
  typeof effect === 'function' ? effect(row) : effect

export const findErasureObstacle = ({ db, rule }: PersonalDataTable, row: Row, { mentions }: Person) =>
  rule.findErasureObstacle?.(db, row, (user_id) => mentions.test(user_id))

/** Reads a row again and erases the person from it. Returns the row as it was, or undefined if nothing was erased. */
export async function eraseRow(place: PersonalDataTable, key: Row, person: Person): Promise<Row | undefined> {
  const { db, table, rule, columns } = place
  const isRow = sql<boolean>`${sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )}`
  const row: Row | undefined = await db
    .selectFrom(table)
    .select(columns)
    .where(isRow)
    .forUpdate()
    .executeTakeFirst()
  const relation = row && findRelation(place, row, person)
  if (!relation) return undefined
  const obstacle = await findErasureObstacle(place, row, person)
  if (obstacle) throw new Error(obstacle)
  const effect = effectOn(place, row)
  if (effect === 'keep') return undefined
  const { ids, isAboutThem } = relation
  const changes = { ...redactRow(row, ids, person), ...rule.alsoBlank?.(row, { isAboutThem }) }
  const erasure =
    effect === 'delete' ? db.deleteFrom(table).where(isRow) : db.updateTable(table).set(changes).where(isRow)
  await erasure.execute()
  await rule.eraseRelatedRows?.(db, row)
  return row
}

const redactRow = (row: Row, ids: Row, { mentions }: Person): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      if (ids[column]) return [[column, ERASED]]
      return containsMatch(value, (text) => mentions.test(text)) ? [[column, redact(value, mentions)]] : []
    }),
  )

function redact(value: unknown, mentions: RegExp): unknown {
  if (typeof value === 'string') return value.replace(new RegExp(mentions, 'giu'), ERASED)
  if (Array.isArray(value)) return value.map((item) => redact(item, mentions))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redact(item, mentions)]))
}
