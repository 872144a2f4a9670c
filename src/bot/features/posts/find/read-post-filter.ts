import type { PostFilter } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { extractPlatforms } from '../../../../platforms/platform-names.ts'
import { describeDateRange, readDateRange } from '../../../../time/date-range.ts'
import type { ReadingContext } from '../../../../time/reading.ts'
import { escapeText } from '../../../slack/message-blocks.ts'
import { TO_APPROVE } from '../../approvals/approval-store.ts'
import { hasWords } from '../display/post-blocks.ts'
import { failedResults } from '../display/post-results.ts'
import { isHeld, STATE_CHOICES } from '../display/post-states.ts'

// In filters, people don't write TO_APPROVE.
const STATUSES = [...Object.keys(STATE_CHOICES).filter((name) => name !== TO_APPROVE), 'PUBLISHED', 'FAILED']
const STATUS_WORDS = new RegExp(`^(${STATUSES.join('|')})s?$`, 'i')
const PAST_STATUSES = ['PUBLISHED', 'FAILED']
const LATEST_WORDS = /^(latest|recent)$/i
const FILLER_WORDS = /^(on|posts?|all|upcoming|)$/i

export type PostFilterReading = {
  filter: PostFilter
  title: string
  /** The days that are shown: " from Mon 23 to Fri 27 Nov". */
  days: string
  isPast: boolean
  isUpcoming: boolean
  isHeldOnly: boolean
  isFailedOnly: boolean
  /** Words to find in the posts, in lowercase. */
  search: string
  isShown: (post: Post) => boolean
}

/**
 * Statuses and platforms may appear anywhere. Other words are read as dates. Words that aren't dates, and words in
 * quotes, are searched for in the posts. Without a filter, upcoming posts are shown.
 */
export function readPostFilter(text: string, context: ReadingContext): PostFilterReading | { error: string } {
  const [quote = '', quoted = ''] = /["“„](.+)["”“]/.exec(text) ?? []
  const { platforms, rest } = extractPlatforms(text.replace(quote, ' '))
  const words = rest.split(/[\s,]+/)
  const status = new Set(words.flatMap((word) => STATUS_WORDS.exec(word)?.[1]?.toUpperCase() ?? []))
  const isLatest = words.some((word) => LATEST_WORDS.test(word))
  if (isLatest && !status.size) status.add('PUBLISHED')
  const dateWords = words
    .filter((word) => ![STATUS_WORDS, LATEST_WORDS, FILLER_WORDS].some((pattern) => pattern.test(word)))
    .join(' ')
    .replace(/^(?:(?:and|or)\b ?)+|(?: ?\b(?:and|or))+$/g, '')
  const isPast = isLatest || (status.size > 0 && [...status].every((name) => PAST_STATUSES.includes(name)))
  const reading = dateWords ? readDateRange(dateWords, context, isPast ? 'past' : 'future') : undefined
  const refusal = reading?.kind === 'refusal' ? reading : undefined
  if (refusal && refusal.reason !== 'nonsense')
    return {
      error: `"${escapeText(dateWords)}" wasn't understood. ${refusal.message} To search for these words, put them in quotes.`,
    }
  const range = reading?.kind === 'refusal' ? undefined : reading
  const search = [quoted, refusal ? dateWords : '']
    .join(' ')
    .replace(/["“”„]/g, ' ')
    .trim()
    .toLowerCase()
  const isUpcoming = !status.size && !range && !search
  const filter: PostFilter = {}
  if (status.size)
    filter.status = [...new Set([...status].map((name) => (isHeld({ Status: name }) ? 'SCHEDULED' : name)))]
  // A post that failed on only some platforms has the status PUBLISHED.
  const isFailedOnly = status.size === 1 && status.has('FAILED')
  if (isFailedOnly) filter.status = ['FAILED', 'PUBLISHED']
  if (isUpcoming) filter.status = ['SCHEDULED', 'DRAFT']
  if (platforms.length) filter.platforms = platforms
  if (range?.from) filter.schedule_date_from = range.from.toISO()
  if (range?.to) filter.schedule_date_to = range.to.toISO()
  const isHeldOnly = status.size > 0 && [...status].every((name) => isHeld({ Status: name }))
  return {
    filter,
    title: isUpcoming ? 'Upcoming posts' : isLatest ? 'Latest posts' : 'Posts',
    days: range ? ` ${describeDateRange(range, context.now)}` : '',
    isPast,
    isUpcoming,
    isHeldOnly,
    isFailedOnly,
    search,
    isShown: (post) =>
      hasWords(post, search.split(/\s+/)) &&
      (!isUpcoming || post.Status !== 'PUBLISHED') &&
      (!isHeldOnly || status.has(post.Status ?? '')) &&
      (!isFailedOnly || post.Status === 'FAILED' || failedResults(post).length > 0),
  }
}
