import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { readDatabaseClock } from '../database/database-clock.ts'
import { systemRuntime as runtime } from '../runtime.ts'
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
else
  try {
    console.log(await runOperatorCommand())
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }

async function runOperatorCommand(): Promise<string> {
  const command = parseCommand(args)
  const config = readConfig()
  const database = await openDatabase({ config, onError: () => {}, runtime })
  try {
    const { now } = await readDatabaseClock(database.pool)
    const db = await openServiceDatabase(database)
    const { randomBytes } = runtime
    const allowPrivateWebhooks = config.WEBHOOKS_TO_PRIVATE_ADDRESSES
    return await runCommand(command, { db, now: now(), randomBytes, allowPrivateWebhooks })
  } finally {
    await database.close()
  }
}
