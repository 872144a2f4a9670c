import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { systemRuntime as runtime } from './runtime.ts'

/** Runs a command-line program for operators. An error is printed without its stack, and leads to exit status 1. */
export async function runCommandLine(main: () => Promise<void>): Promise<void> {
  // A program such as `head` closes the pipe after the first lines.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  try {
    await main()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

/** Like `runCommandLine`, for a program with flags and `--help`. */
export const runTool = <Flag extends string>(
  help: string,
  flags: Flag[],
  main: (args: string[], flags: Partial<Record<Flag, boolean>>) => Promise<void>,
): Promise<void> =>
  runCommandLine(async () => {
    const options = Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }]))
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) console.log(help)
    else await main(positionals, values as Partial<Record<Flag, boolean>>)
  })

/** Opens the database that the settings name, and closes it when the work is done. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openDatabase({ config, onError: () => {}, runtime })
  try {
    return await work(database, config)
  } finally {
    await database.close()
  }
}
