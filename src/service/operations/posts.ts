import { DateTime } from 'luxon'
import { z } from 'zod'
import { hasVisibleText } from '../../platforms/has-visible-text.ts'
import { defineOperation, type RequestContext } from '../operation.ts'
import { toPostRecord, toRecordList } from '../records.ts'
import type { PostContent } from '../stores/posts-store.ts'
import * as postsStore from '../stores/posts-store.ts'
import type { PlatformTexts } from '../stores/tables.ts'
import type { Caller } from '../stores/tokens-store.ts'
import { toLuxonZone } from '../validation/date-time.ts'
import { notFound, RequestError } from '../validation/errors.ts'
import { queryDateTimeField, queryIntegerField, queryListField } from '../validation/fields.ts'
import { PLATFORMS, POST_STATUSES } from '../values.ts'
import {
  checkPostRules,
  getPostStatus,
  POST_FIELDS,
  type PostBody,
  resolveScheduleDate,
} from './post-body.ts'

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
    return toRecordList(posts, (row) => toPostRecord(row, formatDate), total, hasMore)
  },
})

export const getUpnextPost = defineOperation('GET /api/v1/projects/{project_id}/dashboard/upnext-post', {
  requiredRole: 'VIEWER',
  async run({ db, project_id, formatDate }) {
    const post = await postsStore.findNextPost(db, { project_id })
    return post ? toPostRecord(post, formatDate) : null
  },
})

export const createPost = defineOperation('POST /api/v1/projects/{project_id}/posts', {
  requiredRole: 'EDITOR',
  body: POST_FIELDS,
  checkRules: checkPostRules,
  skipsTransaction: true,
  async run({ db, caller, project_id, body, origin, formatDate }) {
    const content = toColumns(body)
    requireSchedulingPermission(caller, content)
    const message =
      content.status === 'DRAFT' ? 'Saved a draft.' : `Scheduled a post ${describeSchedule(content)}.`
    const entry = { ...origin, project_id, action: 'post.created', message }
    return toPostRecord(await postsStore.createPost(db, content, entry), formatDate)
  },
})

const POST_PATH = '/extensions/v1/projects/{project_id}/posts/{post_id}'

export const getPost = defineOperation(`GET ${POST_PATH}`, {
  requiredRole: 'VIEWER',
  async run({ db, project_id, params: { post_id: id = '' }, formatDate }) {
    const post = await postsStore.findPost(db, { project_id, id })
    if (!post) throw notFound("This post doesn't exist.")
    return toPostRecord(post, formatDate)
  },
})

export const updatePost = defineOperation(`PUT ${POST_PATH}`, {
  requiredRole: 'EDITOR',
  body: POST_FIELDS,
  checkRules: checkPostRules,
  skipsTransaction: true,
  async run(context) {
    const { db, project_id, body, origin, formatDate } = context
    const key = versionKey(context)
    const content = toColumns(body)
    requireSchedulingPermission(context.caller, content)
    const message =
      content.status === 'DRAFT' ? 'Changed a draft.' : `Changed a post ${describeSchedule(content)}.`
    const entry = { ...origin, project_id, action: 'post.updated', message }
    const post = await postsStore.updatePost(db, key, content, entry)
    if (!post) throw await explainUnchanged(context)
    return toPostRecord(post, formatDate)
  },
})

export const deletePost = defineOperation(`DELETE ${POST_PATH}`, {
  requiredRole: 'EDITOR',
  skipsTransaction: true,
  async run(context) {
    const { db, project_id, origin } = context
    const key = versionKey(context)
    const post = await postsStore.findPost(db, key)
    if (!post) throw await explainUnchanged(context)
    const message =
      post.status === 'DRAFT' ? 'Deleted a draft.' : `Cancelled a post ${describeSchedule(post)}.`
    const entry = { ...origin, project_id, action: 'post.deleted', message }
    // If the post has changed since it was read above, nothing is deleted or logged.
    if (!(await postsStore.deletePost(db, key, entry))) throw await explainUnchanged(context)
    return null
  },
})

/** If posts of a project need approval in Slack, other clients must not bypass it. */
function requireSchedulingPermission({ may_schedule }: Caller, { status }: PostContent): void {
  if (status === 'SCHEDULED' && !may_schedule)
    throw new RequestError(
      403,
      'Posts of this project are approved and scheduled in Slack. Save a draft instead, with the Status DRAFT.',
    )
}

/** Stands for an If-Match header that isn't an ETag of the service. No record has this version. */
const NO_VERSION = 0

/** Returns the version that a change is based on. */
function requireVersion(ifMatch: string | undefined): number {
  if (!ifMatch) throw new RequestError(428, "Send the post's ETag in If-Match.")
  const [, version = NO_VERSION] = /^"([1-9]\d{0,8})"$/.exec(ifMatch) ?? []
  return Number(version)
}

const versionKey = ({ project_id, params: { post_id: id = '' }, ifMatch }: RequestContext) => ({
  project_id,
  id,
  version: requireVersion(ifMatch),
})

/** Why a post wasn't changed. */
async function explainUnchanged({ db, project_id, params: { post_id: id = '' }, ifMatch }: RequestContext) {
  const post = await postsStore.findPost(db, { project_id, id })
  if (!post) return notFound("This post doesn't exist.")
  if (post.status === 'PUBLISHED') return new RequestError(409, 'This post is already published.')
  if (!postsStore.isEditable(post))
    return new RequestError(409, "This post is being published, so it can't be changed or cancelled.")
  if (requireVersion(ifMatch) === NO_VERSION)
    return new RequestError(
      412,
      `If-Match must be the post's ETag with its quotation marks, such as "${post.version}".`,
    )
  return new RequestError(412, 'This post has changed since you fetched it. Get it again.')
}

const toColumns = (body: PostBody): PostContent => ({
  content: body.Content ?? null,
  media: body.Media ?? null,
  media_description: body.MediaDescription ?? null,
  titles: pickUsedTexts(body, body.Titles),
  texts: pickUsedTexts(body, body.Texts),
  template_id: body.TemplateId ?? null,
  prompt_id: body.PromptId ?? null,
  schedule_date: resolveScheduleDate(body) ?? null,
  timezone: body.Timezone ?? null,
  platforms: body.Platforms ?? [],
  status: getPostStatus(body),
})

/** Keeps only titles or text for the post's platforms, without blank ones. */
function pickUsedTexts({ Platforms = [] }: PostBody, texts: PlatformTexts = {}): PlatformTexts | null {
  const used = Platforms.flatMap((platform) => {
    const text = texts[platform]?.trim()
    return text && hasVisibleText(text) ? [[platform, text]] : []
  })
  return used.length ? Object.fromEntries(used) : null
}

/** "for Fri 27 Nov 2026, 09:00 (Europe/Berlin) on X" */
function describeSchedule({ schedule_date, timezone, platforms }: PostContent): string {
  const zone = timezone ?? 'UTC'
  const onPlatforms = `on ${platforms.join(', ')}`
  if (!schedule_date) return onPlatforms
  const date = DateTime.fromMillis(schedule_date.getTime(), { zone: toLuxonZone(zone), locale: 'en' })
  const offset = date.getPossibleOffsets().length > 1 ? ' ZZ' : ''
  return `for ${date.toFormat(`ccc d LLL yyyy, HH:mm${offset}`)} (${zone}) ${onPlatforms}`
}
