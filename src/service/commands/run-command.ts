import { parseArgs } from 'node:util'
import { insertLogEntries } from '../stores/logs-store.ts'
import { findProject } from '../stores/projects-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import * as accountCommands from './account-commands.ts'
import { type Command, type CommandContext, commandName } from './command.ts'
import * as projectCommands from './project-commands.ts'
import * as templateAndSourceCommands from './template-and-source-commands.ts'
import * as tokenCommands from './token-commands.ts'
import * as userCommands from './user-commands.ts'

const commands = {
  ...projectCommands,
  ...userCommands,
  ...tokenCommands,
  ...templateAndSourceCommands,
  ...accountCommands,
}
const COMMANDS: Command[] = Object.values(commands).sort((a, b) => a.usage.localeCompare(b.usage))

type ParsedCommand = { command: Command; input: Record<string, string> }

export function parseCommand(args: string[]): ParsedCommand {
  const command = COMMANDS.find((command) => `${args.join(' ')} `.startsWith(`${commandName(command)} `))
  if (!command) throw unknownCommandError(args)
  try {
    return { command, input: parseInput(command, args.slice(commandName(command).split(' ').length)) }
  } catch (error) {
    throw new Error(`${(error as Error).message}\nUsage: npm run service -- ${formatUsage(command)}`)
  }
}

function unknownCommandError(args: string[]): Error {
  const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2)
  const typed = words.join(' ')
  const names = COMMANDS.map(commandName).filter((name) => name.startsWith(`${typed} `))
  const advice = names.length
    ? `Use one of these: ${names.join(', ')}. Add --help to see what they need.`
    : 'Use --help to see all commands.'
  return new Error(`There is no command "${typed}". ${advice}`)
}

function parseInput({ usage, optionalOptions = [] }: Command, args: string[]): Record<string, string> {
  const requiredNames = [...usage.matchAll(/<(\w+)>/g)].map(([, name = '']) => name)
  const isOption = (name: string) => usage.includes(`--${name} `)
  const argumentNames = requiredNames.filter((name) => !isOption(name))
  const requiredOptions = requiredNames.filter(isOption)
  const optionNames = [...requiredOptions, ...optionalOptions]
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }])),
    allowPositionals: true,
  })
  const missing = [
    ...argumentNames.slice(positionals.length).map((name) => `<${name}>`),
    ...requiredOptions.filter((name) => values[name] === undefined).map((name) => `--${name}`),
  ]
  if (missing.length) throw new Error(`Missing: ${missing.join(', ')}.`)
  const extra = positionals[argumentNames.length]
  if (extra !== undefined) throw new Error(`Unexpected argument "${extra}". Put text with spaces in quotes.`)
  const argumentValues = argumentNames.map((name, index) => [name, positionals[index]])
  return { ...values, ...Object.fromEntries(argumentValues) }
}

const formatUsage = ({ usage, optionalOptions = [] }: Command): string =>
  [usage, ...optionalOptions.map((option) => `[--${option} <${option}>]`)].join(' ')

/** Returns the text to print. Throws a problem that the command returned, but only after its changes are committed. */
export async function runCommand(
  { command, input }: ParsedCommand,
  { db, ...context }: Omit<CommandContext, 'log'>,
): Promise<string> {
  const result = await db.transaction().execute(async (db) => {
    const project = input.project === undefined ? undefined : await requireProject(db, input.project)
    const origin = { project_id: project?.id ?? null, actor: 'operator', created_at: context.now }
    const log: CommandContext['log'] = (entry) => insertLogEntries(db, [{ ...origin, ...entry }])
    return command.run({ ...context, db, log, project }, input)
  })
  if (typeof result !== 'string') throw new Error(result.problem)
  return result
}

/** Finds the project by its name or id. */
async function requireProject(db: Db, nameOrId: string): Promise<Row<'project'>> {
  const project = await findProject(db, nameOrId)
  if (!project) throw new Error(`There is no project "${nameOrId}". Run "project list" to see all projects.`)
  return project
}

/** Describes the commands whose first word is among the arguments. If there are none, describes all commands. */
export function formatHelp(args: string[]): string {
  const matches = COMMANDS.filter(({ usage }) => args.includes(usage.split(' ')[0] ?? ''))
  const describedCommands = matches.length ? matches : COMMANDS
  return [
    'Usage: npm run service                     Start only the scheduling service.',
    '       npm run service -- <command>        Run one of the commands below.',
    '',
    ...describedCommands.map((command) => `  ${formatUsage(command)}\n      ${command.help}`),
  ].join('\n')
}
