import type { KnownBlock } from '@slack/types'
import type { Post } from '../../api/records.ts'
import type { ApiResult } from '../../api/result.ts'
import { readDateRange } from '../../time/date-range.ts'
import { replyWithFailure } from '../errors.ts'
import type { Request } from '../feature.ts'
import { context, section, textReply } from '../message-blocks.ts'
import { resolveProject } from '../projects/projects.ts'
import { MAX_PREVIEW_LENGTH, postBlocks, postTime, sortBySchedule } from './post-blocks.ts'
import { type PostReference, postButtons } from './post-buttons.ts'

const MAX_PAGES = 5
const MAX_CHOICES = 5

/** The post that a command's words are about. If there are several or none, tells the user and returns undefined. */
export async function choosePost(request: Request, question: string): Promise<PostReference | undefined> {
  const { bot, profile, text, reply } = request
  if (!bot.extensions.current.canChangePosts) {
    await reply(textReply("Scheduled posts can't be changed: this scheduling service doesn't support it."))
    return undefined
  }
  const project = await resolveProject(request)
  if (!project) return undefined
  const found = await findPostsByWords(request, project.Id, text)
  if (found.kind !== 'ok') {
    await replyWithFailure(request, found)
    return undefined
  }
  const { posts, hasMore } = found.data
  const [only, ...others] = posts
  if (only?.Id && !others.length && !hasMore) return { project_id: project.Id, post_id: only.Id }
  if (!only) await reply(textReply('No scheduled post or draft matches. `/upnext posts` lists all.'))
  else {
    const viewer = { ...profile, now: bot.runtime.now() }
    const choices = posts
      .slice(0, MAX_CHOICES)
      .flatMap((post): KnownBlock[] => [
        { type: 'divider' },
        ...postBlocks(post, viewer, MAX_PREVIEW_LENGTH),
        ...postButtons(bot, profile, project.Id, post),
      ])
    const more =
      posts.length > MAX_CHOICES || hasMore ? [context('More posts match. Add words or a date.')] : []
    await reply({ text: question, blocks: [section(`*${question}*`), ...choices, ...more] })
  }
  return undefined
}

/** Finds the scheduled posts and drafts whose text contains the words, or whose date they name. */
async function findPostsByWords(
  { bot, profile }: Request,
  project_id: string,
  words: string,
): Promise<ApiResult<{ posts: Post[]; hasMore: boolean }>> {
  const filter = { status: ['SCHEDULED', 'DRAFT'] }
  const listed = await bot.api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return listed
  const { items, hasMore, isReadable } = listed.data
  if (!items.length && !isReadable) return { kind: 'unclear', cause: 'unreadable' }
  const found = (matches: Post[]) => ({ kind: 'ok' as const, data: { posts: matches, hasMore } })
  // Not every service applies the filter.
  const open = sortBySchedule(items.filter(({ Status = '' }) => filter.status.includes(Status)))
  const posts = [...open.filter(postTime), ...open.filter((post) => !postTime(post))]
  const wanted = words.trim().toLowerCase()
  if (!wanted) return found(posts)
  const withText = posts.filter(({ Content = '' }) => Content.toLowerCase().includes(wanted))
  if (withText.length) return found(withText)
  const range = readDateRange(words, { ...profile, now: bot.runtime.now() }, 'future')
  if (range.kind === 'refusal') return found([])
  const { from, to } = range
  const dated = posts.filter((post) => {
    const at = postTime(post)
    return at && (!from || at >= from) && (!to || at <= to)
  })
  return found(dated)
}

/** Whether the service says that the post itself is gone, rather than its project or the page. */
export const isPostGone = (result: ApiResult<unknown>): boolean =>
  result.kind === 'not-found' && /\bpost\b/i.test(result.message ?? '')
