import type { KnownBlock } from '@slack/types'
import { readPosts } from '../../api/records.ts'
import { extractPlatforms } from '../../platforms/platform-names.ts'
import { readDateRange } from '../../time/date-range.ts'
import { findPerson, type Person } from '../asker.ts'
import type { Feature, Request } from '../feature.ts'
import { firstPage, pageButtons, type Turned, turning } from '../pages.ts'
import { postBlocks, SHORT } from '../posts.ts'
import { escaped, said, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

const PAGE = 5

export const listPosts: Feature = {
  verb: 'posts',
  usage: '[drafts, scheduled, published] [linkedin, x] [from monday to friday]',
  help: 'Lists posts; words say which.',
  run: (request) => showPage(request, firstPage(request.words)),
  actions: {
    'posts:show': (request) =>
      showPage(request, { ...firstPage(''), project_id: request.words || undefined }),
    ...turning('posts', showPage),
  },
}

function showPage(request: Request, { words, page, project_id }: Turned): Promise<void> {
  return withProject(
    request,
    async ({ project, fail }) => {
      const { bot, asker, reply } = request
      const person = await findPerson(bot, asker)
      const now = bot.runtime.now()
      const filters = readFilters(words, { person, now })
      if ('fault' in filters) return reply(said(filters.fault))
      const outcome = await bot.api.GET('/api/v1/projects/{project_id}/posts', {
        params: {
          path: { project_id: project.Id },
          query: { ...filters.query, skip: page * PAGE, limit: PAGE + 1 },
        },
      })
      if (outcome.kind !== 'ok') return fail(outcome)
      const { items } = readPosts(outcome.data)
      const name = escaped(project.Name)
      const which = words.trim() ? `"${escaped(words.trim())}" in ${name}` : name
      if (!items.length) {
        const text = page ? `There are no more posts of ${which}.` : `There are no posts of ${which}.`
        return reply(said(text))
      }
      const shown = items.slice(0, PAGE)
      return reply({
        text: `Posts of ${which}`,
        blocks: [
          section(`*Posts of ${which}*`),
          ...shown.flatMap((post): KnownBlock[] => [
            { type: 'divider' },
            ...postBlocks(post, { zone: person.zone, now }, SHORT),
          ]),
          ...pageButtons({
            action_id: 'posts',
            words,
            page,
            project_id: project.Id,
            more: items.length > PAGE,
          }),
        ],
      })
    },
    project_id,
  )
}

type Query = {
  status?: string[]
  platforms?: string[]
  schedule_date_from?: string
  schedule_date_to?: string
}

const STATUSES: Record<string, string> = {
  draft: 'DRAFT',
  drafts: 'DRAFT',
  scheduled: 'SCHEDULED',
  published: 'PUBLISHED',
}

/** Words for statuses and platforms stand anywhere; what is left says which days. */
function readFilters(
  words: string,
  { person, now }: { person: Person; now: Date },
): { query: Query } | { fault: string } {
  const status = new Set<string>()
  const { platforms: named, rest } = extractPlatforms(words)
  const days = rest
    .split(/[\s,]+/)
    .filter((word) => {
      const known = STATUSES[word.toLowerCase()]
      if (known) status.add(known)
      return word && !known && !/^(on|posts?|and|all)$/i.test(word)
    })
    .join(' ')
  const query: Query = {
    ...(status.size > 0 && { status: [...status] }),
    ...(named.length > 0 && { platforms: named }),
  }
  if (!days) return { query }
  const span = readDateRange(days, { now, zone: person.zone, locale: person.locale })
  if (span.kind === 'refusal')
    return {
      fault: `"${escaped(days)}" is no status and no platform, and as days: ${span.message} There are drafts, scheduled and published.`,
    }
  return {
    query: {
      ...query,
      ...(span.from && { schedule_date_from: span.from.toISO() ?? '' }),
      ...(span.to && { schedule_date_to: span.to.toISO() ?? '' }),
    },
  }
}
