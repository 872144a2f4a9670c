import { searchProjects } from '../../forms/form-menus.ts'
import { isChannelId } from '../../slack/actor.ts'
import { recordAction } from '../../slack/audit.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import { type Feature, noProject, type Request } from '../../slack/feature.ts'
import { buttonRow, escapeText, textReply } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS, WRITE_ACCESS } from '../../slack/permissions.ts'
import type { NamedProject } from '../../slack/project-list.ts'
import { findProjectByName, LINK_ACTION, MAX_PROJECT_BUTTONS } from '../../slack/projects.ts'
import { findChannelProject, linkChannelProject, saveUserSettings } from '../../slack/settings-store.ts'

export const useProject: Feature = {
  verb: 'use',
  usage: '[project]',
  help: 'Link this channel to a project, or see which one is linked.',
  // A link affects everyone in the channel.
  access: (text) => (text.trim() ? WRITE_ACCESS : VIEW_ACCESS),
  run: async (request) => {
    const { channel_id } = request.actor
    if (!channel_id) return request.reply(textReply('Use this command in a channel.'))
    const list = await request.bot.projectList.load()
    if ('failure' in list) return replyWithFailure(request, list.failure)
    const name = request.text.trim()
    if (!name) return showLink(request, channel_id, list.projects)
    const project = findProjectByName(list.projects, name)
    if (project) return linkProject(request, channel_id, project)
    const names = formatNames(list.projects)
    return request.reply(textReply(`No project is called "${escapeText(name)}". Available: ${names}.`))
  },
  // The menu is on the Home tab. It sets the user's own project, for channels without a link.
  options: { 'project:choose': { access: VIEW_ACCESS, search: searchProjects } },
  actions: {
    'project:choose': {
      access: VIEW_ACCESS,
      run: async ({ bot, actor, text }) => {
        await saveUserSettings(bot, actor, { project_id: text })
        await bot.refreshHome(actor)
      },
    },
    ...Object.fromEntries(
      Array.from({ length: MAX_PROJECT_BUTTONS }, (_, index) => [
        `${LINK_ACTION}:${index}`,
        { access: WRITE_ACCESS, projectOf: noProject, run: linkPickedProject },
      ]),
    ),
  },
}

/** Links the channel to the project that the user picked from the buttons under a command. */
async function linkPickedProject(request: Request): Promise<void> {
  const { bot, actor, text, replace } = request
  const { channel_id } = actor
  const list = await bot.projectList.load()
  if ('failure' in list) return replyWithFailure(request, list.failure)
  const project = list.projects.find(({ Id }) => Id === text)
  if (!project || !channel_id)
    return replace(textReply('That project no longer exists, or Upnext has no access to it.'))
  await linkProject(request, channel_id, project)
  const buttons = buttonRow(
    { action_id: 'next:show', label: 'Show next post', value: project.Id },
    { action_id: 'schedule:open', label: 'Schedule a post', value: project.Id },
  )
  await replace(textReply(`Linked this channel to *${escapeText(project.Name)}*.`, ...buttons))
}

async function linkProject(request: Request, channel_id: string, project: NamedProject): Promise<void> {
  const { bot, actor, share } = request
  const { team_id, user_id: linked_by } = actor
  const linked_at = bot.runtime.now()
  await linkChannelProject(bot.db, { team_id, channel_id, project_id: project.Id, linked_by, linked_at })
  await recordAction(request, {
    action: 'use',
    project_id: project.Id,
    target: channel_id,
    after: { project: project.Name },
  })
  // Everyone sees this message, because the link changes which project everyone's commands in the channel use.
  return share(textReply(linkMessage(channel_id, project, linked_by)))
}

async function showLink(request: Request, channel_id: string, projects: NamedProject[]): Promise<void> {
  const { bot, actor, reply } = request
  const link = await findChannelProject(bot.db, { team_id: actor.team_id, channel_id })
  const project = projects.find(({ Id }) => Id === link?.project_id)
  const message =
    link && project
      ? linkMessage(channel_id, project, link.linked_by)
      : `No project is linked to ${formatChannel(channel_id)}. To link one, add its name to the command: ${formatNames(projects)}.`
  return reply(textReply(message))
}

function linkMessage(channel_id: string, { Name }: NamedProject, linkedBy: string | null): string {
  const [channel, name] = [formatChannel(channel_id), `*${escapeText(Name)}*`]
  return linkedBy ? `<@${linkedBy}> linked ${channel} to ${name}.` : `${name} is linked to ${channel}.`
}

const formatChannel = (channel_id: string) =>
  isChannelId(channel_id) ? `<#${channel_id}>` : 'this conversation'

const MAX_NAMES = 20

function formatNames(projects: NamedProject[]): string {
  const names = projects.slice(0, MAX_NAMES).map(({ Name }) => escapeText(Name))
  const more = projects.length > MAX_NAMES ? ' (see all with `/upnext projects`)' : ''
  return `${names.join(', ')}${more}`
}
