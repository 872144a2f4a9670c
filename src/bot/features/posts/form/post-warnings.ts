import { DateTime } from 'luxon'
import type { Post, PostBody } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import type { MediaFacts } from '../../../../platforms/platform-media.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { listWords } from '../../../../time/describe.ts'
import { NOW_LEAD_MS } from '../../../../time/reading.ts'
import type { Warning, WarningContext } from '../../../forms/form.ts'
import { escapeFormatting } from '../../../slack/message-blocks.ts'
import { needsApproval } from '../../approvals/approval-store.ts'
import { findUploadByLink } from '../../media/media-store.ts'
import { platformsWithSlot } from '../../slots/slot-rules.ts'
import { findSlotRules } from '../../slots/slot-store.ts'
import { COLLISION_WINDOW_MINUTES, COLLISION_WINDOW_MS, mayCollide } from '../display/collisions.ts'
import { formatSchedule, quotePost } from '../display/post-blocks.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import { failedResults } from '../display/post-results.ts'
import { listProjectPosts } from '../find/project-posts.ts'
import { TAKEN_SLOT_PREFIX } from '../slots/reserve-slot.ts'
import { checkTexts, hasUnknownText, type PostInput, textParts } from './post-input.ts'

/** Warnings for the author before a post goes out. A draft is checked once it is scheduled. */
export async function findPostWarnings(
  body: PostInput,
  context: WarningContext<OpenedPost | undefined>,
): Promise<Warning[]> {
  if (body.Status === 'DRAFT') return []
  const { bot, actor } = context
  const file = body.MediaFile ?? (await findUploadByLink(bot.db, actor.team_id, body.Media ?? ''))
  const messages = findTextWarnings(body, file).map((message) => ({ id: message, message }))
  const scope = { team_id: actor.team_id, project_id: context.project.Id }
  const shortNotice = findShortNoticeWarnings(body, context)
  const mustWait =
    (shortNotice.length > 0 || hasUnknownText(body)) &&
    (await needsApproval(bot.db, scope, { item_id: context.opened?.post_id, body }))
  return [
    // A new post that must be approved first is refused if its time is this near.
    ...(mustWait && !context.opened ? [] : shortNotice),
    ...messages,
    ...findPromptWarnings(body, context),
    ...(mustWait && hasUnknownText(body) ? [CANNOT_BE_APPROVED] : []),
    ...(await findConflictWarnings(body, context)),
  ]
}

export function findTextWarnings(body: PostInput, file?: MediaFacts): string[] {
  const warnings = checkTexts(body, file).flatMap((check) => check.warnings)
  const texts = textParts(body).map(({ Content }) => Content)
  const placeholders = new Set(texts.join('\n').match(/\{\{?\s*\w+\s*\}?\}/g) ?? [])
  return placeholders.size
    ? [...warnings, `The text still contains ${[...placeholders].join(', ')}.`]
    : warnings
}

/** A service that publishes posts itself has nothing to publish if a post has only a prompt. */
function findPromptWarnings(
  { PromptId, TemplateId, Media, MediaFile, ...body }: PostInput,
  { bot }: Pick<WarningContext, 'bot'>,
): Warning[] {
  const hasContent = TemplateId || Media || MediaFile || textParts(body).some(({ Content }) => Content)
  if (!PromptId || hasContent || !bot.extensions.current.hasAccounts) return []
  const message =
    'This post has only a prompt, so connected platforms get nothing to publish. Enter some text.'
  return [{ id: 'prompt', message }]
}

const CANNOT_BE_APPROVED: Warning = {
  id: 'unknown text',
  message:
    'Nobody can approve this post, because its text comes from a template or a prompt. Enter the text.',
}

export function findShortNoticeWarnings(
  { ScheduleDate }: Pick<PostBody, 'ScheduleDate'>,
  { viewer }: Pick<WarningContext, 'viewer'>,
): Warning[] {
  const remainingMs = new Date(ScheduleDate ?? 0).getTime() - viewer.now.getTime()
  return remainingMs > 0 && remainingMs <= NOW_LEAD_MS
    ? [{ id: 'now', message: "This goes out immediately, so you can't cancel it." }]
    : []
}

/** The platforms on which a post is published, or will be. */
function outgoingPlatforms(post: Post): string[] {
  const { Status, Platforms = [], Results = [] } = post
  if (Status === 'FAILED' && !Results.length) return []
  const failed = failedResults(post).map(({ Platform }) => Platform)
  return Platforms.filter((platform) => !failed.includes(platform))
}

const DUPLICATE_WINDOW_HOURS = 24

/**
 * Finds posts of the same project that this one repeats or is too close to. Platforms reject or hide content that
 * repeats a post from the last day, and readers miss a post that another one pushes down.
 */
export async function findConflictWarnings(
  { Content = '', Platforms = [], ScheduleDate }: PostBody,
  { bot, actor, project, opened, replaces, viewer, deadline }: WarningContext<OpenedPost | undefined>,
): Promise<Warning[]> {
  const at = DateTime.fromISO(ScheduleDate ?? viewer.now.toISOString(), { setZone: true })
  const filter = {
    platforms: Platforms,
    schedule_date_from: at.minus({ hours: DUPLICATE_WINDOW_HOURS }).toISO(),
    schedule_date_to: at.plus({ hours: DUPLICATE_WINDOW_HOURS }).toISO(),
  }
  const scope = { team_id: actor.team_id, project_id: project.Id }
  const result = await listProjectPosts(bot, scope, filter, { maxPages: 1, deadline })
  // If the lookup fails, the post can still be scheduled.
  if (result.kind !== 'ok') return []
  const sharedPlatforms = (post: Post) =>
    Platforms.filter((platform) => outgoingPlatforms(post).includes(platform))
  const sharedPlatformNames = (post: Post) => sharedPlatforms(post).map(platformName)
  const describeState = ({ Status }: Post) =>
    Status === 'PUBLISHED' ? 'was already published' : 'is already scheduled'
  const isItself = ({ Id }: Post) => Id !== undefined && [opened?.post_id, replaces].includes(Id)
  const others = result.data.items.filter(
    (post) => post.Status !== 'DRAFT' && !isItself(post) && sharedPlatformNames(post).length,
  )
  const isSame = (post: Post) => Boolean(Content.trim()) && post.Content?.trim() === Content.trim()
  const duplicateWarnings = others.filter(isSame).map((post) => {
    const names = listWords(sharedPlatformNames(post))
    const message = `The same text ${describeState(post)} on ${names}: ${formatSchedule(post, viewer)}.`
    return { id: `${post.Id} ${sharedPlatformNames(post)}`, message, isDuplicate: true }
  })
  const closePosts = others.filter(
    (post) => mayCollide(post) && Math.abs(+(postTime(post) ?? 0) - +at) < COLLISION_WINDOW_MS,
  )
  const namesOf = (post: Post) => listWords(sharedPlatformNames(post))
  const quote = (post: Post) => `${escapeFormatting(quotePost(post))}, ${formatSchedule(post, viewer)}`
  const rules = closePosts.length ? await findSlotRules(bot.db, scope) : []
  const sharesSlot = (post: Post) => platformsWithSlot(rules, at.toJSDate(), sharedPlatforms(post)).length > 0
  const isInSameMinute = (post: Post) =>
    postTime(post)?.startOf('minute').toMillis() === at.startOf('minute').toMillis()
  const inSlot = closePosts.find((post) => isInSameMinute(post) && sharesSlot(post))
  if (inSlot) {
    const message = `${TAKEN_SLOT_PREFIX} on ${namesOf(inSlot)}: ${quote(inSlot)}.`
    return [...duplicateWarnings, { id: 'slot', message }]
  }
  const [closePost, ...otherClosePosts] = closePosts.filter((post) => !isSame(post))
  if (!closePost) return duplicateWarnings
  const count = otherClosePosts.length ? ` And ${otherClosePosts.length} more.` : ''
  const message = `Another post ${describeState(closePost)} on ${namesOf(closePost)} within ${COLLISION_WINDOW_MINUTES} minutes of this one: ${quote(closePost)}.${count}`
  return [...duplicateWarnings, { id: 'close', message, isMinor: true }]
}
