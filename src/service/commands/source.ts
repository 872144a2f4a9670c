import { insertSource, listSources } from '../storage/sources.ts'
import { command } from './command.ts'
import { inProject, noteOperator, table } from './operator.ts'

export const addSource = command({
  words: 'source add',
  help: 'Gives a project a source.',
  args: ['source'],
  needs: ['project'],
  takes: ['description'],
  run: (context, { source, project, description = null }) =>
    inProject(context, project, async ({ id, name }) => {
      const added = await insertSource(context.db, { project_id: id, source, description })
      const message = `Added the source ${source} to ${name}.`
      await noteOperator(context, { project_id: id, action: 'source.created', message, target_id: added.id })
      return `${message} Its id is ${added.id}.`
    }),
})

export const showSources = command({
  words: 'source list',
  help: 'Shows the sources of a project.',
  needs: ['project'],
  run: (context, input) =>
    inProject(context, input.project, async (project) => {
      const sources = await listSources(context.db, project.id)
      const rows = sources.map(({ id, source, description }) => [id, source, description ?? ''])
      return table(rows, `${project.name} has no source yet.`)
    }),
})
