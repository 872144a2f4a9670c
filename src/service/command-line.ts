import { readDatabaseClock } from '../database/database-clock.ts'
import { readSecret } from '../read-secret.ts'
import { runCommandLine, withDatabase } from '../run-tool.ts'
import { systemRuntime } from '../runtime.ts'
import { runServer, startService } from '../startup.ts'
import { formatHelp, parseCommand, runCommand } from './commands/run-command.ts'
import { readPublisherSettings } from './publishing/create-publishers.ts'
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

async function runOperatorCommand(): Promise<string> {
  const parsed = parseCommand(args)
  const { secret } = parsed.command
  if (secret) parsed.input.secret = await readSecret(secret)
  return withDatabase(async (database, config) => {
    const { now } = await readDatabaseClock(database.pool)
    const db = await openServiceDatabase(database)
    return runCommand(parsed, {
      db,
      now: now(),
      runtime: systemRuntime,
      publishing: readPublisherSettings(config),
    })
  })
}
