import * as store from '../stores/prompts-templates-sources-store.ts'
import { defineCommand, formatTable, requireText } from './command.ts'

export const addTemplate = defineCommand({
  usage: 'template add <title> --project <project> --content <content>',
  optionalOptions: ['description'],
  help: 'Add a template that posts can use.',
  async run({ db, log, project }, { title, content, description }) {
    requireText('title', title)
    requireText('content', content)
    const { id } = await store.insertTemplate(db, { project_id: project.id, title, content, description })
    const message = `Added the template "${title}" to the project ${project.name}.`
    await log({ action: 'template.created', message, target_id: id })
    return `${message} Its id is ${id}.`
  },
})

export const listTemplates = defineCommand({
  usage: 'template list --project <project>',
  help: "List a project's templates.",
  async run({ db, project }) {
    const templates = await store.listTemplates(db, project.id)
    const rows = templates.map(({ id, title }) => [id, title])
    return formatTable(rows, `${project.name} has no templates yet.`)
  },
})

export const addSource = defineCommand({
  usage: 'source add <source> --project <project>',
  optionalOptions: ['description'],
  help: 'Add a source to a project.',
  async run({ db, log, project }, { source, description }) {
    requireText('source', source)
    const { id } = await store.insertSource(db, { project_id: project.id, source, description })
    const message = `Added the source "${source}" to the project ${project.name}.`
    await log({ action: 'source.created', message, target_id: id })
    return `${message} Its id is ${id}.`
  },
})

export const listSources = defineCommand({
  usage: 'source list --project <project>',
  help: "List a project's sources.",
  async run({ db, project }) {
    const sources = await store.listSources(db, project.id)
    const rows = sources.map(({ id, source, description }) => [id, source, description ?? ''])
    return formatTable(rows, `${project.name} has no sources yet.`)
  },
})
