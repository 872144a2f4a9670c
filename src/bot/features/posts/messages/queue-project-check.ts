import { addJobs } from '../../../../jobs/job-store.ts'
import type { Bot } from '../../../slack/bot.ts'

/** The kind of jobs that look for problems in a project's posts and accounts. */
export const PROJECT_CHECK = 'project check'

export type CheckedProject = { team_id: string; project_id: string; project_name: string }

/** The data of the job. A check for one post ends once the post isn't being published anymore. */
export type ProjectCheck = CheckedProject & { post_id?: string | undefined }

type CheckOptions = { due_at?: Date; post_id?: string }

/**
 * Queues a check of the project at `due_at`. Unless the check is for one post, it repeats while a channel gets
 * alerts, an alert is open, or a direct message shows a post that may still change.
 */
export const queueProjectCheck = (
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { team_id, project_id, project_name }: CheckedProject,
  { due_at = runtime.now(), post_id }: CheckOptions = {},
): Promise<void> => {
  const key = `${team_id} ${project_id}`
  const id = post_id === undefined ? key : `${key} ${post_id} ${+due_at}`
  const data: ProjectCheck = { team_id, project_id, project_name, post_id }
  return addJobs(db, [{ kind: PROJECT_CHECK, id, key, owner: team_id, data, due_at }], runtime.now())
}
