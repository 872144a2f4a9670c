import { insertTemplate, listTemplates } from '../stores/prompts-and-templates-store.ts'
import { insertSource, listSources } from '../stores/sources-store.ts'
import { defineCommand, formatTable, logOperatorAction, withProject } from './command.ts'

export const addTemplate = defineCommand({
  name: 'template add',
  help: 'Add a template that posts can use.',
  argumentNames: ['title'],
  requiredOptions: ['project', 'content'],
  optionalOptions: ['description'],
  run: (context, { title, project, content, description = null }) =>
    withProject(context, project, async ({ id: project_id, name }) => {
      const template = await insertTemplate(context.db, { project_id, title, content, description })
      const message = `Added the template "${title}" to ${name}.`
      const action = 'template.created'
      await logOperatorAction(context, { project_id, action, message, target_id: template.id })
      return `${message} Its id is ${template.id}.`
    }),
})

export const showTemplates = defineCommand({
  name: 'template list',
  help: "List a project's templates.",
  requiredOptions: ['project'],
  run: (context, input) =>
    withProject(context, input.project, async (project) => {
      const templates = await listTemplates(context.db, project.id)
      const rows = templates.map(({ id, title }) => [id, title])
      return formatTable(rows, `${project.name} has no templates yet.`)
    }),
})

export const addSource = defineCommand({
  name: 'source add',
  help: 'Add a source to a project.',
  argumentNames: ['source'],
  requiredOptions: ['project'],
  optionalOptions: ['description'],
  run: (context, { source, project, description = null }) =>
    withProject(context, project, async ({ id: project_id, name }) => {
      const { id } = await insertSource(context.db, { project_id, source, description })
      const message = `Added the source ${source} to ${name}.`
      await logOperatorAction(context, { project_id, action: 'source.created', message, target_id: id })
      return `${message} Its id is ${id}.`
    }),
})

export const showSources = defineCommand({
  name: 'source list',
  help: "List a project's sources.",
  requiredOptions: ['project'],
  run: (context, input) =>
    withProject(context, input.project, async (project) => {
      const sources = await listSources(context.db, project.id)
      const rows = sources.map(({ id, source, description }) => [id, source, description ?? ''])
      return formatTable(rows, `${project.name} has no sources yet.`)
    }),
})
