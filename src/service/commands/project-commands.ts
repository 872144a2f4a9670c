import { listLogEntries } from '../stores/logs-store.ts'
import { insertProject, listProjects } from '../stores/projects-store.ts'
import { findWebhook, saveWebhook } from '../stores/webhooks-store.ts'
import {
  type CommandContext,
  type CommandResult,
  defineCommand,
  formatTable,
  logOperatorAction,
  withProject,
} from './command.ts'

export const addProject = defineCommand({
  name: 'project add',
  help: 'Create a project.',
  argumentNames: ['name'],
  async run(context, input) {
    const name = input.name.trim()
    if (!name) return { error: 'Enter a name for the project.' }
    const project = await insertProject(context.db, name)
    if (!project) return { error: `There is already a project called "${name}".` }
    const message = `Created the project ${name}.`
    await logOperatorAction(context, { project_id: project.id, action: 'project.created', message })
    return `Created the project "${name}" (${project.id}).`
  },
})

export const showProjects = defineCommand({
  name: 'project list',
  help: 'List the projects.',
  async run({ db }) {
    const projects = await listProjects(db)
    const rows = projects.map((project) => [project.id, project.name])
    return formatTable(rows, 'There are no projects yet.')
  },
})

const MAX_SHOWN_ENTRIES = 200

export const showLog = defineCommand({
  name: 'log list',
  help: `Show the newest ${MAX_SHOWN_ENTRIES} log entries of a project, or of all projects and the operator.`,
  optionalOptions: ['project'],
  run: (context, { project }) =>
    project === undefined
      ? showEntries(context)
      : withProject(context, project, ({ id }) => showEntries(context, id)),
})

async function showEntries({ db }: CommandContext, project_id?: string): Promise<CommandResult> {
  const entries = await listLogEntries(db, { limit: MAX_SHOWN_ENTRIES, project_id })
  const rows = entries.map(({ created_at, level, actor, message }) => [
    created_at.toISOString(),
    level,
    actor,
    message,
  ])
  return formatTable(rows, 'The log is empty.')
}

export const setWebhook = defineCommand({
  name: 'webhook set',
  help: "Send a project's events to a URL. Prints the signing secret, which is shown only once.",
  argumentNames: ['url'],
  requiredOptions: ['project'],
  run: (context, { url, project }) =>
    withProject(context, project, async ({ id, name }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        return { error: `"${url}" isn't a valid URL. It must start with https:// or http://.` }
      const secret = `whsec_${context.randomBytes(32).toString('base64')}`
      await saveWebhook(context.db, { project_id: id, url, secret })
      const message = `The events of ${name} are now sent to ${new URL(url).host}.`
      await logOperatorAction(context, { project_id: id, action: 'webhook.set', message })
      return `${message} Signing secret (shown only once):\n${secret}`
    }),
})

export const showWebhook = defineCommand({
  name: 'webhook show',
  help: "Show the URL that a project's events are sent to.",
  requiredOptions: ['project'],
  run: (context, input) =>
    withProject(context, input.project, async (project) => {
      const webhook = await findWebhook(context.db, project.id)
      return webhook ? webhook.url : `${project.name} has no webhook.`
    }),
})
