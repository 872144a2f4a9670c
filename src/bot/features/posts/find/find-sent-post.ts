import { DateTime, Duration } from 'luxon'
import { comparePosts, recognizePost } from '../../../../api/compare-posts.ts'
import type { Post, PostBody } from '../../../../api/records.ts'
import { addMs } from '../../../../runtime.ts'
import type { Lookup, LookupContext } from '../../../forms/form.ts'
import { listOtherItems } from '../../../outbox/find-items-store.ts'
import type { OutboxState } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'

const MAX_PAGES = 20
/** The timeout for each list that a lookup reads. */
const LIST_TIMEOUT_MS = 15_000
/** Other services may return lists that are this old. */
const MAX_LAG_MS = 60_000

/**
 * Looks up a post whose creation is unconfirmed. Our own service lists a post, unchanged, as soon as it exists. Other
 * services may change it, list it late, or leave it out.
 */
export async function findSentPost(body: PostBody, context: LookupContext): Promise<Lookup> {
  const { bot, item } = context
  const { ScheduleDate } = body
  if (!ScheduleDate) return { kind: 'impossible' }
  const listed = await listAround(ScheduleDate, context)
  if (listed.kind !== 'ok') return { kind: 'failed', failure: listed }
  const { items, hasMore, isReadable } = listed.data
  const isOwnService = bot.extensions.current.canChangePosts
  const compare = isOwnService ? comparePosts : recognizePost
  const select = (wanted: 'same' | 'unknown') => items.filter((post) => compare(body, post) === wanted)
  const matches = select('same').map((post, index) => ({
    id: post.Id ?? `${index} at ${ScheduleDate}`,
    record: post,
  }))
  const candidates = select('unknown')
  const others: OtherPost[] = isOwnService && !candidates.length ? [] : await listOtherItems(bot.db, item)
  const isOther = (post: Post) =>
    others.some((other) =>
      other.record_id
        ? other.record_id === post.Id
        : other.state === 'sent' && compare(other.body, post) === 'same',
    )
  const possibleMatches = candidates.filter((post) => !isOther(post)).map(describePost)
  let isComplete = !hasMore && isReadable
  if (isComplete && !isOwnService && !matches.length && !possibleMatches.length)
    isComplete = await listHasKnownPosts({ body, items, others }, context)
  return { kind: 'found', matches, possibleMatches, isComplete, isCurrent: isOwnService }
}

/** Another post of this project that was submitted in Slack. */
type OtherPost = { state: OutboxState; record_id: string | null; finished_at: Date | null; body: PostBody }

/** Other services may read the range in a time zone of their own, or leave out posts at its ends. */
const WINDOW = { days: 1 }

function listAround(date: string, { bot, project }: LookupContext) {
  const at = DateTime.fromISO(date, { setZone: true })
  const filter = {
    schedule_date_from: at.minus(WINDOW).toISO() ?? date,
    schedule_date_to: at.plus(WINDOW).toISO() ?? date,
  }
  return bot.api.posts.listAll(project.Id, filter, listOptions(bot))
}

const listOptions = ({ runtime }: Bot) => ({
  maxPages: MAX_PAGES,
  deadline: addMs(runtime.now(), LIST_TIMEOUT_MS),
})

type ListedPosts = { body: PostBody; items: Post[]; others: OtherPost[] }

/** Whether the list has other posts that must be on it. If it leaves those out, it may also leave out this post. */
async function listHasKnownPosts(
  { body, items, others }: ListedPosts,
  context: LookupContext,
): Promise<boolean> {
  const now = context.bot.runtime.now()
  const isUpcoming = ({ ScheduleDate }: PostBody) => timeOf(ScheduleDate) > now.getTime()
  const knownPosts = others.filter(
    ({ record_id, finished_at, body: other }) =>
      record_id &&
      finished_at &&
      finished_at < addMs(now, -MAX_LAG_MS) &&
      other.Status === body.Status &&
      isUpcoming(other),
  )
  const isNear = ({ body: other }: OtherPost) =>
    Math.abs(timeOf(other.ScheduleDate) - timeOf(body.ScheduleDate)) < Duration.fromObject(WINDOW).toMillis()
  const nearPosts = knownPosts.filter(isNear)
  if (nearPosts.length) return nearPosts.every((other) => hasRecord(items, other))
  const [latest] = knownPosts
  if (!latest?.body.ScheduleDate) return isMissingFromFullList(body, context)
  const listed = await listAround(latest.body.ScheduleDate, context)
  return listed.kind === 'ok' && hasRecord(listed.data.items, latest)
}

/** Reads the unfiltered list, because a filter by date may leave posts out. Used if no other post is known to exist. */
async function isMissingFromFullList(body: PostBody, { bot, project }: LookupContext): Promise<boolean> {
  const listed = await bot.api.posts.listAll(project.Id, {}, listOptions(bot))
  if (listed.kind !== 'ok' || listed.data.hasMore || !listed.data.isReadable) return false
  const { items } = listed.data
  const isSameKind = ({ Status, ScheduleDate }: Post) =>
    Status === body.Status && timeOf(ScheduleDate) > bot.runtime.now().getTime()
  return items.some(isSameKind) && items.every((post) => recognizePost(body, post) === 'different')
}

const timeOf = (date: string | null | undefined): number => Date.parse(date ?? '')

const hasRecord = (items: Post[], { record_id }: OtherPost) => items.some(({ Id }) => Id === record_id)

const describePost = ({ Content, ScheduleDate, Platforms, raw }: Post): string =>
  [Content, ScheduleDate, Platforms?.join(', ')].filter(Boolean).join(' · ') || JSON.stringify(raw)
