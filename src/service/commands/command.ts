import type { Db } from '../storage/tables.ts'

export type Context = {
  db: Db
  now: Date
  randomBytes: (size: number) => Buffer
}

/** What to print, or what was wrong with the call. */
export type Result = string | { fault: string }

export type Command = {
  /** As typed: `project add`. */
  words: string
  help: string
  /** The names of what must follow, in order. */
  args: string[]
  /** Options that must be given, and those that may. */
  needs: string[]
  takes: string[]
  run(context: Context, input: Record<string, string>): Promise<Result>
}

type Definition = Omit<Command, 'args' | 'needs' | 'takes' | 'run'> & Partial<Pick<Command, 'takes'>>

/** Lets `run` see every argument and needed option as a string that is there. */
export function command<const A extends string = never, const N extends string = never>(
  definition: Definition & {
    args?: readonly A[]
    needs?: readonly N[]
    run(context: Context, input: Record<A | N, string> & Record<string, string | undefined>): Promise<Result>
  },
): Command {
  return { args: [], needs: [], takes: [], ...definition } as unknown as Command
}

export const usageOf = ({ words, args, needs, takes }: Command): string =>
  [
    words,
    ...args.map((name) => `<${name}>`),
    ...needs.map((name) => `--${name} <${name}>`),
    ...takes.map((name) => `[--${name} <${name}>]`),
  ].join(' ')
