import { checkKeys } from '../../database/check-keys.ts'
import type { Database } from '../../database/database.ts'
import { isMissingTable } from '../../database/error-codes.ts'
import { runTool, withDatabase } from '../../run-tool.ts'
import { BOT_SCHEMA, openBotTables } from '../connect-database.ts'
import { readAllEntries } from '../slack/audit-store.ts'

const HELP = `Usage: npm run --silent audit -- export

Prints the audit trail, the oldest entry first, one JSON object per line.`

const NO_TRAIL = 'This database has no audit trail yet. Start Upnext first.'

await runTool(HELP, [], async (args) => {
  if (args.join(' ') !== 'export') throw new Error(HELP)
  await withDatabase(printEntries)
})

async function printEntries(database: Database): Promise<void> {
  try {
    const db = openBotTables(database)
    const { audit_entry = {} } = BOT_SCHEMA.encrypted
    // Without this check, details that can't be decrypted would be silently left out.
    await checkKeys(db, { ...BOT_SCHEMA, encrypted: { audit_entry }, encryption: database.encryption })
    for await (const entry of readAllEntries(db)) console.log(JSON.stringify(entry))
  } catch (error) {
    throw isMissingTable(error) ? new Error(NO_TRAIL) : error
  }
}
