import type { Post } from '../api/records.ts'
import type { ApiResult } from '../api/result.ts'
import { readDateRange } from '../time/date-range.ts'
import type { Request } from './feature.ts'
import { postTime, sortBySchedule } from './post-blocks.ts'

const MAX_PAGES = 5

/** Finds the scheduled posts and drafts whose text contains the words, or whose date they name. */
export async function findPostsByWords(
  { bot, profile }: Request,
  project_id: string,
  words: string,
): Promise<ApiResult<Post[]>> {
  const filter = { status: ['SCHEDULED', 'DRAFT'] }
  const listed = await bot.api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return listed
  const posts = sortBySchedule(listed.data.items)
  const wanted = words.trim().toLowerCase()
  if (!wanted) return { kind: 'ok', data: posts }
  const withText = posts.filter(({ Content = '' }) => Content.toLowerCase().includes(wanted))
  if (withText.length) return { kind: 'ok', data: withText }
  const range = readDateRange(words, { ...profile, now: bot.runtime.now() }, 'future')
  if (range.kind === 'refusal') return { kind: 'ok', data: [] }
  const { from, to } = range
  const dated = posts.filter((post) => {
    const at = postTime(post)
    return at && (!from || at >= from) && (!to || at <= to)
  })
  return { kind: 'ok', data: dated }
}
