import { insertTemplate, listTemplates } from '../storage/templates.ts'
import { command } from './command.ts'
import { inProject, noteOperator, table } from './operator.ts'

export const addTemplate = command({
  words: 'template add',
  help: 'Gives a project a template that posts may reference.',
  args: ['title'],
  needs: ['project', 'content'],
  takes: ['description'],
  run: (context, { title, project, content, description = null }) =>
    inProject(context, project, async ({ id, name }) => {
      const template = await insertTemplate(context.db, { project_id: id, title, content, description })
      const message = `Added the template "${title}" to ${name}.`
      await noteOperator(context, {
        project_id: id,
        action: 'template.created',
        message,
        target_id: template.id,
      })
      return `${message} Its id is ${template.id}.`
    }),
})

export const showTemplates = command({
  words: 'template list',
  help: 'Shows the templates of a project.',
  needs: ['project'],
  run: (context, input) =>
    inProject(context, input.project, async (project) => {
      const templates = await listTemplates(context.db, project.id)
      return table(
        templates.map(({ id, title }) => [id, title]),
        `${project.name} has no template yet.`,
      )
    }),
})
