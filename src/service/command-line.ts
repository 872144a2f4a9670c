import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { runServer, startService } from '../startup.ts'
import { formatHelp, type ParsedCommand, parseCommand, runCommand } from './commands/run-command.ts'
import { openServiceDatabase } from './stores/database.ts'

const args = process.argv.slice(2)
if (!args.length)
  await runServer(async (startup) => {
    const { url } = await startService(startup)
    console.log(`ready     service ${url}`)
  })
else if (args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help')
  console.log(formatHelp(args))
else {
  const parsed = parseCommand(args)
  if ('error' in parsed) printError(parsed.error)
  else await runOperatorCommand(parsed)
}

async function runOperatorCommand(command: ParsedCommand): Promise<void> {
  const { now, randomBytes } = runtime
  try {
    const database = await openDatabase({ config: readConfig(), onError: () => {}, randomBytes })
    try {
      const db = await openServiceDatabase(database.pool)
      const result = await runCommand(command, { db, now: now(), randomBytes })
      if (typeof result === 'string') console.log(result)
      else printError(result.error)
    } finally {
      await database.close()
    }
  } catch (error) {
    printError((error as Error).message)
  }
}

function printError(error: string): void {
  console.error(error)
  process.exitCode = 1
}
