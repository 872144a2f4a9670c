import { addJobs } from '../../../jobs/job-store.ts'
import type { Bot } from '../../slack/bot.ts'

/** The kind of jobs that look for problems in a project's posts and accounts. */
export const PROJECT_CHECK = 'project check'

export type CheckedProject = { team_id: string; project_id: string; project_name: string }

/** Looks for problems in the project at `due_at`, and from then on regularly while anyone is interested. */
export const checkProject = (
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { team_id, project_id, project_name }: CheckedProject,
  due_at = runtime.now(),
): Promise<void> => {
  const id = `${team_id} ${project_id}`
  const data: CheckedProject = { team_id, project_id, project_name }
  return addJobs(db, [{ kind: PROJECT_CHECK, id, key: id, owner: team_id, data, due_at }], runtime.now())
}
