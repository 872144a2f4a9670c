import type { DateTime } from 'luxon'
import type { PostFilter } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { type ApiFailure, INCOMPLETE_FAILURE } from '../../../../api/result.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { addMs } from '../../../../runtime.ts'
import { readDateRange } from '../../../../time/date-range.ts'
import type { Direction } from '../../../../time/grammar/filter-periods.ts'
import type { ReadingContext } from '../../../../time/reading.ts'
import { DAY_MS } from '../../../database/table-rules.ts'
import type { Bot } from '../../../slack/bot.ts'
import { replyWithFailure } from '../../../slack/errors.ts'
import type { Request } from '../../../slack/feature.ts'
import { context, section, textReply } from '../../../slack/message-blocks.ts'
import { resolveProject } from '../../../slack/projects.ts'
import { allText, sortBySchedule } from '../display/post-blocks.ts'
import { postItems } from '../display/post-list.ts'
import { isChangeable } from '../display/post-menu.ts'
import { type PostReference, referenceTo } from '../display/post-reference.ts'
import { listPostsWithFallback, ONLY_WAITING } from './project-posts.ts'

const MAX_PAGES = 5
const MAX_CHOICES = 5

export type PostSearchOptions = {
  /** Only posts of the last week. */
  isRecent?: boolean
  mayBePublished?: boolean
  /** Whether the command makes sense for a post. Other posts aren't offered. */
  isOffered?: (post: Post) => boolean
}

/** Finds the post that a command's words describe. If none or several match, replies to the user and returns undefined. */
export async function choosePost(
  request: Request,
  question: string,
  { isRecent = false, mayBePublished = isRecent, isOffered = () => true }: PostSearchOptions = {},
): Promise<PostReference | undefined> {
  const { bot, actor, profile, viewer, text, reply } = request
  const project = await resolveProject(request, undefined, { mayBeCached: true })
  if (!project) return undefined
  const failWith = async (problem: ApiFailure) => {
    await replyWithFailure(request, problem)
    return undefined
  }
  const scope = { team_id: actor.team_id, project_id: project.Id }
  const filter = isRecent ? lastWeekFilter(bot) : mayBePublished ? {} : { status: changeableStates(bot) }
  const listed = await listPostsWithFallback(bot, scope, filter, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return failWith(listed)
  const { items, isReadable, failure } = listed.data
  if (!items.length && !isReadable) return failWith({ kind: 'unclear', cause: 'unreadable' })
  const hasMore = listed.data.hasMore && (mayBePublished || bot.extensions.current.canChangePosts)
  const offered = items.filter((post) => isOffered(post) && (mayBePublished || isChangeable(bot, post)))
  const posts = matchPosts(offered, text, viewer, isRecent ? 'past' : 'future')
  if (!posts.length && hasMore) return failWith(failure ?? INCOMPLETE_FAILURE)
  const [match, ...otherMatches] = posts
  const reference = match && !otherMatches.length && !hasMore ? referenceTo(project.Id, match) : undefined
  if (reference) return reference
  if (!match) await reply(textReply(mayBePublished ? NO_MATCH : explainNoMatch(bot)))
  else {
    const menuContext = { bot, project_id: project.Id, profile }
    const choices = postItems(menuContext, posts.slice(0, MAX_CHOICES), viewer).flat()
    const note = failure ? ONLY_WAITING : 'More posts may match. Try again with more words or a date.'
    const more = posts.length > MAX_CHOICES || hasMore ? [context(note)] : []
    await reply({ text: question, blocks: [section(`*${question}*`), ...choices, ...more] })
  }
  return undefined
}

const NO_MATCH = 'No post was found. Browse your posts with `/upnext posts`.'

const explainNoMatch = ({ extensions }: Bot): string =>
  extensions.current.canChangePosts
    ? 'No scheduled post or draft was found. Enter only words from its text, or its day. Browse your posts with `/upnext posts`.'
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

/** The posts whose text contains the words, or whose date the words name. */
function matchPosts(posts: Post[], words: string, context: ReadingContext, direction: Direction): Post[] {
  const sorted = sortBySchedule(posts)
  const ordered = [...sorted.filter(postTime), ...sorted.filter((post) => !postTime(post))]
  const wanted = words.trim().toLowerCase()
  if (!wanted) return ordered
  const range = readDateRange(words, context, direction)
  const isInRange = (at: DateTime | undefined) =>
    at && range.kind !== 'refusal' && (!range.from || at >= range.from) && (!range.to || at <= range.to)
  return ordered.filter((post) => allText(post).includes(wanted) || isInRange(postTime(post)))
}
