import type { PlatformResult } from '../../../../api/field-readers.ts'
import type { Post } from '../../../../api/records.ts'
import type { ApiResult } from '../../../../api/result.ts'
import type { Platform } from '../../../../platforms/platform-names.ts'
import { addMs } from '../../../../runtime.ts'
import { toAuditOutcome, toOutcome } from '../../../forms/outcome.ts'
import { recordAction } from '../../../slack/audit.ts'
import type { Request } from '../../../slack/feature.ts'
import { loadNamedProject } from '../../../slack/projects.ts'
import type { PostReference } from '../display/post-reference.ts'
import { readPost } from '../find/read-post.ts'
import { queueMessageUpdates } from '../messages/post-message-store.ts'
import { queueProjectCheck } from '../messages/queue-project-check.ts'

type ResultsDecision = {
  Platforms: Platform[]
  State: 'PUBLISHING' | 'PUBLISHED'
  /** The results that the user saw. */
  seen: PlatformResult[]
}

type RequestBody = { Platforms: Platform[]; State: ResultsDecision['State']; At?: string }

/** Most platforms publish a post within this time. */
const CHECK_DELAY_MS = 5000

/** Publishes a post again, or records that it is out, unless its results have changed since the user saw them. */
export async function setResults(
  request: Request,
  { project_id, post_id }: PostReference,
  { Platforms, State, seen }: ResultsDecision,
  { hasAlert = false } = {},
): Promise<ApiResult<Post>> {
  const { bot, actor } = request
  const { request_id, team_id } = actor
  const At = latestTimeOf(seen.filter(({ Platform }) => Platforms.some((one) => one === Platform)))
  const body: RequestBody = { Platforms, State, ...(At && { At }) }
  const response = await bot.api.posts.setResults(project_id, post_id, body, { request_id })
  const result = (await findRepeatedDecision(request, { project_id, post_id }, body, response)) ?? response
  const outcome = toAuditOutcome(toOutcome(result))
  await recordAction(request, { action: 'retry', outcome, project_id, target: post_id, after: body })
  if (result.kind !== 'ok') return result
  const now = bot.runtime.now()
  await bot.db.transaction().execute((db) => queueMessageUpdates(db, { team_id, project_id, post_id }, now))
  const { Name } = await loadNamedProject(request, project_id)
  const project = { team_id, project_id, project_name: Name }
  const due_at = addMs(now, CHECK_DELAY_MS)
  await queueProjectCheck(bot, project, { due_at })
  // Without an open alert, the recurring check may have ended.
  if (!hasAlert) await queueProjectCheck(bot, project, { due_at, post_id })
  return result
}

/** The post, if a rejection only means that an earlier attempt, whose response was lost, has made the decision. */
async function findRepeatedDecision(
  { bot, actor: { team_id } }: Request,
  reference: PostReference,
  { Platforms, State, At: seen = '' }: RequestBody,
  response: ApiResult<Post>,
): Promise<ApiResult<Post> | undefined> {
  if (response.kind !== 'rejected' || ![409, 412].includes(response.status)) return undefined
  const found = await readPost({ bot, team_id }, reference)
  if (found.kind !== 'ok') return undefined
  const { post } = found.data
  const decidedStates = State === 'PUBLISHING' ? ['PUBLISHING', 'PUBLISHED'] : [State]
  const isDecided = (result: PlatformResult) =>
    decidedStates.includes(result.State) && (result.At ?? '') > seen
  const isMade = Platforms.every((platform) =>
    post.Results?.some((result) => result.Platform === platform && isDecided(result)),
  )
  return isMade ? { kind: 'ok', data: post } : undefined
}

export const latestTimeOf = (results: PlatformResult[]): string =>
  results
    .map(({ At = '' }) => At)
    .sort()
    .at(-1) ?? ''
