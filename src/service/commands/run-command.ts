import { parseArgs } from 'node:util'
import { insertLogEntries } from '../stores/logs-store.ts'
import type { Command, CommandContext } from './command.ts'
import { addProject, setWebhook, showLog, showProjects, showWebhook } from './project-commands.ts'
import { addSource, addTemplate, showSources, showTemplates } from './template-and-source-commands.ts'
import { addStagedFile, addToken, removeToken, showStagedFiles, showTokens } from './token-commands.ts'
import { addUser, showUsers } from './user-commands.ts'

const COMMANDS: Command[] = [
  addProject,
  showProjects,
  addUser,
  showUsers,
  addToken,
  showTokens,
  removeToken,
  addTemplate,
  showTemplates,
  addSource,
  showSources,
  setWebhook,
  showWebhook,
  addStagedFile,
  showStagedFiles,
  showLog,
]

type ParsedCommand = { command: Command; input: Record<string, string> }

export function parseCommand(args: string[]): ParsedCommand {
  const name = args.slice(0, 2).join(' ')
  const command = COMMANDS.find(({ usage }) => usage.split(' ', 2).join(' ') === name)
  if (!command) throw new Error(`There is no command "${name}". Use --help to see all commands.`)
  try {
    return { command, input: parseInput(command, args.slice(2)) }
  } catch (error) {
    throw new Error(`${(error as Error).message}\nUsage: npm run service -- ${formatUsage(command)}`)
  }
}

function parseInput({ usage, optionalOptions }: Command, args: string[]): Record<string, string> {
  const requiredNames = [...usage.matchAll(/<(\w+)>/g)].map(([, name = '']) => name)
  const isOption = (name: string) => usage.includes(`--${name} `)
  const argumentNames = requiredNames.filter((name) => !isOption(name))
  const optionNames = [...requiredNames.filter(isOption), ...optionalOptions]
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }])),
    allowPositionals: true,
  })
  const input = { ...values } as Record<string, string>
  positionals.forEach((value, index) => {
    const name = argumentNames[index]
    if (!name) throw new Error(`Unexpected argument "${value}". Put text with spaces in quotes.`)
    input[name] = value
  })
  const missing = requiredNames.filter((name) => input[name] === undefined)
  const missingInput = missing.map((name) => (isOption(name) ? `--${name}` : `<${name}>`))
  if (missing.length) throw new Error(`Missing: ${missingInput.join(', ')}.`)
  return input
}

const formatUsage = ({ usage, optionalOptions }: Command): string =>
  [usage, ...optionalOptions.map((option) => `[--${option} <${option}>]`)].join(' ')

export const runCommand = (
  { command, input }: ParsedCommand,
  { db, now, randomBytes }: Omit<CommandContext, 'log'>,
): Promise<string> =>
  db.transaction().execute((db) => {
    const log: CommandContext['log'] = (entry) =>
      insertLogEntries(db, [{ ...entry, actor: 'operator', created_at: now }])
    return command.run({ db, now, randomBytes, log }, input)
  })

/** Describes all commands, or those that start with a word of the arguments. */
export function formatHelp(args: string[]): string {
  const matches = COMMANDS.filter(({ usage }) => args.includes(usage.split(' ')[0] ?? ''))
  const lines = (matches.length ? matches : COMMANDS).map(
    (command) => `  ${formatUsage(command)}\n      ${command.help}`,
  )
  return [
    'Usage: npm run service                     Start only the scheduling service.',
    '       npm run service -- <command>        Manage what its API cannot, even while it is running.',
    '',
    ...lines,
  ].join('\n')
}
