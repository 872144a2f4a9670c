import { PERSONAL_DATA_RULES } from '../bot/all-tables.ts'
import { BOT_SCHEMA, openBotTables } from '../bot/connect-database.ts'
import type { StoreAccess } from '../database/database.ts'
import { checkDeclaredKeys } from '../database/declared-keys.ts'
import { addServiceIds, listPersonalDataTables, type Person } from '../database/personal-data.ts'
import { openServiceTables, SERVICE_SCHEMA } from '../service/stores/database.ts'
import { SERVICE_RULES } from '../service/stores/personal-data.ts'

export type PersonalData = Awaited<ReturnType<typeof openPersonalData>>

/** Opens the tables of the bot and the service, and finds the ids that a person has in the service. */
export async function openPersonalData(
  { pool, ownerPool = pool, encryption }: StoreAccess,
  identifiers: string[],
) {
  // The application's role can't change the audit trail, so the owner's connection is used if there is one.
  const access = { pool: ownerPool, encryption }
  // With other keys, this command would store data that running instances can't read.
  await checkDeclaredKeys(ownerPool, encryption)
  const bot = { schema: BOT_SCHEMA.name, db: openBotTables(access), rules: PERSONAL_DATA_RULES }
  const service = { schema: SERVICE_SCHEMA.name, db: openServiceTables(access), rules: SERVICE_RULES }
  const person = readPerson(identifiers)
  const places = [...(await listPersonalDataTables(service)), ...(await listPersonalDataTables(bot))]
  if (!places.length) throw new Error('This database has no Upnext tables yet. Start Upnext first.')
  await addServiceIds(places, person)
  return { bot, service, places, person, name: identifiers.join(', ') }
}

const SLACK_USER_ID = /^[UW](?=.*\d)[A-Z0-9]{6,}$/
const EMAIL = /^[^@\s]+@[^@\s]+$/

/** Refuses names and phone numbers, because they would also match other people. */
function readPerson(identifiers: string[]): Person {
  const patterns = identifiers.map((name) => {
    if (SLACK_USER_ID.test(name)) return `<@${name}(?:\\|[^<>]*)?>|\\b${name}\\b`
    if (EMAIL.test(name)) return addressPattern(name)
    throw new Error(`"${name}" is neither an email address nor a Slack user id.`)
  })
  return { mentions: new RegExp(patterns.join('|'), 'iu'), serviceIds: new Set() }
}

/** Doesn't match a part of a longer address. */
const addressPattern = (address: string): string =>
  `(?<![\\p{L}\\p{N}._%+-])${address.replace(/[.*+?^$(){}|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`
