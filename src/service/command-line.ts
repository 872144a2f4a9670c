import { isStartedByNpm, readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { runUntilStopped } from '../lifecycle.ts'
import { createLog } from '../log.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { startDatabase, startService } from '../startup.ts'
import { formatHelp, parseCommand, runCommand } from './commands/run-command.ts'
import { openServiceDatabase } from './stores/database.ts'

const args = process.argv.slice(2)
if (!args.length) await startServiceOnly()
else if (args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help')
  console.log(formatHelp(args))
else
  try {
    console.log(await runOperatorCommand())
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }

async function startServiceOnly(): Promise<void> {
  await runUntilStopped(
    async (addCleanup) => {
      const config = readConfig()
      const log = createLog(config.LOG_LEVEL)
      const database = await startDatabase({ config, log, addCleanup })
      const { url } = await startService({ config, log, addCleanup, database })
      console.log(`ready     service ${url}`)
    },
    { stopsWithParent: isStartedByNpm() },
  )
}

async function runOperatorCommand(): Promise<string> {
  const command = parseCommand(args)
  const { now, randomBytes } = runtime
  const database = await openDatabase({ config: readConfig(), onError: () => {}, randomBytes })
  try {
    const db = await openServiceDatabase(database.pool)
    return await runCommand(command, { db, now: now(), randomBytes })
  } finally {
    await database.close()
  }
}
