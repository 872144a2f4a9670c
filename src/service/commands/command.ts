import { insertLogEntries } from '../stores/logs-store.ts'
import { findProject } from '../stores/projects-store.ts'
import type { Db, Row } from '../stores/tables.ts'

export type CommandContext = { db: Db; now: Date; randomBytes: (size: number) => Buffer }

/** The text to print, or the reason why the command failed. An error rolls back the command's changes. */
export type CommandResult = string | { error: string }

export type Command = {
  /** The subject and the action, such as "project add". */
  name: string
  help: string
  argumentNames: string[]
  requiredOptions: string[]
  optionalOptions: string[]
  run(context: CommandContext, input: Record<string, string>): Promise<CommandResult>
}

type CommandDefinition<A extends string, R extends string> = {
  name: string
  help: string
  argumentNames?: readonly A[]
  requiredOptions?: readonly R[]
  optionalOptions?: string[]
  run(
    context: CommandContext,
    input: Record<A | R, string> & Record<string, string | undefined>,
  ): Promise<CommandResult>
}

/** Infers which inputs `run` always receives: all arguments and required options. */
export function defineCommand<const A extends string = never, const R extends string = never>(
  definition: CommandDefinition<A, R>,
): Command {
  const defaults = { argumentNames: [], requiredOptions: [], optionalOptions: [] }
  return { ...defaults, ...definition } as unknown as Command
}

export const formatUsage = ({ name, argumentNames, requiredOptions, optionalOptions }: Command): string =>
  [
    name,
    ...argumentNames.map((argument) => `<${argument}>`),
    ...requiredOptions.map((option) => `--${option} <${option}>`),
    ...optionalOptions.map((option) => `[--${option} <${option}>]`),
  ].join(' ')

/** Finds the project by its name or id and runs `work` with it. */
export async function withProject(
  { db }: CommandContext,
  nameOrId: string,
  work: (project: Row<'project'>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const project = await findProject(db, nameOrId)
  if (!project) return { error: `There is no project "${nameOrId}". Run "project list" to see all projects.` }
  return work(project)
}

type OperatorAction = { project_id: string | null; action: string; message: string; target_id?: string }

export const logOperatorAction = ({ db, now }: CommandContext, action: OperatorAction): Promise<void> =>
  insertLogEntries(db, [{ ...action, actor: 'operator', created_at: now }])

export function formatTable(rows: string[][], emptyMessage: string): string {
  const [firstRow] = rows
  if (!firstRow) return emptyMessage
  const widths = firstRow.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const formatRow = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => formatRow(row).trimEnd()).join('\n')
}
