import { insertAuditEntry, OPERATOR } from '../bot/slack/audit-store.ts'
import { isPermissionDenied } from '../database/error-codes.ts'
import {
  effectOn,
  eraseRow,
  findErasureObstacle,
  findRows,
  type PersonalDataTable,
} from '../database/personal-data.ts'
import type { Runtime } from '../runtime.ts'
import { insertLogEntries } from '../service/stores/logs-store.ts'
import type { PersonalData } from './open-personal-data.ts'

type FoundRow = { place: PersonalDataTable; key: Record<string, unknown>; effect: string }

type EraseOptions = {
  runtime: Pick<Runtime, 'now' | 'sleep' | 'newId'>
  print: (text: string) => void
  confirm: () => Promise<boolean>
}

const NEEDS_OWNER =
  "The role in DATABASE_URL can't change the audit trail. Set DATABASE_OWNER_URL to the role that owns the tables."

/** Longer than the service remembers its callers, and longer than most requests in progress take. */
const SETTLE_MS = 3000

/**
 * Prints where data about a person is stored and, if the operator confirms, erases it. Throws an error if the person can't
 * be erased now.
 */
export async function erasePerson(
  data: PersonalData,
  { runtime, print, confirm }: EraseOptions,
): Promise<void> {
  const { found, obstacles } = await findPersonalRows(data)
  print(
    found.length
      ? `Stored about ${data.name}:\n${formatCounts(found)}`
      : `Nothing is stored about ${data.name}.`,
  )
  const erasable = found.filter(isErasable)
  if (obstacles.length) throw new Error(`${obstacles.join('\n')}\nNothing was erased.`)
  if (!erasable.length) return
  if (!(await confirm())) return print('Nothing was erased.')
  const now = runtime.now()
  // The bot's tables come first: if the second transaction fails, a new run still finds the address in the service.
  await eraseInBot(data, erasable, { now, request_id: runtime.newId() }).catch((error) => {
    throw isPermissionDenied(error) ? new Error(`${NEEDS_OWNER} Nothing was erased.`) : error
  })
  await eraseInService(data, erasable, now).catch((cause) => {
    throw new Error(
      `Erased in the bot's tables, but not in the service's. Run the command again once this problem is solved: ${cause.message}`,
      {
        cause,
      },
    )
  })
  await runtime.sleep(SETTLE_MS)
  const remaining = (await findPersonalRows(data)).found.filter(isErasable)
  if (remaining.length)
    throw new Error(
      `Erased, but more data was stored while the command ran. Run the command again to erase:\n${formatCounts(remaining)}`,
    )
  print("Erased. Messages in Slack, logs and backups aren't changed. See PRIVACY.md.")
}

async function findPersonalRows({ places, person }: PersonalData) {
  const found: FoundRow[] = []
  const obstacles = new Set<string>()
  for await (const { place, row } of findRows(places, person)) {
    const key = Object.fromEntries(place.key.map((column) => [column, row[column]]))
    found.push({ place, key, effect: effectOn(place, row) })
    const obstacle = await findErasureObstacle(place, row, person)
    if (obstacle) obstacles.add(obstacle)
  }
  return { found, obstacles: [...obstacles] }
}

const isErasable = ({ effect }: FoundRow): boolean => effect !== 'keep'

const inSchema = (found: FoundRow[], schema: string): FoundRow[] =>
  found.filter(({ place }) => place.schema === schema).reverse()

/** Erases the rows, and adds an entry that doesn't name the person to each affected workspace's audit trail. */
const eraseInBot = (
  { bot, person }: PersonalData,
  found: FoundRow[],
  at: { now: Date; request_id: string },
) =>
  bot.db.transaction().execute(async (db) => {
    const teams = new Set<unknown>()
    for (const { place, key } of inSchema(found, bot.schema))
      teams.add((await eraseRow({ ...place, db }, key, person))?.team_id)
    const entry = { at: at.now, request_id: at.request_id, user_id: OPERATOR, action: 'erase' }
    for (const team_id of teams)
      if (typeof team_id === 'string')
        await insertAuditEntry(db, { ...entry, team_id, user_team_id: team_id, outcome: 'done' })
  })

const eraseInService = ({ service, person }: PersonalData, found: FoundRow[], created_at: Date) =>
  service.db.transaction().execute(async (db) => {
    const rows = inSchema(found, service.schema)
    for (const { place, key } of rows) await eraseRow({ ...place, db }, key, person)
    const entry = { project_id: null, action: 'user.erased', message: 'Erased a user.', actor: OPERATOR }
    if (rows.length) await insertLogEntries(db, [{ ...entry, created_at }])
  })

function formatCounts(found: FoundRow[]): string {
  const counts = new Map<string, number>()
  for (const { place, effect } of found) {
    const line = `${effect}: # in ${place.schema}.${place.table}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return [...counts].map(([line, count]) => `  ${line.replace('#', String(count))}`).join('\n')
}
