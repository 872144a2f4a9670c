import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../api/records.ts'
import { type ApiResult, INCOMPLETE_FAILURE } from '../../../api/result.ts'
import { addMs } from '../../../runtime.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import type { ProjectKey } from '../../database/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { context, escapeText, textReply } from '../../slack/message-blocks.ts'
import { definePagedList, type PageRequest, slicePage } from '../../slack/paged-list.ts'
import { VIEW_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { quotePost, sortBySchedule, sortUpcomingFirst } from './display/post-blocks.ts'
import { MAX_POSTS_WITH_MENU, postItems, postSelect } from './display/post-list.ts'
import type { PostReference } from './display/post-reference.ts'
import { loadPost } from './find/load-post.ts'
import { createLoader, loadForSearch, loadLatest, loadUpcoming, SEARCH_DAYS } from './find/load-posts.ts'
import { postAction } from './find/post-actions.ts'
import { type LoadedList, OUTBOX_ONLY_NOTE } from './find/project-posts.ts'
import { type PostFilterReading, readPostFilter } from './find/read-post-filter.ts'

const PAGE_SIZE = 5

export const listPosts = definePagedList({
  verb: 'posts',
  usage: '[latest, drafts, scheduled, published, failed] [linkedin, x] [from monday to friday] ["words"]',
  hasFilterButtons: true,
  help: 'List posts. Filter by status, platform, date or words in quotes.',
  loadPage: async (request, { text, page: requestedPage, project_id }) => {
    const { bot, actor, profile, viewer } = request
    const project = await resolveProject(request, project_id, { mayBeCached: true })
    if (!project) return undefined
    const reading = readPostFilter(text, viewer)
    if ('error' in reading) return { message: reading.error }
    const scope = { team_id: actor.team_id, project_id: project.Id }
    const result = await loadMatchingPosts(bot, scope, reading, viewer.now)
    if (result.kind !== 'ok') return { failure: result }
    if (!result.data.items.length && !result.data.isReadable)
      return { failure: { kind: 'unclear', cause: 'unreadable' } }
    // Upnext knows all posts that it holds, so a list of only held posts is complete.
    const isIncomplete = result.data.hasMore && !reading.isHeldOnly
    const posts = filterAndSortPosts(result.data.items, reading, viewer.now)
    const words = text.trim().replaceAll('"', '')
    const where = `in ${escapeText(project.Name)}${reading.days}${words && ` matching "${escapeText(words)}"`}`
    const otherFilter: PageRequest = { text: reading.isPast ? '' : 'latest', page: 0, project_id: project.Id }
    const otherList = {
      action_id: 'posts:list',
      label: reading.isPast ? 'Upcoming posts' : 'Latest posts',
      value: JSON.stringify(otherFilter),
    }
    const { failure } = result.data
    // Old failures rarely matter, so an incomplete list is shown with a note.
    const failedNote = isIncomplete && reading.isFailedOnly ? FAILED_NOTE : ''
    if (!posts.length && (failure || (isIncomplete && !failedNote)))
      return { failure: failure ?? INCOMPLETE_FAILURE }
    if (!posts.length) {
      const hint = reading.search && !reading.days ? SEARCH_HINT : failedNote
      return {
        message: `No ${reading.title.toLowerCase()} ${where}. ${hint}`.trim(),
        buttons: [otherList],
      }
    }
    const { items, start, page, hasMore } = slicePage(posts, requestedPage, PAGE_SIZE)
    const count = `${posts.length}${isIncomplete ? '+' : ''}`
    const shownRange =
      items.length < posts.length || isIncomplete ? ` · ${start + 1}–${start + items.length} of ${count}` : ''
    return {
      title: `${reading.title} ${where}${shownRange}`,
      items: postItems({ bot, project_id: project.Id, profile }, items, viewer),
      page,
      hasMore,
      extra: [
        ...(failure ? [context(OUTBOX_ONLY_NOTE)] : []),
        ...(failedNote ? [context(failedNote)] : []),
        ...(posts.length > MAX_POSTS_WITH_MENU ? postSelect(project.Id, posts, viewer) : []),
      ],
      buttons: [otherList],
      project_id: project.Id,
    }
  },
  actions: { 'post:open': postAction(VIEW_ACCESS, showPost) },
})

/** `listPosts` truncates a longer filter, which would lose its closing quote. */
const MAX_WORDS_LENGTH = 900

export const findPosts: Feature = {
  verb: 'find',
  usage: '[words]',
  help: 'Find posts by words in their text, in any order.',
  access: VIEW_ACCESS,
  run: (request) => {
    const words = request.text
      .replace(/["\s]+/g, ' ')
      .trim()
      .slice(0, MAX_WORDS_LENGTH)
    if (!words) return request.reply(textReply('Add words from the post: `/upnext find spring lamp`.'))
    return listPosts.run({ ...request, text: `"${words}"` })
  },
}

async function loadMatchingPosts(
  bot: Bot,
  scope: ProjectKey,
  { filter, isPast, isUpcoming, search, isShown: isWanted }: PostFilterReading,
  now: Date,
): Promise<ApiResult<LoadedList>> {
  const load = createLoader(bot, scope, filter)
  if (filter.schedule_date_from || filter.schedule_date_to) return load()
  if (isUpcoming) return loadUpcoming(load, now)
  if (isPast) return loadLatest(load, now, isWanted)
  if (!search) return load()
  if (filter.status) return load({ schedule_date_from: addMs(now, -SEARCH_DAYS * DAY_MS).toISOString() })
  return loadForSearch(load, now)
}

const SEARCH_HINT = `Upnext searched the text of upcoming posts and of posts from the last ${SEARCH_DAYS} days.`
const FAILED_NOTE = `There are many posts, so only those of the last ${SEARCH_DAYS} days were searched.`

/** Shows the post that was picked from a long list. */
async function showPost(request: Request, reference: PostReference): Promise<void> {
  const { bot, profile, viewer, reply } = request
  const found = await loadPost(request, reference, { mayBePublished: true })
  if (!found) return
  const { project_id } = reference
  const blocks: KnownBlock[] = postItems({ bot, project_id, profile }, [found.post], viewer).flat()
  const note = found.note ? [context(found.note)] : []
  await reply({ text: escapeText(quotePost(found.post)), blocks: [...blocks.slice(1), ...note] })
}

/**
 * Sorts posts, because not every service does. In a search without dates, past posts come last. In the list of upcoming
 * posts, past drafts do.
 */
function filterAndSortPosts(
  posts: Post[],
  { filter, isPast, isUpcoming, search, isShown }: PostFilterReading,
  now: Date,
): Post[] {
  const shown = posts.filter(isShown)
  if (isPast) return sortBySchedule(shown).reverse()
  const isSearch = search !== '' && !filter.schedule_date_from && !filter.schedule_date_to
  return sortUpcomingFirst(shown, now, ({ Status }) => isSearch || (isUpcoming && Status === 'DRAFT'))
}
