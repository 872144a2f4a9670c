import type { PostFilter } from '../../../api/client.ts'
import type { Post } from '../../../api/records.ts'
import { postTime } from '../../../api/timestamps.ts'
import { addMs } from '../../../runtime.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import { listForms } from '../../forms/form.ts'
import { listUnsentBodies } from '../../outbox/find-items-store.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import type { NamedProject } from '../../slack/project-list.ts'
import { uploadNameOf } from '../media/media-store.ts'
import { problemResults, unconnectedResults } from '../posts/display/post-results.ts'
import { HANDED_OVER } from '../posts/display/post-states.ts'
import { listProjectPosts } from '../posts/find/project-posts.ts'

export type UploadUse = {
  post: Post
  /** Undefined for a post in the outbox or in a plan. */
  project?: NamedProject
}

type FoundUploadUses = {
  /** The uses of each upload, by the upload's name. */
  byName: Map<string, UploadUse[]>
  /** False if there may be more uses than were found. */
  isComplete: boolean
}

const MAX_PAGES = 100
/** A service may fetch a file some time after its post is due, so the posts of the last day count. */
const FETCH_MS = DAY_MS
/** Posts that failed can be published again for a week. */
const RETRY_MS = 7 * DAY_MS

/** Finds the posts that still need an upload: scheduled posts, drafts, and posts in the outbox or in a plan. */
export async function findUploadUses(
  { bot, modules }: Pick<WorkerContext, 'bot' | 'modules'>,
  team_id: string,
): Promise<FoundUploadUses> {
  const { db, runtime } = bot
  const verbs = listForms(modules).flatMap(({ verb, upload }) => (upload ? [verb] : []))
  const planned = await Promise.all(
    modules.map(({ listPlannedPosts }) => listPlannedPosts?.(db, team_id) ?? []),
  )
  const bodies = [...(await listUnsentBodies(db, team_id, verbs)), ...planned.flat()]
  const uses: UploadUse[] = bodies.map((body) => ({ post: { ...body, raw: {} } }))
  const list = await bot.projectList.load()
  const { projects, hasMore } = 'failure' in list ? { projects: [], hasMore: true } : list
  const now = runtime.now()
  const filters: PostFilter[] = [
    { schedule_date_from: addMs(now, -RETRY_MS).toISOString() },
    { status: ['DRAFT'] },
  ]
  const isNeeded = (post: Post) =>
    post.Status !== HANDED_OVER && (post.Status !== 'PUBLISHED' || mayNeedMedia(post, addMs(now, -FETCH_MS)))
  let isComplete = !hasMore
  for (const project of projects)
    for (const filter of filters) {
      const scope = { team_id, project_id: project.Id }
      const result = await listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES })
      // Posts on their way are also in the outbox.
      const listed = result.kind === 'ok' ? result.data.items : []
      uses.push(...listed.filter(isNeeded).map((post) => ({ post, project })))
      isComplete &&= result.kind === 'ok' && !result.data.hasMore && result.data.isReadable
    }
  const byName = new Map<string, UploadUse[]>()
  for (const use of uses) {
    const name = uploadNameOf(use.post.Media ?? '')
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), use])
  }
  return { byName, isComplete }
}

const mayNeedMedia = (post: Post, since: Date): boolean =>
  problemResults(post).length > 0 ||
  unconnectedResults(post).length > 0 ||
  +(postTime(post) ?? since) >= since.getTime()
