import type { ApiFailure } from '../../api/result.ts'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { replyWithFailure } from './errors.ts'
import type { Request } from './feature.ts'
import { buttonRow, context, type Reply, textReply } from './message-blocks.ts'
import { canWrite } from './permissions.ts'
import type { DefaultProjects } from './profile.ts'
import type { NamedProject } from './project-list.ts'
import { findSettingsInChannel } from './settings-store.ts'

export const NO_PROJECTS_MESSAGE =
  "Upnext can't see any projects. Create one in the scheduling service, or give Upnext access to one."

export type ProjectChoice =
  | { kind: 'chosen'; project: NamedProject; projects: NamedProject[] }
  /** Several projects are possible, or there are none. */
  | { kind: 'undecided'; projects: NamedProject[] }
  /** The projects couldn't be loaded. `known` is a copy of the project that is up to an hour old. */
  | { kind: 'failed'; failure: ApiFailure; known?: NamedProject | undefined }

type ChoiceOptions = { project_id?: string | undefined; deadline?: Date }

/** Chooses the project that a button names or, without one, the channel's project, the user's own or the only one. */
export async function chooseProject(
  bot: Bot,
  actor: Actor,
  { project_id, deadline }: ChoiceOptions = {},
): Promise<ProjectChoice> {
  const { channel_id = '' } = actor
  const [list, settings] = await Promise.all([
    bot.projectList.load(deadline),
    findSettingsInChannel(bot.db, { ...actor, channel_id }),
  ])
  const { channel_project: channelProject, user_project: userProject } = settings ?? {}
  const projectIds = { project_id, channelProject, userProject }
  if ('projects' in list) return chooseAmong(list.projects, projectIds)
  const known = chooseAmong(bot.projectList.recall() ?? [], projectIds)
  return { kind: 'failed', ...list, known: known.kind === 'chosen' ? known.project : undefined }
}

export function chooseAmong(
  projects: NamedProject[],
  { project_id, channelProject, userProject }: DefaultProjects & { project_id: string | undefined },
): ProjectChoice {
  const onlyId = projects.length === 1 ? projects[0]?.Id : undefined
  const named = project_id || channelProject
  // If the named project is gone, no other one is chosen, because a post could go out in the wrong project.
  const ids = named ? [named] : [userProject, onlyId]
  const [project] = ids.flatMap((id) => projects.filter(({ Id }) => Id === id))
  return project ? { kind: 'chosen', project, projects } : { kind: 'undecided', projects }
}

/** Finds a project by its id, its name or a unique beginning of its name. */
export function findProjectByName(projects: NamedProject[], typed: string): NamedProject | undefined {
  const name = typed.trim().toLowerCase()
  const candidates = projects.filter(({ Name }) => Name.toLowerCase().startsWith(name))
  return (
    projects.find(({ Name, Id }) => Name.toLowerCase() === name || Id === typed.trim()) ??
    (name && candidates.length === 1 ? candidates[0] : undefined)
  )
}

export const MAX_PROJECT_BUTTONS = 10

/**
 * Returns the project that a command is about, or asks the user and returns undefined. With `mayBeCached`, the cached
 * list is enough if the service fails, because held posts can be found without the service.
 */
export async function resolveProject(
  request: Request,
  project_id?: string,
  { mayBeCached = false } = {},
): Promise<NamedProject | undefined> {
  const { bot, actor, profile, reply } = request
  const choice = await chooseProject(bot, actor, { project_id })
  if (choice.kind === 'chosen') return choice.project
  if (choice.kind === 'failed' && mayBeCached && choice.known) return choice.known
  if (choice.kind === 'failed') await replyWithFailure(request, choice.failure)
  else if (project_id) await reply(textReply('That project no longer exists, or Upnext has no access to it.'))
  else if ((actor.channel_id && canWrite(bot, profile)) || !choice.projects.length)
    await reply(projectQuestion(choice.projects))
  else await reply(textReply('Pick a project on the Home tab first.'))
  return undefined
}

export const LINK_ACTION = 'use:link'

/** Asks which project the channel is for. The answer applies to everyone in the channel. */
function projectQuestion(projects: NamedProject[]): Reply {
  if (!projects.length) return textReply(NO_PROJECTS_MESSAGE)
  const buttons = projects.slice(0, MAX_PROJECT_BUTTONS).map(({ Id, Name }, index) => ({
    // The elements of a row need different action ids.
    action_id: `${LINK_ACTION}:${index}`,
    label: Name,
    value: Id,
  }))
  const unlistedHint = "If your project isn't listed, type `/upnext use` and its name."
  const hints = projects.length > MAX_PROJECT_BUTTONS ? [context(unlistedHint)] : []
  return textReply('Which project is this channel for?', ...buttonRow(...buttons), ...hints)
}

/** For messages about a change that has already happened: if the project can't be loaded, its id replaces its name. */
export const loadNamedProject = async ({ bot }: Request, Id: string): Promise<NamedProject> => ({
  Id,
  Name: await bot.projectList.nameOf(Id),
})
