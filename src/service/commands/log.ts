import { listLogs } from '../storage/logs.ts'
import { findProject } from '../storage/projects.ts'
import { command } from './command.ts'
import { table } from './operator.ts'

const SHOWN = 200

export const showLog = command({
  words: 'log list',
  help: `Shows the newest ${SHOWN} log entries: of one project, or of all and of what belongs to none.`,
  takes: ['project'],
  async run({ db }, input) {
    const project = input.project === undefined ? undefined : await findProject(db, input.project)
    if (input.project !== undefined && !project) return { fault: `There is no project "${input.project}".` }
    const entries = await listLogs(db, { most: SHOWN, ...(project && { project_id: project.id }) })
    const rows = entries.map(({ created_at, level, actor, message }) => [
      created_at.toISOString(),
      level,
      actor,
      message,
    ])
    return table(rows, 'The log is empty.')
  },
})
