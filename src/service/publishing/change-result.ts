import type { Logger } from 'pino'
import { addJobs, type NewJob } from '../../jobs/job-store.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../stores/accounts-store.ts'
import { findPost, lockPost, type Progress, saveProgress } from '../stores/posts-store.ts'
import type { Db, PublishResult, Row } from '../stores/tables.ts'
import type { Platform, ResultState } from '../values.ts'
import { announceSettledPosts } from './announce-posts.ts'

/** A new reference is created when a post is edited or a retry is requested. Jobs with an earlier one do nothing. */
export type PublicationKey = { project_id: string; post_id: string; platform: Platform; reference: string }

export const createReference = (
  { id, version }: Pick<Row<'post'>, 'id' | 'version'>,
  platform: Platform,
): string => `upnext-${id}-${version}-${platform.toLowerCase()}`

/** The id of the post that a publication belongs to. */
export const postIdOfReference = (reference: string): string =>
  /^upnext-([0-9a-f-]{36})-/.exec(reference)?.[1] ?? ''

export const findResult = (
  { results }: Pick<Row<'post'>, 'results'>,
  { platform, reference }: Pick<PublicationKey, 'platform' | 'reference'>,
): PublishResult | undefined =>
  results?.find((result) => result.platform === platform && result.reference === reference)

/** Loads a publication. Returns undefined if the post no longer has to be published on this platform. */
export async function findPublication(db: Db, key: PublicationKey) {
  const { project_id, post_id } = key
  const post = await findPost(db, { project_id, id: post_id })
  const result = post && findResult(post, key)
  if (!post || result?.state !== 'PUBLISHING' || !result.account_id) return undefined
  // Undefined if the account was deleted.
  const account = await findAccount(db, { project_id, id: result.account_id })
  return { key, post, result, account }
}

/** When the last retry was requested or, without a retry, when the post is due. */
export const dueTime = ({ schedule_date }: Row<'post'>, { requested_at, at }: PublishResult): Date =>
  requested_at ? new Date(requested_at) : (schedule_date ?? new Date(at))

type ResultChange = { result: PublishResult; jobs?: NewJob[] }

/**
 * Changes a result while the post is locked, and announces the post once all of its platforms have settled. `decide`
 * returns undefined to leave the result as it is. Returns the post with its new result.
 */
export const changeResult = (
  db: Db,
  key: PublicationKey,
  runtime: Pick<Runtime, 'now' | 'newId'>,
  decide: (result: PublishResult, post: Row<'post'>) => ResultChange | undefined,
): Promise<{ post: Row<'post'>; result: PublishResult } | undefined> =>
  db.transaction().execute(async (db) => {
    const post = await lockPost(db, key.post_id)
    const current = post && findResult(post, key)
    const change = current && decide(current, post)
    if (!change) return undefined
    const now = runtime.now()
    const { result, jobs = [] } = change
    const results = post.results?.map((other) => (other === current ? result : other)) ?? []
    const [saved] = await saveProgress(db, [{ id: post.id, ...toProgress(results, post, now) }])
    if (!saved) return undefined
    await addJobs(db, jobs, now)
    if (result.state !== current.state) await announceSettledPosts(db, [saved], runtime)
    return { post: saved, result }
  })

/** Logs the state of a publication after an attempt or a lookup. */
export function logResult(
  log: Logger,
  key: PublicationKey,
  { state, error }: PublishResult,
  attempt: { outcome?: string; retry_at?: Date | undefined } = {},
): void {
  const { project_id: project, post_id: post, platform } = key
  const level = error === undefined ? 'info' : 'warn'
  log[level]({ project, post, platform, ...attempt, state, error }, 'Recorded the state of a publication')
}

/** The status of a post with these results. It stays scheduled until all platforms have settled. */
export function toProgress(
  results: PublishResult[],
  { published_at }: Pick<Row<'post'>, 'published_at'>,
  now: Date,
): Progress {
  const has = (...states: ResultState[]) => results.some(({ state }) => states.includes(state))
  if (has('PUBLISHING')) return { results, status: 'SCHEDULED', published_at }
  if (has('FAILED') && !has('PUBLISHED', 'UNKNOWN')) return { results, status: 'FAILED', published_at: null }
  return { results, status: 'PUBLISHED', published_at: published_at ?? now }
}
