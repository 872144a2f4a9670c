import { z } from 'zod'
import { addJobs, type NewJob } from '../../jobs/job-store.ts'
import { defineOperation, type OperationContext } from '../operation.ts'
import { announceSettledPosts } from '../publishing/announce-posts.ts'
import { postIdOfReference, toProgress } from '../publishing/change-result.ts'
import { truncate } from '../publishing/network-request.ts'
import { createPublication } from '../publishing/publish-job.ts'
import { toPostRecord } from '../records.ts'
import { findConnectedAccount } from '../stores/accounts-store.ts'
import { lockPost, saveProgress } from '../stores/posts-store.ts'
import type { PublishResult, Row } from '../stores/tables.ts'
import {
  notFound,
  RequestError,
  validationFailed,
  valueError,
  valueErrorDetails,
} from '../validation/errors.ts'
import { isId, linkField, momentField, textField, uniqueListField } from '../validation/fields.ts'
import { PLATFORMS } from '../values.ts'
import { MAX_LENGTH } from './field-lengths.ts'

const RESULT_FIELDS = {
  Platforms: uniqueListField(z.enum(PLATFORMS)).refine((platforms) => platforms.length > 0, {
    params: valueErrorDetails('name at least one platform'),
  }),
  State: z.enum(['PUBLISHING', 'PUBLISHED', 'FAILED']),
  Link: linkField(MAX_LENGTH.media).optional(),
  Error: textField(MAX_LENGTH.content).transform(truncate).optional(),
}
const DECISION_FIELDS = { ...RESULT_FIELDS, At: momentField().optional() }

type ResultsContext = OperationContext<Record<never, never>, typeof DECISION_FIELDS>

/** Lets a person set results that the service can't know, or retry the post where it failed. */
export const setResults = defineOperation(
  'PUT /extensions/v1/projects/{project_id}/posts/{post_id}/results',
  {
    requiredRole: 'EDITOR',
    body: DECISION_FIELDS,
    async run(context) {
      const { db, now, project_id, params, body, log, formatDate } = context
      const { Platforms, State, At } = body
      const post = await lockPost(db, params.post_id ?? '')
      if (post?.project_id !== project_id) throw notFound("This post doesn't exist.")
      if (!post.results) throw new RequestError(409, "This post hasn't been published yet.")
      const postPlatforms = post.results.map(({ platform }) => platform)
      const otherPlatforms = Platforms.filter((platform) => !postPlatforms.includes(platform))
      if (otherPlatforms.length)
        throw validationFailed(
          valueError('Platforms', `this post isn't for ${otherPlatforms.join(', ')}`, Platforms),
        )
      const selected = post.results.filter(({ platform }) => Platforms.includes(platform))
      const latest = Math.max(...selected.map(({ at }) => Date.parse(at)))
      // Without this, a request that is repeated after a lost response could publish the post once more.
      if (At && latest !== At.getTime())
        throw new RequestError(412, 'These results have changed since you saw them.')
      const jobs: NewJob[] = []
      const results: PublishResult[] = []
      for (const result of post.results) {
        const isSelected = Platforms.includes(result.platform)
        results.push(isSelected ? await decideResult(result, { ...context, post, jobs }) : result)
      }
      const saved = await saveResults(context, post, results)
      await addJobs(db, jobs, now)
      const done = State === 'PUBLISHING' ? 'Retried a post' : `Marked a post as ${State}`
      await log({
        action: 'post.decided',
        message: `${done} on ${Platforms.join(', ')}.`,
        target_id: post.id,
      })
      return toPostRecord(saved, formatDate)
    },
  },
)

type DecisionContext = ResultsContext & { post: Row<'post'>; jobs: NewJob[] }

async function decideResult(
  current: PublishResult,
  { db, now, project_id, body, publishers, post, jobs }: DecisionContext,
): Promise<PublishResult> {
  const { State } = body
  const { platform, state } = current
  const isRetry = State === 'PUBLISHING' && ['FAILED', 'NOT_CONNECTED'].includes(state)
  if (state !== 'UNKNOWN' && !isRetry)
    throw new RequestError(
      409,
      `This post's state on ${platform} is ${state} and can't be changed to ${State}.`,
    )
  if (State !== 'PUBLISHING') return settleResult(current, { ...body, State }, now)
  const account = await findConnectedAccount(db, { project_id, platform })
  if (!account)
    throw new RequestError(409, `This project has no account for ${platform}. Connect one, and retry.`)
  const { job, result } = createPublication(post, account, { publishers, now })
  jobs.push(job)
  return { ...result, requested_at: result.at }
}

/** Stores the results, and announces the post once all of its platforms have settled. */
async function saveResults(
  { db, now, newId }: OperationContext,
  post: Row<'post'>,
  results: PublishResult[],
): Promise<Row<'post'>> {
  const [saved = post] = await saveProgress(db, [{ id: post.id, ...toProgress(results, post, now) }])
  if (saved.status !== post.status) await announceSettledPosts(db, [saved], { now: () => now, newId })
  return saved
}

/** The program that publishes for a webhook account reports the result. A repeated report changes nothing. */
export const confirmPublication = defineOperation(
  'POST /extensions/v1/projects/{project_id}/publications/{publication_id}',
  {
    requiredRole: 'EDITOR',
    createsNothing: true,
    acceptsAnyId: true,
    body: { State: z.enum(['PUBLISHED', 'FAILED']), Link: RESULT_FIELDS.Link, Error: RESULT_FIELDS.Error },
    async run(context) {
      const { db, now, project_id, params, body, log, formatDate } = context
      const { State, Link } = body
      const reference = params.publication_id ?? ''
      const post_id = postIdOfReference(reference)
      const post = isId(post_id) ? await lockPost(db, post_id) : undefined
      const current = post?.results?.find((result) => result.reference === reference)
      if (post?.project_id !== project_id || current?.publisher !== 'WEBHOOK')
        throw notFound("This publication doesn't exist, or was replaced by another one.")
      const { state, platform } = current
      if (state === State && (!Link || Link === current.link)) return toPostRecord(post, formatDate)
      // The program behind the webhook may correct a result that the service gave up on, but can't take back a success.
      if (state === 'PUBLISHED' && State === 'FAILED')
        throw new RequestError(409, 'This publication already succeeded.')
      const result = settleResult(current, body, now)
      const results = post.results?.map((other) => (other === current ? result : other)) ?? []
      const saved = await saveResults(context, post, results)
      await log({
        action: 'post.confirmed',
        message: `Reported a post as ${State} on ${platform}.`,
        target_id: post.id,
      })
      return toPostRecord(saved, formatDate)
    },
  },
)

type Report = { State: 'PUBLISHED' | 'FAILED'; Link?: string | undefined; Error?: string | undefined }

function settleResult(
  { error: _error, ...result }: PublishResult,
  { State, Link, Error: error }: Report,
  now: Date,
): PublishResult {
  const at = now.toISOString()
  return { ...result, state: State, at, ...(Link && { link: Link }), ...(error && { error }) }
}
