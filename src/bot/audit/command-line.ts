import { parseArgs } from 'node:util'
import { readConfig } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import { systemRuntime as runtime } from '../../runtime.ts'
import { openBotTables } from '../connect-database.ts'
import { isMissingTable } from '../database/error-codes.ts'
import { readAllEntries } from '../slack/audit-store.ts'

const HELP = `Usage: npm run --silent audit -- export

Prints the audit trail, the oldest entry first, one JSON object per line.`

const NO_TRAIL = 'This database has no audit trail yet. Start Upnext first.'

const { positionals, values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
if (values.help) console.log(HELP)
else if (positionals.join(' ') !== 'export') fail(HELP)
else await exportEntries().catch((error: Error) => fail(isMissingTable(error) ? NO_TRAIL : error.message))

async function exportEntries(): Promise<void> {
  const config = readConfig()
  const database = await openDatabase({ config, onError: () => {}, runtime })
  try {
    for await (const entry of readAllEntries(openBotTables(database))) console.log(JSON.stringify(entry))
  } finally {
    await database.close()
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
