import { parseArgs } from 'node:util'
import { runCommandLine, withDatabase } from '../../command-line-shell.ts'
import type { Database } from '../../database/database.ts'
import { openBotTables } from '../connect-database.ts'
import { isMissingTable } from '../database/error-codes.ts'
import { readAllEntries } from '../slack/audit-store.ts'

const HELP = `Usage: npm run --silent audit -- export

Prints the audit trail, the oldest entry first, one JSON object per line.`

const NO_TRAIL = 'This database has no audit trail yet. Start Upnext first.'

await runCommandLine(async () => {
  const { positionals, values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  if (values.help) console.log(HELP)
  else if (positionals.join(' ') !== 'export') throw new Error(HELP)
  else await withDatabase(printEntries)
})

async function printEntries(database: Database): Promise<void> {
  try {
    for await (const entry of readAllEntries(openBotTables(database))) console.log(JSON.stringify(entry))
  } catch (error) {
    throw isMissingTable(error) ? new Error(NO_TRAIL) : error
  }
}
