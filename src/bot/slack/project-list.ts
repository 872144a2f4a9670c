import type { Api } from '../../api/client.ts'
import type { Project } from '../../api/records.ts'
import type { ApiFailure } from '../../api/result.ts'
import type { Runtime } from '../../runtime.ts'
import { truncate } from './message-blocks.ts'

export type NamedProject = { Id: string; Name: string }

export type ProjectListResult =
  /** `hasMore` says whether there are more projects than were loaded. */
  { projects: NamedProject[]; hasMore: boolean } | { failure: ApiFailure }

/** A form may open with a list of this age, because the form is updated once the current list is loaded. */
const MAX_AGE_MS = 60 * 60_000

/** A list up to this age counts as current, so that forms that open within a second share one request. */
const MAX_CURRENT_AGE_MS = 1000

export type ProjectList = ReturnType<typeof createProjectList>

/** Loads the service's projects, and remembers them so that forms open immediately. */
export function createProjectList(api: Api, now: Runtime['now']) {
  let cachedList: { projects: NamedProject[]; hasMore: boolean; loadedAt: number } | undefined
  let refreshing: Promise<ProjectListResult> | undefined

  async function load(deadline?: Date): Promise<ProjectListResult> {
    const result = await api.projects.list({ deadline })
    if (result.kind !== 'ok') return { failure: result }
    const projects = distinguishNames(result.data.items.flatMap(toNamedProject))
    cachedList = { projects, hasMore: result.data.hasMore ?? false, loadedAt: now().getTime() }
    return cachedList
  }

  const recall = (maxAgeMs: number) =>
    cachedList && Math.abs(now().getTime() - cachedList.loadedAt) < maxAgeMs ? cachedList : undefined

  /** The current projects. Simultaneous calls share one request. */
  async function findCurrent(): Promise<ProjectListResult> {
    const current = recall(MAX_CURRENT_AGE_MS)
    if (current) return current
    refreshing ??= load().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  return {
    load,
    findCurrent,
    recall: () => recall(MAX_AGE_MS)?.projects,
    /** Whether the service no longer lists a project: it was deleted, or Upnext has no access to it anymore. */
    async isLost(project_id: string): Promise<boolean> {
      const list = await findCurrent()
      return 'projects' in list && !list.hasMore && !list.projects.some(({ Id }) => Id === project_id)
    },
    /** Returns the project's current name, because projects can be renamed, or the stored name if loading fails. */
    async nameOf(project_id: string, stored = `Project ${project_id}`): Promise<string> {
      const list = await findCurrent()
      const projects = 'projects' in list ? list.projects : []
      return projects.find(({ Id }) => Id === project_id)?.Name ?? stored
    },
  }
}

const toNamedProject = ({ Id, Name }: Project): NamedProject[] =>
  Id ? [{ Id, Name: Name?.trim() || `Project ${Id}` }] : []

/** Menus show 75 characters of a name. */
const MAX_SHARED_NAME_LENGTH = 60

/** Adds the end of its id to each name that several projects share. */
function distinguishNames(projects: NamedProject[]): NamedProject[] {
  const names = projects.map(({ Name }) => Name.toLowerCase())
  return projects.map(({ Id, Name }, index) => {
    const name = names[index] ?? ''
    const isUnique = names.indexOf(name) === names.lastIndexOf(name)
    return { Id, Name: isUnique ? Name : `${truncate(Name, MAX_SHARED_NAME_LENGTH)} (${Id.slice(-6)})` }
  })
}
