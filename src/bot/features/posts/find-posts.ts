import type { PostFilter } from '../../../api/client.ts'
import type { Post } from '../../../api/records.ts'
import { type ApiResult, INCOMPLETE_FAILURE } from '../../../api/result.ts'
import { postTime } from '../../../api/timestamps.ts'
import { addMs } from '../../../runtime.ts'
import { readDateRange } from '../../../time/date-range.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import type { Bot } from '../../slack/bot.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Request } from '../../slack/feature.ts'
import { context, section, textReply } from '../../slack/message-blocks.ts'
import { resolveProject } from '../../slack/projects.ts'
import { allText, sortBySchedule } from './post-blocks.ts'
import { postItems } from './post-list.ts'
import { isChangeable } from './post-menu.ts'
import { type PostReference, referenceTo } from './post-reference.ts'
import { listPostsOrWaiting, ONLY_WAITING } from './project-posts.ts'

const MAX_PAGES = 5
const MAX_CHOICES = 5

export type PostSearchOptions = {
  /** Only posts of the last week. */
  isRecent?: boolean
  mayBePublished?: boolean
  /** Leaves out posts that the command can't change. */
  isOffered?: (post: Post) => boolean
}

/** Finds the post that a command's words describe. If none or several match, replies to the user and returns undefined. */
export async function choosePost(
  request: Request,
  question: string,
  { isRecent = false, mayBePublished = isRecent, isOffered = () => true }: PostSearchOptions = {},
): Promise<PostReference | undefined> {
  const { bot, profile, text, reply } = request
  const project = await resolveProject(request, undefined, { mayBeRecalled: true })
  if (!project) return undefined
  const found = await findPostsByWords(request, project.Id, {
    words: text,
    isRecent,
    mayBePublished,
    isOffered,
  })
  if (found.kind !== 'ok') {
    await replyWithFailure(request, found)
    return undefined
  }
  const { posts, hasMore, isWaitingOnly } = found.data
  const [only, ...others] = posts
  const reference = only && !others.length && !hasMore ? referenceTo(project.Id, only) : undefined
  if (reference) return reference
  if (!only) await reply(textReply(mayBePublished ? NO_MATCH : explainNoMatch(bot)))
  else {
    const viewer = { ...profile, now: bot.runtime.now() }
    const menuContext = { bot, project_id: project.Id, profile }
    const choices = postItems(menuContext, posts.slice(0, MAX_CHOICES), viewer).flat()
    const note = isWaitingOnly ? ONLY_WAITING : 'More posts match. Try again with more words or a date.'
    const more = posts.length > MAX_CHOICES || hasMore ? [context(note)] : []
    await reply({ text: question, blocks: [section(`*${question}*`), ...choices, ...more] })
  }
  return undefined
}

const NO_MATCH = 'No post matches. `/upnext posts` lists all.'

const explainNoMatch = ({ extensions }: Bot): string =>
  extensions.current.canChangePosts
    ? 'No matching post can be changed. Search for words of the text or for the day of the post, and make changes in the form. `/upnext posts` lists all.'
    : "No matching post can be changed. This scheduling service doesn't support changing posts, so only posts that are held in Upnext can be changed."

function lastWeekFilter({ runtime }: Bot): PostFilter {
  const now = runtime.now()
  return { schedule_date_from: addMs(now, -7 * DAY_MS).toISOString(), schedule_date_to: now.toISOString() }
}

const changeableStates = ({ extensions }: Bot): string[] => [
  'SCHEDULED',
  'DRAFT',
  ...(extensions.current.hasAccounts ? ['FAILED'] : []),
]

type PostSearch = Required<PostSearchOptions> & { words: string }

/** Finds the posts whose text contains the words, or whose date the words name. */
async function findPostsByWords(
  { bot, actor, profile }: Request,
  project_id: string,
  { words, isRecent, mayBePublished, isOffered }: PostSearch,
): Promise<ApiResult<{ posts: Post[]; hasMore: boolean; isWaitingOnly: boolean }>> {
  const scope = { team_id: actor.team_id, project_id }
  const listed = await listPostsOrWaiting(
    bot,
    scope,
    isRecent ? lastWeekFilter(bot) : mayBePublished ? {} : { status: changeableStates(bot) },
    {
      maxPages: MAX_PAGES,
    },
  )
  if (listed.kind !== 'ok') return listed
  const { items, isReadable } = listed.data
  if (!items.length && !isReadable) return { kind: 'unclear', cause: 'unreadable' }
  const hasMore = listed.data.hasMore && (mayBePublished || bot.extensions.current.canChangePosts)
  const { failure } = listed.data
  const isWaitingOnly = failure !== undefined
  const found = (matches: Post[]) =>
    !matches.length && hasMore
      ? (failure ?? INCOMPLETE_FAILURE)
      : { kind: 'ok' as const, data: { posts: matches, hasMore, isWaitingOnly } }
  const open = sortBySchedule(
    items.filter((post) => isOffered(post) && (mayBePublished || isChangeable(bot, post))),
  )
  const posts = [...open.filter(postTime), ...open.filter((post) => !postTime(post))]
  const wanted = words.trim().toLowerCase()
  if (!wanted) return found(posts)
  const withText = posts.filter((post) => allText(post).includes(wanted))
  if (withText.length) return found(withText)
  const range = readDateRange(words, { ...profile, now: bot.runtime.now() }, isRecent ? 'past' : 'future')
  if (range.kind === 'refusal') return found([])
  const { from, to } = range
  const dated = posts.filter((post) => {
    const at = postTime(post)
    return at && (!from || at >= from) && (!to || at <= to)
  })
  return found(dated)
}
