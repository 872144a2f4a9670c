import type { DateTime } from 'luxon'
import type { PostFilter } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { type ApiResult, INCOMPLETE_FAILURE } from '../../../../api/result.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { addMs } from '../../../../runtime.ts'
import { type DateRange, readDateRange } from '../../../../time/date-range.ts'
import type { Direction } from '../../../../time/period.ts'
import type { ReadingContext } from '../../../../time/reading.ts'
import { DAY_MS } from '../../../database/table-rules.ts'
import type { Form } from '../../../forms/form.ts'
import { type FormDraft, openForm } from '../../../forms/open-form.ts'
import type { Bot } from '../../../slack/bot.ts'
import { replyWithFailure } from '../../../slack/errors.ts'
import type { Action, Feature, Request } from '../../../slack/feature.ts'
import { context, section, textReply } from '../../../slack/message-blocks.ts'
import { resolveProject } from '../../../slack/projects.ts'
import { hasWords, sortUpcomingFirst, summarizePost } from '../display/post-blocks.ts'
import { postItems } from '../display/post-list.ts'
import { isChangeable } from '../display/post-menu.ts'
import { PostReference, postReferenceOf } from '../display/post-reference.ts'
import { HANDED_OVER } from '../display/post-states.ts'
import { loadPost, toOpenedPost } from './load-post.ts'
import { createLoader, type LoadPosts, loadForSearch, mergeLists } from './load-posts.ts'
import { type LoadedList, OUTBOX_ONLY_NOTE } from './project-posts.ts'
import { type PostVersion, resolveReference } from './read-post.ts'

const MAX_CHOICES = 5

type PostSearchOptions = {
  /** Only posts of the last week. */
  isRecent?: boolean
  mayBePublished?: boolean
  /** Whether the command makes sense for a post. Other posts aren't offered. */
  isOffered?: (post: Post) => boolean
}

type RunWithPost = (request: Request, reference: PostReference) => Promise<void>

/** Runs a command with the post that its words name. If none or several match, replies to the user. */
export const withChosenPost =
  (
    question: string,
    run: RunWithPost,
    { isRecent = false, mayBePublished = isRecent, isOffered = () => true }: PostSearchOptions = {},
  ): Feature['run'] =>
  async (request) => {
    const { bot, actor, profile, viewer, text, reply } = request
    const project = await resolveProject(request, undefined, { mayBeCached: true })
    if (!project) return
    const scope = { team_id: actor.team_id, project_id: project.Id }
    const words = readPostWords(text, viewer, isRecent ? 'past' : 'future')
    const loader = (filter: PostFilter) => createLoader(bot, scope, filter)
    const load = async () => {
      if (isRecent) return loader(lastWeekFilter(bot))()
      if (mayBePublished) return loadNamedPosts(loader({}), words, viewer.now)
      return loader({ status: changeableStates(bot) })()
    }
    const listed = await load()
    if (listed.kind !== 'ok') return replyWithFailure(request, listed)
    const { items, isReadable, failure } = listed.data
    if (!items.length && !isReadable)
      return replyWithFailure(request, { kind: 'unclear', cause: 'unreadable' })
    const hasMore = listed.data.hasMore && (mayBePublished || bot.extensions.current.canChangePosts)
    const offered = items.filter((post) => isOffered(post) && (mayBePublished || isChangeable(bot, post)))
    const posts = sortUpcomingFirst(offered.filter(words.isMatch), viewer.now)
    if (!posts.length && hasMore) return replyWithFailure(request, failure ?? INCOMPLETE_FAILURE)
    const [match, ...otherMatches] = posts
    if (!match && !isRecent && items.some((post) => post.Status === HANDED_OVER && words.isMatch(post)))
      return reply(textReply(ON_ITS_WAY))
    if (!match) return reply(textReply(mayBePublished ? NO_MATCH : explainNoMatch(bot)))
    const reference = !otherMatches.length && !hasMore ? postReferenceOf(project.Id, match) : undefined
    if (!otherMatches.length && match.Status === HANDED_OVER) return reply(textReply(ON_ITS_WAY))
    if (reference) return run(request, reference)
    const menuContext = { bot, project_id: project.Id, profile }
    const choices = postItems(menuContext, posts.slice(0, MAX_CHOICES), viewer).flat()
    const note = failure ? OUTBOX_ONLY_NOTE : 'More posts may match. Try again with more words or a date.'
    const more = posts.length > MAX_CHOICES || hasMore ? [context(note)] : []
    await reply({ text: question, blocks: [section(`*${question}*`), ...choices, ...more] })
  }

const ON_ITS_WAY = 'This post is on its way to the scheduling service. Try again in a few minutes.'
const NO_MATCH = 'No post was found. Browse your posts with `/upnext posts`.'

const explainNoMatch = ({ extensions }: Bot): string =>
  extensions.current.canChangePosts
    ? 'No scheduled post or draft was found. Enter only words from the post, or only its date. Browse your posts with `/upnext posts`.'
    : 'No post held in Upnext was found. Posts that are already in this scheduling service can only be changed there.'

function lastWeekFilter({ runtime }: Bot): PostFilter {
  const now = runtime.now()
  return { schedule_date_from: addMs(now, -7 * DAY_MS).toISOString(), schedule_date_to: now.toISOString() }
}

const changeableStates = ({ extensions }: Bot): string[] => [
  'SCHEDULED',
  'DRAFT',
  ...(extensions.current.hasAccounts ? ['FAILED'] : []),
]

type PostWords = { range: DateRange | undefined; isMatch: (post: Post) => boolean }

/** Reads words that name a post: those in its text, or its date. */
function readPostWords(text: string, context: ReadingContext, direction: Direction): PostWords {
  const wanted = text
    .replace(/["“”„«»]/g, ' ')
    .trim()
    .toLowerCase()
  const reading = wanted ? readDateRange(text, context, direction) : undefined
  const range = reading?.kind === 'range' ? reading : undefined
  const isInRange = (at: DateTime | undefined) =>
    at && range && (!range.from || at >= range.from) && (!range.to || at <= range.to)
  // In "28 nov", the words alone would match "128 innovations".
  const words = range ? [wanted] : wanted.split(/\s+/)
  return { range, isMatch: (post) => hasWords(post, words) || Boolean(isInRange(postTime(post))) }
}

/** Loads upcoming and recent posts, including published ones, plus those in `range`, or all if there is no range. */
async function loadNamedPosts(
  load: LoadPosts,
  { range, isMatch }: PostWords,
  now: Date,
): Promise<ApiResult<LoadedList>> {
  const [from, to] = [range?.from?.toISO(), range?.to?.toISO()]
  const days = { ...(from && { schedule_date_from: from }), ...(to && { schedule_date_to: to }) }
  const [around, others] = await Promise.all([loadForSearch(load, now), load(days)])
  const merged = mergeLists([around, others])
  if (merged.kind !== 'ok' || around.kind !== 'ok' || !around.data.items.some(isMatch)) return merged
  return { kind: 'ok', data: { ...merged.data, hasMore: around.data.hasMore } }
}

/** A button or menu entry of a post. */
export const postAction = (access: Action['access'], run: RunWithPost): Action => ({
  access,
  run: async (request) => {
    const { bot, actor, text } = request
    const reference = PostReference.parse(JSON.parse(text))
    await run(request, await resolveReference({ bot, team_id: actor.team_id }, reference))
  },
})

/** Slack opens a form only within three seconds of the user's action, so loading its post must be faster. */
const LOAD_TIMEOUT_MS = 2000

export const loadPostForForm = (
  request: Request,
  reference: PostReference,
  options?: Pick<PostSearchOptions, 'mayBePublished'>,
) => loadPost(request, reference, { deadline: addMs(request.bot.runtime.now(), LOAD_TIMEOUT_MS), ...options })

/** Opens a form about a post, which remembers the version that the user sees. */
export const openPostForm = (
  form: Form,
  request: Request,
  { reference, found, values }: { reference: PostReference; found: PostVersion } & Pick<FormDraft, 'values'>,
): Promise<void> =>
  openForm(form, request, {
    project_id: reference.project_id,
    draft: { values, opened: toOpenedPost(request, reference, found), about: summarizePost(found.post) },
  })
