import { DateTime } from 'luxon'
import type { PostBody } from '../../../api/records.ts'
import { checkPost } from '../../../platforms/check-post.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import type { Warning, WarningContext } from '../../forms/form.ts'
import { findUploadByLink } from '../media/media-store.ts'
import { formatSchedule } from './post-blocks.ts'
import type { OpenedPost } from './post-reference.ts'
import { checkedParts, type PostInput } from './post-upload.ts'
import { listPosts } from './project-posts.ts'

/** Warnings for the author before a post goes out. A draft is checked once it is scheduled. */
export async function findPostWarnings(
  body: PostInput,
  context: WarningContext<OpenedPost>,
): Promise<Warning[]> {
  if (body.Status === 'DRAFT') return []
  const parts = checkedParts(body)
  const { bot, actor } = context
  const file = parts.file ?? (await findUploadByLink(bot.db, actor.team_id, body.Media ?? ''))
  const { warnings } = checkPost({ ...parts, file })
  const placeholders = new Set(body.Content?.match(/\{\{?\s*\w+\s*\}?\}/g) ?? [])
  if (placeholders.size) warnings.push(`The text still contains ${[...placeholders].join(', ')}.`)
  const messages = warnings.map((message) => ({ id: message, message }))
  return [...messages, ...(await findDuplicates(body, context))]
}

const DUPLICATE_HOURS = 24

/** Platforms reject or hide content that was already posted in the last day. */
export async function findDuplicates(
  { Content = '', Platforms = [], ScheduleDate }: PostBody,
  { bot, actor, project, opened, viewer, deadlineMs }: WarningContext<OpenedPost>,
): Promise<Warning[]> {
  const at = DateTime.fromISO(ScheduleDate ?? viewer.now.toISOString(), { setZone: true })
  const filter = {
    platforms: Platforms,
    schedule_date_from: at.minus({ hours: DUPLICATE_HOURS }).toISO(),
    schedule_date_to: at.plus({ hours: DUPLICATE_HOURS }).toISO(),
  }
  const scope = { team_id: actor.team_id, project_id: project.Id }
  const result = await listPosts(bot, scope, filter, { maxPages: 1, deadlineMs })
  // If the lookup fails, the post can still be scheduled.
  if (result.kind !== 'ok') return []
  return result.data.items
    .filter(({ Id, Status }) => (!opened || Id !== opened.post_id) && Status !== 'DRAFT')
    .filter((post) => post.Content?.trim() === Content.trim())
    .flatMap((post) => {
      const shared = Platforms.filter((platform) => post.Platforms?.includes(platform)).map(platformName)
      if (!shared.length) return []
      const state = post.Status === 'PUBLISHED' ? 'was already published' : 'is already scheduled'
      const message = `The same text ${state} on ${shared.join(' and ')}: ${formatSchedule(post, viewer)}.`
      return [{ id: `${post.Id} ${shared}`, message }]
    })
}
