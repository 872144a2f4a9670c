import { askAboutPossiblySentItems, markDigestsForLookup } from '../bot/after-restore-store.ts'
import { BOT_SCHEMA, openBotTables } from '../bot/connect-database.ts'
import { isConsumedByNpm } from '../config.ts'
import type { Database } from '../database/database.ts'
import { readDatabaseClock } from '../database/database-clock.ts'
import { recordDatabaseIdentity } from '../database/database-identity.ts'
import { listAppliedMigrations, migrate } from '../database/migrate.ts'
import type { Schema } from '../database/schema.ts'
import { runTool, withDatabase } from '../run-tool.ts'
import { recordGapSinceBackup } from '../service/stores/accounts-store.ts'
import { openServiceTables, SERVICE_SCHEMA } from '../service/stores/database.ts'

const HELP = `Usage: npm run --silent after-restore [-- --moved]

Run this after restoring a backup, before Upnext starts. Upnext asks people about submissions that may have been sent since
the backup, and sends none of them again on its own. It looks in Slack for digests that were posted, and in
Postiz for posts that were published, and asks about all others.

  --moved  Use this if Upnext was stopped before the backup, and the old database isn't used anymore. Then nothing can
           have been sent since the backup, and Upnext continues where it left off.`

await runTool(HELP, ['moved'], async (args, { moved }) => {
  if (args.length) throw new Error(HELP)
  // If npm took the flag, the command would ask about submissions that can't have been sent since the backup.
  if (!moved && isConsumedByNpm('moved'))
    throw new Error('npm consumed --moved itself. Put "--" before it: -- --moved')
  await withDatabase(async (database) => {
    const { pool, ownerPool = pool } = database
    // The service's tables may be in another database, or not exist because the service is external.
    const schemas: Schema[] = []
    for (const schema of [BOT_SCHEMA, SERVICE_SCHEMA])
      if ((await listAppliedMigrations(pool, schema.name)).length) schemas.push(schema)
    if (!schemas.length) throw new Error('This database has no Upnext tables. Restore the backup first.')
    // The backup may be from an earlier version.
    for (const schema of schemas) await migrate(database, schema)
    if (!moved) {
      const now = (await readDatabaseClock(pool)).now()
      if (schemas.includes(BOT_SCHEMA)) await markPossiblySent(database, now)
      if (schemas.includes(SERVICE_SCHEMA)) await recordGapSinceBackup(openServiceTables(database), now)
    }
    for (const schema of schemas) await recordDatabaseIdentity(ownerPool, schema)
    console.log('Start Upnext now.')
  })
})

async function markPossiblySent(database: Database, now: Date): Promise<void> {
  const db = openBotTables(database)
  const items = await askAboutPossiblySentItems(db, now)
  const digestCount = await markDigestsForLookup(db, now)
  console.log(
    `Submissions that people will be asked about: ${items}. Digests to look up in Slack: ${digestCount}.`,
  )
}
