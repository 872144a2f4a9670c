import { isPrivateUrl } from '../publishing/public-dispatcher.ts'
import { listLogEntries } from '../stores/logs-store.ts'
import {
  findProject,
  findWebhook,
  insertProject,
  listProjects,
  saveWebhook,
  updateProject,
} from '../stores/projects-store.ts'
import { defineCommand, formatTable, requireUrl } from './command.ts'

export const addProject = defineCommand({
  usage: 'project add <name>',
  help: 'Create a project.',
  async run({ db, log }, input) {
    const name = input.name.trim()
    if (!name) throw new Error('Enter a name for the project.')
    const project = await insertProject(db, name)
    if (!project) throw new Error(`There is already a project called "${name}".`)
    await log({ project_id: project.id, action: 'project.created', message: `Created the project ${name}.` })
    return `Created the project "${name}" (${project.id}). Only its users can see it. To see it in Slack, add the owner of the bot's API_TOKEN with "user add".`
  },
})

export const renameProject = defineCommand({
  usage: 'project rename <name> --project <project>',
  help: 'Rename a project.',
  async run({ db, log, project }, input) {
    const name = input.name.trim()
    if (!name) throw new Error('Enter a name for the project.')
    const namesake = await findProject(db, name)
    if (namesake && namesake.id !== project.id)
      throw new Error(`There is already a project called "${name}".`)
    await updateProject(db, project.id, { name })
    const message = `The project ${project.name} is now called ${name}.`
    await log({ action: 'project.renamed', message })
    return message
  },
})

export const listAllProjects = defineCommand({
  usage: 'project list',
  help: 'List the projects.',
  async run({ db }) {
    const projects = await listProjects(db)
    const rows = projects.map((project) => [project.id, project.name, project.is_bot_only ? 'bot only' : ''])
    return formatTable(rows, 'There are no projects yet.')
  },
})

export const setProjectBotOnly = defineCommand({
  usage: 'project bot-only <state> --project <project>',
  help: 'Let only the bot that runs with this service schedule posts, so that nobody bypasses approval. Other tokens can still save drafts and cancel posts. <state> is on or off.',
  async run({ db, log, project: { id, name } }, { state }) {
    if (state !== 'on' && state !== 'off') throw new Error(`"${state}" isn't a state. Use on or off.`)
    await updateProject(db, id, { is_bot_only: state === 'on' })
    const message =
      state === 'on'
        ? `From now on, only the bot can schedule posts in ${name}.`
        : `All tokens can schedule posts in ${name} again.`
    await log({ action: 'project.bot_only', message })
    return message
  },
})

const MAX_SHOWN_ENTRIES = 200

export const listLog = defineCommand({
  usage: 'log list',
  optionalOptions: ['project'],
  help: `Show the newest ${MAX_SHOWN_ENTRIES} log entries, or the newest ${MAX_SHOWN_ENTRIES} of one project.`,
  async run({ db, project }) {
    const entries = await listLogEntries(db, MAX_SHOWN_ENTRIES, project?.id)
    const rows = entries.map((entry) => [
      entry.created_at.toISOString(),
      entry.level,
      entry.actor,
      entry.message,
    ])
    return formatTable(rows, 'The log is empty.')
  },
})

export const setWebhook = defineCommand({
  usage: 'webhook set <url> --project <project>',
  help: "Send a project's events to a URL. Prints the signing secret, which is shown only once.",
  async run({ db, runtime: { randomBytes }, publishing, log, project: { id: project_id, name } }, { url }) {
    requireUrl(url)
    if (!publishing.allowPrivateWebhooks && (await isPrivateUrl(url)))
      throw new Error(
        `${new URL(url).host} is on this machine or on a private network. Set WEBHOOKS_TO_PRIVATE_ADDRESSES=true to allow it.`,
      )
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const isReplaced = (await findWebhook(db, project_id)) !== undefined
    await saveWebhook(db, { project_id, url, secret })
    const message = `Events of ${name} are now sent to ${new URL(url).host}.`
    await log({ action: 'webhook.set', message })
    const note = isReplaced ? '; the previous one is no longer used' : ''
    return `${message} Signing secret (shown only once${note}):\n${secret}`
  },
})

export const showWebhook = defineCommand({
  usage: 'webhook show --project <project>',
  help: "Show the URL that a project's events are sent to.",
  async run({ db, project: { id, name } }) {
    const webhook = await findWebhook(db, id)
    return webhook?.url ?? `${name} has no webhook.`
  },
})
