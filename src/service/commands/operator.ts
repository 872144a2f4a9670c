import { writeLog } from '../storage/logs.ts'
import { findProject } from '../storage/projects.ts'
import type { Row } from '../storage/tables.ts'
import type { Context, Result } from './command.ts'

/** Finds the project by name or id, and goes on with it. */
export async function inProject(
  { db }: Context,
  name: string,
  work: (project: Row<'project'>) => Promise<Result>,
): Promise<Result> {
  const project = await findProject(db, name)
  return project
    ? work(project)
    : { fault: `There is no project "${name}". "project list" shows those there are.` }
}

type Entry = { project_id: string | null; action: string; message: string; target_id?: string }

export const noteOperator = ({ db, now }: Context, entry: Entry): Promise<void> =>
  writeLog(db, [{ ...entry, actor: 'operator', created_at: now }])

export function table(rows: string[][], whenEmpty: string): string {
  if (!rows.length) return whenEmpty
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
