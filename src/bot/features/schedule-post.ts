import { DateTime } from 'luxon'
import { readPost, readPosts, readTemplate, readTemplates } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { checkPost } from '../../platforms/check-post.ts'
import { extractPlatformsAtEnd, platformName } from '../../platforms/platform-names.ts'
import { listRecordsSeen } from '../../store/records-seen.ts'
import { findWhen } from '../../time/find-when.ts'
import type { Choice, Filling, Look } from '../form/field.ts'
import { choice, lookup, platforms, text, UNAVAILABLE, url, when } from '../form/fields.ts'
import { type Checking, form, type Looking, type Seen, type Warning } from '../form/form.ts'
import { platformsOf, postBlocks, whenOf } from '../posts.ts'
import { escaped, section } from '../reply.ts'

export const schedulePost = form<Body>({
  verb: 'schedule',
  command: '/schedule-post',
  usage: '[Launch day! tomorrow 9am on LinkedIn and X]',
  help: 'Schedules a post. What is typed behind it is filled in.',
  title: 'Schedule a post',
  submit: ({ Status }) => (Status === 'DRAFT' ? 'Save the draft' : 'Schedule'),
  right: 'write',
  isForAll: true,
  shortcuts: [
    { type: 'global', callback_id: 'schedule_post' },
    { type: 'message', callback_id: 'schedule_as_post' },
  ],
  fields: {
    Content: text('Content', { multiline: true }).optional(),
    ScheduleDate: when('When').optional(),
    Platforms: platforms('Platforms'),
    Media: url('Media', 'Where the picture or film is, as an address that anybody can open.').optional(),
    TemplateId: lookup('Template', listTemplateChoices, {
      isOfProject: true,
      fill: fillFromTemplate,
    }).optional(),
    PromptId: lookup('Prompt', listPromptsSeen, { isOfProject: true }).optional(),
    Status: choice('What to do', { SCHEDULED: 'Schedule it', DRAFT: 'Save as draft' }, { dispatches: true }),
  },
  initial: (words, { now, zone, locale }) => {
    const { rest, platforms: named } = extractPlatformsAtEnd(words)
    const { reading, text } = findWhen(rest, { now, zone, locale })
    const from = reading.kind === 'refusal' ? '' : reading.source
    return { Content: text, ScheduleDate: from, Platforms: named, Status: 'SCHEDULED' }
  },
  remark: (words, { now, zone, locale }) => {
    const { reading, text } = findWhen(extractPlatformsAtEnd(words).rest, { now, zone, locale })
    const from = reading.kind === 'refusal' ? '' : reading.source
    return from && text.includes(from)
      ? `"${from}" stands under When and in the text. Take it out of the text if it only says when to post.`
      : undefined
  },
  notes: (body) => {
    const { characterCounts, errors, warnings } = checkPost(draftOf(body))
    const counted = `As of the last check: ${characterCounts.join(' · ')}`
    return characterCounts.length ? { Content: [counted, ...errors.Media, ...warnings].join('\n') } : {}
  },
  faults: (body) => {
    const isDraft = body.Status === 'DRAFT'
    const isEmpty = !(body.Content || body.Media || body.TemplateId || body.PromptId)
    // A draft need not be fit to be sent yet.
    const { Content, Media } = isDraft ? { Content: [], Media: [] } : checkPost(draftOf(body)).errors
    return {
      Content: isEmpty ? 'Write something, or choose a template, a prompt or a picture.' : Content.join(' '),
      Media: Media.join(' '),
      ScheduleDate: isDraft || body.ScheduleDate ? '' : 'Say when, or save it as a draft.',
    }
  },
  warn: async (body, checking) => {
    if (body.Status === 'DRAFT') return []
    const left = body.Content?.match(/\{\{?\s*\w+\s*\}?\}/g) ?? []
    const doubts = [
      ...checkPost(draftOf(body)).warnings,
      ...(left.length ? [`The text still has ${[...new Set(left)].join(', ')} in it.`] : []),
    ]
    return [...doubts.map((say) => ({ id: say, say })), ...(await findRepeats(body, checking))]
  },
  send: (body, { api, project, deadlineMs }) =>
    api.POST('/api/v1/projects/{project_id}/posts', {
      params: { path: { project_id: project.Id } },
      body,
      deadlineMs,
    }),
  creates: { idOf: (data) => readPost(data)?.Id, find: findTheSame },
  done: (data, reader) => {
    const post = readPost(data) ?? { raw: data }
    const name = escaped(reader.project.Name)
    const what = post.Status === 'DRAFT' ? `Saved as a draft in ${name}` : `Scheduled in ${name}`
    return {
      text: `${what}: ${whenOf(post, reader)}, ${platformsOf(post)}`,
      blocks: [section(`*${what}*`), ...postBlocks(post, reader)],
    }
  },
  next: (_data, { Id }) => [
    { action_id: 'schedule:open', label: 'Schedule another' },
    { action_id: 'next:show', label: 'What goes out next', value: Id },
  ],
})

type Body = components['schemas']['Post']

const draftOf = ({ Content = '', Media, Platforms = [] }: Partial<Body>) => ({
  Content,
  Media: Media ?? undefined,
  Platforms,
})

async function listTemplateChoices({ bot, project_id, deadlineMs }: Look): Promise<Choice[]> {
  const params = { path: { project_id } }
  const outcome = await bot.api.GET('/api/v1/projects/{project_id}/templates', { params, deadlineMs })
  if (outcome.kind !== 'ok') return [UNAVAILABLE]
  return readTemplates(outcome.data).items.flatMap(({ Id, Title }) =>
    Id ? [{ value: Id, label: Title ?? Id }] : [],
  )
}

/** What the template says, where nothing was written yet. */
async function fillFromTemplate({
  bot,
  project_id,
  id,
  deadlineMs,
}: Look & { id: string }): Promise<Filling> {
  const params = { path: { project_id, template_id: id } }
  const outcome = await bot.api.GET('/api/v1/projects/{project_id}/templates/{template_id}', {
    params,
    deadlineMs,
  })
  if (outcome.kind !== 'ok') return { failure: outcome }
  const Content = readTemplate(outcome.data)?.Content
  return { values: Content ? { Content } : {} }
}

/** The service has no list of them. */
async function listPromptsSeen({ bot, asker: { team_id }, project_id }: Look): Promise<Choice[]> {
  const seen = await listRecordsSeen(bot.db, { team_id, project_id, kind: 'prompt' })
  return seen.map(({ record_id, name }) => ({ value: record_id, label: name }))
}

const PAGE = 100

/** The post itself, after a call of which nobody knows how it went: of that date, with these words, for these platforms. */
async function findTheSame(
  { Content = '', Platforms = [], ScheduleDate }: Body,
  { api, project, deadlineMs }: Looking,
): Promise<Seen> {
  if (!ScheduleDate) return { kind: 'cannot tell' }
  const found: { id: string; data: unknown }[] = []
  for (let skip = 0; ; skip += PAGE) {
    const outcome = await api.GET('/api/v1/projects/{project_id}/posts', {
      params: {
        path: { project_id: project.Id },
        query: { schedule_date_from: ScheduleDate, schedule_date_to: ScheduleDate, skip, limit: PAGE },
      },
      deadlineMs,
    })
    if (outcome.kind !== 'ok') return { kind: 'failed', failure: outcome }
    const { items } = readPosts(outcome.data)
    for (const [index, post] of items.entries())
      if (
        isSameMoment(post.ScheduleDate, ScheduleDate) &&
        (post.Content ?? '') === Content &&
        [...(post.Platforms ?? [])].sort().join() === [...Platforms].sort().join()
      )
        found.push({ id: post.Id ?? `no ${skip + index} of ${ScheduleDate}`, data: post.raw })
    if (items.length < PAGE) return { kind: 'seen', found }
  }
}

const isSameMoment = (one: string | undefined, other: string) => Date.parse(one ?? '') === Date.parse(other)

/** Platforms refuse, or hide, what they were sent a day ago. */
async function findRepeats(
  { Content = '', Platforms = [], ScheduleDate }: Body,
  { api, project, reader, deadlineMs }: Checking,
): Promise<Warning[]> {
  const at = DateTime.fromISO(ScheduleDate ?? reader.now.toISOString(), { setZone: true })
  const outcome = await api.GET('/api/v1/projects/{project_id}/posts', {
    params: {
      path: { project_id: project.Id },
      query: {
        platforms: Platforms,
        schedule_date_from: at.minus({ hours: 24 }).toISO(),
        schedule_date_to: at.plus({ hours: 24 }).toISO(),
        limit: 100,
      },
    },
    deadlineMs,
  })
  // Where it cannot be looked up, nobody is kept from sending for that.
  if (outcome.kind !== 'ok') return []
  return readPosts(outcome.data)
    .items.filter((post) => post.Content?.trim() === Content.trim() && post.Status !== 'DRAFT')
    .flatMap((post) => {
      const again = Platforms.filter((platform) => post.Platforms?.includes(platform)).map(platformName)
      return again.length
        ? [
            {
              id: `${post.Id} ${again}`,
              say: `The same text is there already for ${again.join(' and ')}: ${whenOf(post, reader)}.`,
            },
          ]
        : []
    })
}
