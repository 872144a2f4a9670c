import { DateTime } from 'luxon'
import { z } from 'zod'
import { requireVersion } from '../etags.ts'
import { defineOperation, type RequestContext, type RuleContext } from '../operation.ts'
import { listRecord, postRecord } from '../records.ts'
import { listConnectedAccounts } from '../stores/accounts-store.ts'
import type { PostContent } from '../stores/posts-store.ts'
import * as postsStore from '../stores/posts-store.ts'
import { findPrompt, findTemplate } from '../stores/prompts-templates-sources-store.ts'
import type { PlatformTexts } from '../stores/tables.ts'
import type { Caller } from '../stores/tokens-store.ts'
import { resolveDateTime, toLuxonZone } from '../validation/date-time.ts'
import {
  createError,
  missingField,
  notFound,
  RequestError,
  type ValidationError,
  valueError,
  valueErrorDetails,
} from '../validation/errors.ts'
import {
  dateTimeField,
  isId,
  linkField,
  queryDateTimeField,
  queryIntegerField,
  queryListField,
  textField,
  timezoneField,
  uniqueListField,
} from '../validation/fields.ts'
import { MAX_LENGTH, PLATFORMS, type Platform, POST_STATUSES, TITLE_RULES } from '../values-and-limits.ts'

const MAX_PAGE_SIZE = 500

export const listPosts = defineOperation('GET /api/v1/projects/{project_id}/posts', {
  requiredRole: 'VIEWER',
  query: {
    skip: queryIntegerField({ min: 0, max: 2 ** 31 - 1 }).default(0),
    limit: queryIntegerField({ min: 1, max: MAX_PAGE_SIZE }).default(100),
    schedule_date_from: queryDateTimeField().optional(),
    schedule_date_to: queryDateTimeField().optional(),
    platforms: queryListField(z.enum(PLATFORMS)).default([]),
    status: queryListField(z.enum(POST_STATUSES)).default([]),
  },
  async run({ db, project_id, query, formatDate }) {
    const { posts, total, hasMore } = await postsStore.listPosts(db, { ...query, project_id })
    return listRecord(posts, (row) => postRecord(row, formatDate), total, hasMore)
  },
})

export const getUpnextPost = defineOperation('GET /api/v1/projects/{project_id}/dashboard/upnext-post', {
  requiredRole: 'VIEWER',
  async run({ db, project_id, formatDate }) {
    const post = await postsStore.findNextPost(db, { project_id })
    return post ? postRecord(post, formatDate) : null
  },
})

const titleFields = Object.entries(TITLE_RULES).map(([platform, { maxLength }]) => [
  platform,
  textField(maxLength).optional(),
])

const platformTexts = PLATFORMS.map((platform) => [platform, textField(MAX_LENGTH.content).optional()])

const body = {
  Content: textField(MAX_LENGTH.content).optional(),
  Media: linkField(MAX_LENGTH.media).optional(),
  MediaDescription: textField(MAX_LENGTH.mediaDescription).optional(),
  Titles: z
    .object(Object.fromEntries(titleFields) as Record<Platform, z.ZodOptional<z.ZodString>>)
    .optional(),
  Texts: z
    .object(Object.fromEntries(platformTexts) as Record<Platform, z.ZodOptional<z.ZodString>>)
    .optional(),
  TemplateId: textField(MAX_LENGTH.name).optional(),
  PromptId: textField(MAX_LENGTH.name).optional(),
  ScheduleDate: dateTimeField().optional(),
  Timezone: timezoneField().optional(),
  Platforms: uniqueListField(z.enum(PLATFORMS)).optional(),
  Status: z.enum(['DRAFT', 'SCHEDULED']).optional(),
}

/** A scheduled post needs at least one of these fields. */
const CONTENT_FIELDS = ['Content', 'Media', 'TemplateId', 'PromptId'] as const

type PostContext = RuleContext<Record<never, never>, typeof body>
type PostBody = PostContext['body']

const checkRules = async (context: PostContext): Promise<ValidationError[]> => [
  ...findMissingFields(context),
  ...checkScheduleDate(context),
  ...(await checkReferences(context)),
  ...(await checkAccounts(context)),
  ...(await checkTitles(context)),
]

export const createPost = defineOperation('POST /api/v1/projects/{project_id}/posts', {
  requiredRole: 'EDITOR',
  body,
  checkRules,
  isOneStatement: true,
  async run({ db, caller, project_id, body, origin, formatDate }) {
    const content = toColumns(body)
    requireScheduling(caller, content)
    const message = content.status === 'DRAFT' ? 'Saved a draft.' : `Scheduled a post ${describe(content)}.`
    const entry = { ...origin, project_id, action: 'post.created', message }
    return postRecord(await postsStore.createPost(db, content, entry), formatDate)
  },
})

const POST = '/extensions/v1/projects/{project_id}/posts/{post_id}'

export const getPost = defineOperation(`GET ${POST}`, {
  requiredRole: 'VIEWER',
  async run({ db, project_id, params: { post_id: id = '' }, formatDate }) {
    const post = await postsStore.findPost(db, { project_id, id })
    if (!post) throw notFound("This post doesn't exist.")
    return postRecord(post, formatDate)
  },
})

export const updatePost = defineOperation(`PUT ${POST}`, {
  requiredRole: 'EDITOR',
  body,
  checkRules,
  isOneStatement: true,
  async run(context) {
    const { db, project_id, body, origin, formatDate } = context
    const key = versionKey(context)
    const content = toColumns(body)
    requireScheduling(context.caller, content)
    const message = content.status === 'DRAFT' ? 'Changed a draft.' : `Changed a post ${describe(content)}.`
    const entry = { ...origin, project_id, action: 'post.updated', message }
    const post = await postsStore.updatePost(db, key, content, entry)
    if (!post) throw await explainUnchanged(context)
    return postRecord(post, formatDate)
  },
})

export const deletePost = defineOperation(`DELETE ${POST}`, {
  requiredRole: 'EDITOR',
  isOneStatement: true,
  async run(context) {
    const { db, project_id, origin } = context
    const key = versionKey(context)
    const post = await postsStore.findPost(db, key)
    if (!post) throw await explainUnchanged(context)
    const message = post.status === 'DRAFT' ? 'Deleted a draft.' : `Cancelled a post ${describe(post)}.`
    const entry = { ...origin, project_id, action: 'post.deleted', message }
    // If the post has changed since it was read above, nothing is deleted or logged.
    if (!(await postsStore.deletePost(db, key, entry))) throw await explainUnchanged(context)
    return null
  },
})

/** Where posts are approved in Slack, other clients must not get around that. */
function requireScheduling({ may_schedule }: Caller, { status }: PostContent): void {
  if (status === 'SCHEDULED' && !may_schedule)
    throw new RequestError(
      403,
      'Posts of this project are approved and scheduled in Slack. Save a draft instead, with the Status DRAFT.',
    )
}

const versionKey = ({ project_id, params: { post_id: id = '' }, ifMatch }: RequestContext) => ({
  project_id,
  id,
  version: requireVersion(ifMatch),
})

/** Why a post wasn't changed. */
async function explainUnchanged({ db, project_id, params: { post_id: id = '' } }: RequestContext) {
  const post = await postsStore.findPost(db, { project_id, id })
  if (!post) return notFound("This post doesn't exist.")
  if (post.status === 'PUBLISHED') return new RequestError(409, 'This post is already published.')
  if (!postsStore.canChange(post)) return new RequestError(409, 'This post is being published.')
  return new RequestError(412, 'This post has changed since you fetched it. Get it again.')
}

const toColumns = (body: PostBody): PostContent => ({
  content: body.Content ?? null,
  media: body.Media ?? null,
  media_description: body.MediaDescription ?? null,
  titles: toUsed(body, body.Titles),
  texts: toUsed(body, body.Texts),
  template_id: body.TemplateId ?? null,
  prompt_id: body.PromptId ?? null,
  schedule_date: resolveScheduleDate(body) ?? null,
  timezone: body.Timezone ?? null,
  platforms: body.Platforms ?? [],
  status: getPostStatus(body),
})

/** The titles or texts of the post's platforms. */
function toUsed({ Platforms = [] }: PostBody, texts: PlatformTexts = {}): PlatformTexts | null {
  const used = Platforms.flatMap((platform) => {
    const text = texts[platform]?.trim()
    return text ? [[platform, text]] : []
  })
  return used.length ? Object.fromEntries(used) : null
}

/** "for Fri 27 Nov 2026, 09:00 (Europe/Berlin) on X" */
function describe({ schedule_date, timezone, platforms }: PostContent): string {
  const zone = timezone ?? 'UTC'
  const place = `on ${platforms.join(', ')}`
  if (!schedule_date) return place
  const date = DateTime.fromMillis(schedule_date.getTime(), { zone: toLuxonZone(zone), locale: 'en' })
  const offset = date.getPossibleOffsets().length > 1 ? ' ZZ' : ''
  return `for ${date.toFormat(`ccc d LLL yyyy, HH:mm${offset}`)} (${zone}) ${place}`
}

/** A post without a Status is scheduled if it has a ScheduleDate. Otherwise, it's a draft. */
const getPostStatus = ({ Status, ScheduleDate }: PostBody) => Status ?? (ScheduleDate ? 'SCHEDULED' : 'DRAFT')

const resolveScheduleDate = ({ ScheduleDate, Timezone }: PostBody) =>
  ScheduleDate && resolveDateTime(ScheduleDate, Timezone ?? 'utc')

function findMissingFields({ body, isProvided }: PostContext): ValidationError[] {
  // An invalid ScheduleDate has no value, but it also means that the post should be scheduled.
  const shouldBeScheduled =
    body.Status === 'SCHEDULED' || (!isProvided('Status') && isProvided('ScheduleDate'))
  if (!shouldBeScheduled) return []
  const errors: ValidationError[] = []
  // An invalid content field already has its own error, so it counts as content here.
  const hasContent = CONTENT_FIELDS.some((field) =>
    body[field] === undefined ? isProvided(field) : body[field].trim() !== '',
  )
  if (!hasContent) {
    const reason = 'a scheduled post needs Content, Media, TemplateId or PromptId'
    errors.push(valueError('Content', reason, body.Content ?? null))
  }
  for (const field of ['ScheduleDate', 'Timezone', 'Platforms'] as const)
    if (!isProvided(field)) errors.push(missingField(['body', field], body))
  if (body.Platforms?.length === 0)
    errors.push({
      type: 'too_short',
      loc: ['body', 'Platforms'],
      msg: 'List should have at least 1 item after validation, not 0',
      input: [],
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    })
  return errors
}

function checkScheduleDate({ body, isProvided, now }: PostContext): ValidationError[] {
  const { ScheduleDate, Timezone } = body
  if (!ScheduleDate || (isProvided('Timezone') && !Timezone)) return []
  const isScheduled = getPostStatus(body) === 'SCHEDULED'
  if (!ScheduleDate.hasOffset && !Timezone)
    // findMissingFields has already reported the missing Timezone of a scheduled post.
    return isScheduled ? [] : [missingField(['body', 'Timezone'], body)]
  const dateError = (reason: string) => [valueError('ScheduleDate', reason, ScheduleDate.text)]
  const date = resolveScheduleDate(body)
  if (!date)
    return dateError(`${ScheduleDate.text} doesn't exist in ${Timezone} because the clocks go forward then`)
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    return dateError('ScheduleDate must be in the years 1 to 9999')
  if (isScheduled && date <= now) return dateError('a scheduled post needs a ScheduleDate in the future')
  return []
}

async function checkReferences({ db, project_id, body }: PostContext): Promise<ValidationError[]> {
  const errors: ValidationError[] = []
  const { TemplateId, PromptId } = body
  if (TemplateId !== undefined && !(isId(TemplateId) && (await findTemplate(db, project_id, TemplateId))))
    errors.push(valueError('TemplateId', "this template doesn't exist in the project", TemplateId))
  if (PromptId !== undefined && !(isId(PromptId) && (await findPrompt(db, project_id, PromptId))))
    errors.push(valueError('PromptId', "this prompt doesn't exist in the project", PromptId))
  return errors
}

async function checkAccounts(context: PostContext): Promise<ValidationError[]> {
  const { db, project_id, body, requireAccounts } = context
  if (!requireAccounts || getPostStatus(body) !== 'SCHEDULED') return []
  const connected = (await listConnectedAccounts(db, [project_id])).map(({ platform }) => platform)
  const missing = (body.Platforms ?? []).filter((platform) => !connected.includes(platform))
  if (!missing.length) return []
  const reason = `this project has no account for ${missing.join(', ')}`
  return [valueError('Platforms', reason, body.Platforms)]
}

/** A network would reject a post without title and text when it is published. */
async function checkTitles({ db, project_id, body, isProvided }: PostContext): Promise<ValidationError[]> {
  const { Platforms = [], Titles = {} } = body
  // An invalid field has an error of its own.
  const mayHaveTitle = body.Content === undefined ? isProvided('Content') : body.Content.trim() !== ''
  const hasInvalidTitle = isProvided('Titles') && !body.Titles
  if (getPostStatus(body) !== 'SCHEDULED' || mayHaveTitle || hasInvalidTitle || isProvided('TemplateId'))
    return []
  const untitled = Platforms.filter(
    (platform) =>
      TITLE_RULES[platform]?.isRequired && !Titles[platform]?.trim() && !body.Texts?.[platform]?.trim(),
  )
  if (!untitled.length) return []
  const accounts = await listConnectedAccounts(db, [project_id])
  return accounts
    .filter(({ publisher, platform }) => publisher === 'POSTIZ' && untitled.includes(platform))
    .map(({ platform }) =>
      createError(
        valueErrorDetails('enter a title, or some text, whose first line is then the title'),
        ['body', 'Titles', platform],
        null,
      ),
    )
}
