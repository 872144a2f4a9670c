import { type Config, readConfig } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { systemRuntime as runtime } from './runtime.ts'

/** Runs a command-line program for operators. An error is printed without its stack, and leads to exit status 1. */
export async function runCommandLine(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

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
