import { parseArgs } from 'node:util'
import { readConfig, startedByNpm } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../log.ts'
import { runUntilStopped } from '../run.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { openData, serve } from '../serve.ts'
import { type Command, usageOf } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { connectStorage } from './storage/connect.ts'
import type { Db } from './storage/tables.ts'
import { inTransaction } from './storage/transaction.ts'

const args = process.argv.slice(2)
if (args.length) await operate(args)
else await serveAlone()

async function serveAlone(): Promise<void> {
  const open = async (opened: (close: () => Promise<void>) => void) => {
    const config = readConfig()
    const log = createLog(config.LOG_LEVEL)
    const { url } = await serve({ config, log, database: await openData(config, log, opened), opened })
    console.log(`ready     service ${url}`)
  }
  await runUntilStopped(open, { endsWithParent: startedByNpm() })
}

async function operate(args: string[]): Promise<void> {
  if (args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help')
    return console.log(help(args))
  const call = readCall(args)
  if ('fault' in call) return fail(call.fault)
  try {
    const database = await openDatabase({
      config: readConfig(),
      onError: () => {},
      randomBytes: runtime.randomBytes,
    })
    try {
      const db = await connectStorage(database.pool)
      const context = { now: runtime.now(), randomBytes: runtime.randomBytes }
      const run = (db: Db) => call.command.run({ ...context, db }, call.input)
      const result = await inTransaction(db, run, (result) => typeof result !== 'string')
      if (typeof result === 'string') console.log(result)
      else fail(result.fault)
    } finally {
      await database.close()
    }
  } catch (error) {
    fail((error as Error).message)
  }
}

function fail(fault: string): void {
  console.error(fault)
  process.exitCode = 1
}

type ReadCall = { command: Command; input: Record<string, string> } | { fault: string }

function readCall(args: string[]): ReadCall {
  const command = commands.find(({ words }) => words === args.slice(0, 2).join(' '))
  if (!command)
    return {
      fault: `There is no command "${args.slice(0, 2).join(' ')}". Use --help to see those there are.`,
    }
  const usage = `\nUsage: npm run service -- ${usageOf(command)}`
  const names = [...command.needs, ...command.takes]
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(2),
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      allowPositionals: true,
    })
    const lacking = [
      ...command.args.slice(positionals.length).map((name) => `<${name}>`),
      ...command.needs.filter((name) => values[name] === undefined).map((name) => `--${name}`),
    ]
    if (lacking.length) return { fault: `${lacking.join(' and ')} is missing.${usage}` }
    if (positionals.length > command.args.length)
      return {
        fault: `"${positionals[command.args.length]}" is too much; put words that belong together in quotes.${usage}`,
      }
    const named = command.args.map((name, index) => [name, positionals[index]])
    return { command, input: { ...values, ...Object.fromEntries(named) } as Record<string, string> }
  } catch (error) {
    return { fault: `${(error as Error).message}${usage}` }
  }
}

function help(args: string[]): string {
  const named = commands.filter(({ words }) => args.includes(words.split(' ')[0] ?? ''))
  const lines = (named.length ? named : commands).map(
    (command) => `  ${usageOf(command)}\n      ${command.help}`,
  )
  return [
    'Usage: npm run service                     starts the scheduling service alone',
    '       npm run service -- <command>        changes or shows what its API leaves to the operator,',
    '                                           also while the service is running',
    '',
    ...lines,
  ].join('\n')
}
