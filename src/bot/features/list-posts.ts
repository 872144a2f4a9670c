import type { PostFilter } from '../../api/client.ts'
import { extractPlatforms } from '../../platforms/platform-names.ts'
import { describeDateRange, readDateRange } from '../../time/date-range.ts'
import type { ReadingContext } from '../../time/reading.ts'
import { escapeText, truncate } from '../message-blocks.ts'
import { definePagedList } from '../paged-list.ts'
import { MAX_PREVIEW_LENGTH, postBlocks } from '../posts/post-blocks.ts'
import { postButtons } from '../posts/post-buttons.ts'
import { resolveProject } from '../projects/projects.ts'

const PAGE_SIZE = 5

export const listPosts = definePagedList({
  verb: 'posts',
  usage: '[drafts, scheduled, published] [linkedin, x] [from monday to friday]',
  help: 'List posts. Filter by status, platform or date.',
  loadPage: async (request, { text, page, project_id }) => {
    const { bot, profile } = request
    const project = await resolveProject(request, project_id)
    if (!project) return undefined
    const viewer = { ...profile, now: bot.runtime.now() }
    const reading = readFilter(text, viewer)
    if ('error' in reading) return { message: reading.error }
    // One more post than shown tells whether there is another page.
    const range = { skip: page * PAGE_SIZE, limit: PAGE_SIZE + 1 }
    const result = await bot.api.posts.list(project.Id, { ...reading.filter, ...range })
    if (result.kind !== 'ok') return { failure: result }
    const { items } = result.data
    const name = escapeText(project.Name)
    const words = text.trim()
    const list = `${name}${reading.days}${words && ` matching "${escapeText(words)}"`}`
    if (!items.length) return { message: `${page ? 'No more posts' : 'No posts'} in ${list}.` }
    return {
      title: `Posts in ${list}`,
      items: items
        .slice(0, PAGE_SIZE)
        .map((post) => [
          { type: 'divider' },
          ...postBlocks(post, viewer, MAX_PREVIEW_LENGTH),
          ...postButtons(bot, profile, project.Id, post),
        ]),
      hasMore: items.length > PAGE_SIZE,
      project_id: project.Id,
    }
  },
})

const MAX_QUOTE_LENGTH = 100
const STATUS_WORDS = /^(draft|scheduled|published)s?$/i
const FILLER_WORDS = /^(on|posts?|all|)$/i

type PostFilterReading = {
  filter: PostFilter
  /** The days that are shown: " from Mon 23 to Fri 27 Nov". */
  days: string
}

/** Statuses and platforms may appear anywhere. The remaining words are dates. */
function readFilter(text: string, context: ReadingContext): PostFilterReading | { error: string } {
  const { platforms, rest } = extractPlatforms(text)
  const words = rest.split(/[\s,]+/)
  const status = new Set(words.flatMap((word) => STATUS_WORDS.exec(word)?.[1]?.toUpperCase() ?? []))
  const dateWords = words
    .filter((word) => !STATUS_WORDS.test(word) && !FILLER_WORDS.test(word))
    .join(' ')
    .replace(/^(?:(?:and|or)\b ?)+|(?: ?\b(?:and|or))+$/g, '')
  const filter: PostFilter = {}
  if (status.size) filter.status = [...status]
  if (platforms.length) filter.platforms = platforms
  if (!dateWords) return { filter, days: '' }
  const isPublishedOnly = status.size === 1 && status.has('PUBLISHED')
  const range = readDateRange(dateWords, context, isPublishedOnly ? 'past' : 'future')
  if (range.kind === 'refusal')
    return {
      error: `I can't filter by "${escapeText(truncate(dateWords, MAX_QUOTE_LENGTH))}". ${range.message} You can also filter by platform, or by drafts, scheduled or published.`,
    }
  if (range.from) filter.schedule_date_from = range.from.toISO()
  if (range.to) filter.schedule_date_to = range.to.toISO()
  return { filter, days: ` ${describeDateRange(range, context.now)}` }
}
