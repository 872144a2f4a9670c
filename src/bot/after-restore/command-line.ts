import { parseArgs } from 'node:util'
import { runCommandLine, withDatabase } from '../../command-line-shell.ts'
import { readDatabaseClock } from '../../database/database-clock.ts'
import { listAppliedMigrations } from '../../database/migrate.ts'
import { BOT_SCHEMA, openBotTables } from '../connect-database.ts'
import { recordDatabaseIdentity } from '../database/database-identity.ts'
import { askAboutItems, markDigestsForLookup } from './after-restore-store.ts'

const HELP = `Usage: npm run --silent after-restore [-- --moved]

Run this after restoring a backup, before Upnext starts. Upnext asks people about submissions that may have been sent since
the backup, and sends none of them again on its own. It looks in Slack for digests that were already posted.

  --moved  Nothing was sent since the backup, because Upnext was stopped first and the old database isn't used anymore.
           Upnext continues where it left off.`

await runCommandLine(async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, moved: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) return console.log(HELP)
  if (positionals.length) throw new Error(HELP)
  await withDatabase(async (database) => {
    const { pool, ownerPool = pool } = database
    if (!(await listAppliedMigrations(pool, BOT_SCHEMA.name)).length)
      throw new Error('This database has no tables of Upnext. Restore the backup first.')
    if (!values.moved) {
      const db = openBotTables(database)
      const now = (await readDatabaseClock(pool)).now()
      const items = await askAboutItems(db, now)
      const digestCount = await markDigestsForLookup(db, now)
      console.log(
        `Submissions that people are asked about: ${items}. Digests that are looked up in Slack: ${digestCount}.`,
      )
    }
    await recordDatabaseIdentity(ownerPool)
    console.log('Start Upnext now.')
  })
})
