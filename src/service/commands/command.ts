import { hasVisibleText } from '../../platforms/has-visible-text.ts'
import type { Runtime } from '../../runtime.ts'
import type { PublisherSettings } from '../publishing/create-publishers.ts'
import type { LogEntry } from '../stores/logs-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import { isUsableUrl } from '../validation/fields.ts'

export type CommandContext = {
  db: Db
  now: Date
  publishing: PublisherSettings
  runtime: Runtime
  /** Adds an entry to the activity log, with the operator as its actor, and with the project if there is one. */
  log(entry: Omit<LogEntry, 'actor' | 'created_at' | 'project_id'> & { project_id?: string }): Promise<void>
}

/** The names in angle brackets in a usage. */
type RequiredInput<Usage extends string> = Usage extends `${string}<${infer Name}>${infer Rest}`
  ? Name | RequiredInput<Rest>
  : never

/** The project that the option --project names. */
type NamedProject<Usage extends string> = Usage extends `${string}<project>${string}`
  ? { project: Row<'project'> }
  : { project?: Row<'project'> | undefined }

export type Command<Usage extends string = string> = {
  /** The subject, the action, and the required input, such as "user list --project <project>". */
  usage: Usage
  optionalOptions?: string[]
  /** The name of a secret, which is read from the terminal or standard input because other users can see arguments. */
  secret?: string
  help: string
  /**
   * Returns the text to print, or a problem, which is printed as an error after the changes are committed. Errors that
   * it throws are also printed, but roll the changes back.
   */
  run(
    context: CommandContext & NamedProject<Usage>,
    input: Record<RequiredInput<Usage>, string> & Record<string, string | undefined>,
  ): Promise<string | { problem: string }>
}

/** Infers from the usage which input `run` always receives. */
export const defineCommand = <Usage extends string>(command: Command<Usage>): Command => command

/** The words before the input, such as "user list". */
export const commandName = ({ usage }: Command): string => usage.split(/ [<-]/, 1)[0] ?? ''

export function requireText(name: string, text: string): void {
  if (!hasVisibleText(text)) throw new Error(`The ${name} is empty.`)
}

export function requireUrl(text: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`"${text}" isn't a valid URL. It must start with https:// or http://.`)
  if (!isUsableUrl(new URL(text))) throw new Error("The URL can't contain a user name or a password.")
}

/** Text that other people entered could forge lines, or control the terminal. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu

export function formatTable(table: string[][], emptyMessage: string): string {
  const rows = table.map((row) => row.map((cell) => cell.replace(CONTROL_CHARACTERS, ' ')))
  const [firstRow] = rows
  if (!firstRow) return emptyMessage
  const widths = firstRow.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const formatRow = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => formatRow(row).trimEnd()).join('\n')
}
