import { runCommandLine, withDatabase } from '../command-line-shell.ts'
import { readDatabaseClock } from '../database/database-clock.ts'
import { systemRuntime } from '../runtime.ts'
import { runServer, startService } from '../startup.ts'
import { formatHelp, parseCommand, runCommand } from './commands/run-command.ts'
import { openServiceDatabase } from './stores/database.ts'

const args = process.argv.slice(2)
if (!args.length)
  await runServer(async (startup) => {
    const { url } = await startService(startup)
    console.log(`ready     service ${url}`)
  })
else if (args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help')
  console.log(formatHelp(args))
else await runCommandLine(async () => console.log(await runOperatorCommand()))

function runOperatorCommand(): Promise<string> {
  const command = parseCommand(args)
  return withDatabase(async (database, config) => {
    const { now } = await readDatabaseClock(database.pool)
    const db = await openServiceDatabase(database)
    const { randomBytes } = systemRuntime
    const allowPrivateWebhooks = config.WEBHOOKS_TO_PRIVATE_ADDRESSES
    return runCommand(command, { db, now: now(), randomBytes, allowPrivateWebhooks })
  })
}
