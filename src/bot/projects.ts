import { type Project, readProjects } from '../api/records.ts'
import { findChannelProject, findPersonProject, setPersonProject } from '../store/projects.ts'
import type { Asker, Bot } from './bot.ts'
import type { Failure } from './trouble.ts'

export type KnownProject = { Id: string; Name: string }

export type Projects = { projects: KnownProject[] } | { failure: Failure }

export async function listProjects({ api }: Bot, deadlineMs?: number): Promise<Projects> {
  const outcome = await api.GET('/api/v1/projects', { deadlineMs })
  if (outcome.kind !== 'ok') return { failure: outcome }
  return { projects: readProjects(outcome.data).items.flatMap(known) }
}

const known = ({ Id, Name }: Project): KnownProject[] =>
  Id ? [{ Id, Name: Name?.trim() || `Project ${Id}` }] : []

export type Chosen =
  | { project: KnownProject; projects: KnownProject[] }
  | { unsure: KnownProject[] }
  | { failure: Failure }

/** The project that is meant: the channel's, or the person's last, or the only one there is. */
export async function chooseProject(bot: Bot, asker: Asker, deadlineMs?: number): Promise<Chosen> {
  const { db } = bot
  const { channel_id = '' } = asker
  const [listed, channel, person] = await Promise.all([
    listProjects(bot, deadlineMs),
    findChannelProject(db, { ...asker, channel_id }),
    findPersonProject(db, asker),
  ])
  if ('failure' in listed) return listed
  const { projects } = listed
  const byId = (id: string | undefined) => projects.find((project) => project.Id === id)
  const only = projects.length === 1 ? projects[0] : undefined
  const project = byId(channel?.project_id) ?? byId(person?.project_id) ?? only
  return project ? { project, projects } : { unsure: projects }
}

/** The one that a button names, where it is there still. */
export async function findProject(
  bot: Bot,
  id: string,
): Promise<Exclude<Chosen, { unsure: unknown }> | { gone: true }> {
  const listed = await listProjects(bot)
  if ('failure' in listed) return listed
  const project = listed.projects.find(({ Id }) => Id === id)
  return project ? { ...listed, project } : { gone: true }
}

/** The project of that name, also where only its beginning was typed. */
export function findByName(projects: KnownProject[], typed: string): KnownProject | undefined {
  const wanted = typed.trim().toLowerCase()
  const beginning = projects.filter(({ Name }) => Name.toLowerCase().startsWith(wanted))
  return (
    projects.find(({ Name, Id }) => Name.toLowerCase() === wanted || Id === typed.trim()) ??
    (wanted && beginning.length === 1 ? beginning[0] : undefined)
  )
}

export const rememberProject = ({ db, runtime }: Bot, { team_id, user_id }: Asker, project_id: string) =>
  setPersonProject(db, { team_id, user_id, project_id, used_at: runtime.now() })
