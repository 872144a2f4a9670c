import { parseArgs } from 'node:util'
import { inTransaction } from '../stores/database.ts'
import type { Db } from '../stores/tables.ts'
import { type Command, type CommandContext, type CommandResult, formatUsage } from './command.ts'
import { addStagedFile, showStagedFiles } from './file-commands.ts'
import { addProject, setWebhook, showLog, showProjects, showWebhook } from './project-commands.ts'
import { addSource, addTemplate, showSources, showTemplates } from './template-and-source-commands.ts'
import { addToken, removeToken, showTokens } from './token-commands.ts'
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

export type ParsedCommand = { command: Command; input: Record<string, string> }

export function parseCommand(args: string[]): ParsedCommand | { error: string } {
  const name = args.slice(0, 2).join(' ')
  const command = COMMANDS.find((command) => command.name === name)
  if (!command) return { error: `There is no command "${name}". Use --help to see all commands.` }
  const { argumentNames, requiredOptions, optionalOptions } = command
  const errorWithUsage = (error: string) => ({
    error: `${error}\nUsage: npm run service -- ${formatUsage(command)}`,
  })
  const optionNames = [...requiredOptions, ...optionalOptions]
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(2),
      options: Object.fromEntries(optionNames.map((option) => [option, { type: 'string' as const }])),
      allowPositionals: true,
    })
    const missing = [
      ...argumentNames.slice(positionals.length).map((argument) => `<${argument}>`),
      ...requiredOptions.filter((option) => values[option] === undefined).map((option) => `--${option}`),
    ]
    if (missing.length) return errorWithUsage(`Missing: ${missing.join(', ')}.`)
    const extraArgument = positionals[argumentNames.length]
    if (extraArgument !== undefined)
      return errorWithUsage(`Unexpected argument "${extraArgument}". Put text with spaces in quotes.`)
    const argumentValues = argumentNames.map((argument, index) => [argument, positionals[index]])
    const input = { ...values, ...Object.fromEntries(argumentValues) } as Record<string, string>
    return { command, input }
  } catch (error) {
    return errorWithUsage((error as Error).message)
  }
}

export const runCommand = (
  { command, input }: ParsedCommand,
  context: CommandContext,
): Promise<CommandResult> =>
  inTransaction(context.db, (db: Db) => command.run({ ...context, db }, input), {
    shouldCommit: (result) => typeof result === 'string',
  })

/** Describes all commands, or those that start with a word of the arguments. */
export function formatHelp(args: string[]): string {
  const matches = COMMANDS.filter(({ name }) => args.includes(name.split(' ')[0] ?? ''))
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
