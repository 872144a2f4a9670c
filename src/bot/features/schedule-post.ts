import { DateTime } from 'luxon'
import { comparePosts } from '../../api/compare-posts.ts'
import type { Post } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { checkPost } from '../../platforms/check-post.ts'
import { platformName } from '../../platforms/platform-names.ts'
import { optional, type Prefill, type SearchContext } from '../form/field.ts'
import {
  dateField,
  firstValue,
  linkField,
  platformsField,
  searchAmong,
  searchSelect,
  selectField,
  textField,
  UNAVAILABLE_CHOICE,
} from '../form/fields.ts'
import type { FormDefinition, Lookup, LookupContext, Warning } from '../form/form.ts'
import type { Choice } from '../form/form-value.ts'
import { defineForm } from '../form/open-form.ts'
import { toOutcome } from '../form/outcome.ts'
import { escapeText, section } from '../message-blocks.ts'
import { formatSchedule, platformNames, postBlocks, type Viewer } from '../posts/post-blocks.ts'
import { listKnownRecords } from '../projects/projects-store.ts'
import { readPostCommand } from './post-command.ts'

type PostBody = components['schemas']['Post']

/** What the forms for a new post and for an existing one have in common. */
export const POST_FORM = {
  fields: {
    Content: optional(textField('Content', { multiline: true })),
    ScheduleDate: optional(
      dateField('When', 'In your own words: "tomorrow 9am", "friday 17:30 Berlin", "in 3 hours".'),
    ),
    Platforms: platformsField('Platforms'),
    Media: optional(linkField('Media', 'Public link to an image or video')),
    TemplateId: optional(
      searchSelect('Template', searchAmong(listTemplates), {
        belongsToProject: true,
        updatesForm: true,
        prefill: prefillFromTemplate,
      }),
    ),
    PromptId: optional(searchSelect('Prompt', searchAmong(listKnownPrompts), { belongsToProject: true })),
    Status: selectField('Save as', { SCHEDULED: 'Scheduled post', DRAFT: 'Draft' }, { updatesForm: true }),
  },
  fieldNotes: (body: Partial<PostBody>) => {
    const { characterCounts, errors, warnings } = checkPost(draftOf(body))
    const counts = `As of the last check: ${characterCounts.join(' · ')}`
    return characterCounts.length ? { Content: [counts, ...errors.Media, ...warnings].join('\n') } : {}
  },
  validate: (body: Partial<PostBody>) => {
    const isDraft = body.Status === 'DRAFT'
    const isEmpty = !(body.Content || body.Media || body.TemplateId || body.PromptId)
    // A draft may exceed the limits of its platforms for now.
    const { Content, Media } = isDraft ? { Content: [], Media: [] } : checkPost(draftOf(body)).errors
    return {
      Content: isEmpty ? 'Enter some text, or pick a template, a prompt or media.' : Content.join(' '),
      Media: Media.join(' '),
      ScheduleDate: isDraft || body.ScheduleDate ? '' : 'Enter a date, or save the post as a draft.',
    }
  },
} satisfies Partial<FormDefinition<PostBody, Post>>

export const schedulePost = defineForm<PostBody, Post>({
  ...POST_FORM,
  verb: 'schedule',
  command: '/schedule-post',
  usage: '[Launch day! tomorrow 9am on LinkedIn and X]',
  help: 'Schedule a post. Anything you type after the command is prefilled.',
  title: 'Schedule a post',
  submitLabel: ({ Status }) => (firstValue(Status) === 'DRAFT' ? 'Save draft' : 'Schedule'),
  permission: 'write',
  canNotifyChannel: true,
  shortcuts: [
    { type: 'global', callback_id: 'schedule_post' },
    { type: 'message', callback_id: 'schedule_as_post' },
  ],
  prefill: (text, context) => {
    const { content, when, platforms, media, isDraft } = readPostCommand(text, context)
    return {
      Content: content,
      ScheduleDate: when?.words,
      Platforms: platforms,
      Media: media,
      Status: isDraft ? 'DRAFT' : 'SCHEDULED',
    }
  },
  movedWords: (text, context) => {
    const { when } = readPostCommand(text, context)
    return when?.segment ? { ...when, field: 'Content', target: 'When' } : undefined
  },
  findWarnings: async (body, context) => {
    if (body.Status === 'DRAFT') return []
    const { warnings } = checkPost(draftOf(body))
    const placeholders = new Set(body.Content?.match(/\{\{?\s*\w+\s*\}?\}/g) ?? [])
    if (placeholders.size) warnings.push(`The text still contains ${[...placeholders].join(', ')}.`)
    const messages = warnings.map((message) => ({ id: message, message }))
    return [...messages, ...(await findDuplicates(body, context))]
  },
  send: async (body, { bot, actor: { request_id }, project, deadlineMs }) =>
    toOutcome(await bot.api.posts.create(project.Id, body, { deadlineMs, request_id })),
  creation: { findExisting },
  successReply: (post, context) => {
    const name = escapeText(context.project.Name)
    const title = post.Status === 'DRAFT' ? `Saved as a draft in ${name}` : `Scheduled in ${name}`
    return {
      text: `${title}: ${formatSchedule(post, context)}, ${platformNames(post)}`,
      blocks: [section(`*${title}*`), ...postBlocks(post, context)],
    }
  },
  nextActions: (_post, { Id }) => [
    { action_id: 'schedule:open', label: 'Schedule another' },
    { action_id: 'next:show', label: 'See next post', value: Id },
  ],
})

const draftOf = ({ Content = '', Media, Platforms = [] }: Partial<PostBody>) => {
  return { Content, Media, Platforms }
}

async function listTemplates({ bot, project_id, deadlineMs }: SearchContext): Promise<Choice[]> {
  const result = await bot.api.templates.list(project_id, { deadlineMs })
  if (result.kind !== 'ok') return [UNAVAILABLE_CHOICE]
  return result.data.items.flatMap(({ Id, Title }) => (Id ? [{ value: Id, label: Title ?? Id }] : []))
}

async function prefillFromTemplate(search: SearchContext & { id: string }): Promise<Prefill> {
  const { bot, project_id, id, deadlineMs } = search
  const result = await bot.api.templates.get(project_id, id, { deadlineMs })
  if (result.kind !== 'ok') return { failure: result }
  const { Content } = result.data
  return { values: Content ? { Content } : {} }
}

/** The service has no list of prompts, so this offers those created with the bot. */
function listKnownPrompts({ bot, actor, project_id }: SearchContext): Promise<Choice[]> {
  return listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind: 'prompt' })
}

const MAX_LOOKUP_PAGES = 20

/** Looks up a post whose creation is unconfirmed: same date, text and platforms. */
async function findExisting(body: PostBody, { bot, project, deadlineMs }: LookupContext): Promise<Lookup> {
  const { ScheduleDate } = body
  if (!ScheduleDate) return { kind: 'impossible' }
  const sameMoment = { schedule_date_from: ScheduleDate, schedule_date_to: ScheduleDate }
  const limits = { maxPages: MAX_LOOKUP_PAGES, deadlineMs }
  const result = await bot.api.posts.listAll(project.Id, sameMoment, limits)
  if (result.kind !== 'ok') return { kind: 'failed', failure: result }
  const { items, hasMore, isReadable } = result.data
  const compared = items.map((post) => ({ post, comparison: comparePosts(body, post) }))
  const matches = compared.flatMap(({ post, comparison }, index) =>
    comparison === 'same' ? [{ id: post.Id ?? `${index} at ${ScheduleDate}`, record: post }] : [],
  )
  const unclear = compared.flatMap(({ post, comparison }) =>
    comparison === 'unknown' ? [describePost(post)] : [],
  )
  return { kind: 'found', matches, unclear, isComplete: !hasMore && isReadable }
}

const describePost = ({ Content, ScheduleDate, Platforms, raw }: Post): string =>
  [Content, ScheduleDate, Platforms?.join(', ')].filter(Boolean).join(' · ') || JSON.stringify(raw)

const DUPLICATE_HOURS = 24
const MAX_POSTS_COMPARED = 100

/** Platforms reject or hide a text that was already posted in the last day. */
async function findDuplicates(
  { Content = '', Platforms = [], ScheduleDate }: PostBody,
  { bot, project, viewer, deadlineMs }: LookupContext & { viewer: Viewer },
): Promise<Warning[]> {
  const at = DateTime.fromISO(ScheduleDate ?? viewer.now.toISOString(), { setZone: true })
  const filter = {
    platforms: Platforms,
    schedule_date_from: at.minus({ hours: DUPLICATE_HOURS }).toISO(),
    schedule_date_to: at.plus({ hours: DUPLICATE_HOURS }).toISO(),
    limit: MAX_POSTS_COMPARED,
  }
  const result = await bot.api.posts.list(project.Id, filter, { deadlineMs })
  // If the lookup fails, the post can still be scheduled.
  if (result.kind !== 'ok') return []
  return result.data.items
    .filter((post) => post.Content?.trim() === Content.trim() && post.Status !== 'DRAFT')
    .flatMap((post) => {
      const shared = Platforms.filter((platform) => post.Platforms?.includes(platform)).map(platformName)
      if (!shared.length) return []
      const state = post.Status === 'PUBLISHED' ? 'was already published' : 'is already scheduled'
      const message = `The same text ${state} on ${shared.join(' and ')}: ${formatSchedule(post, viewer)}.`
      return [{ id: `${post.Id} ${shared}`, message }]
    })
}
