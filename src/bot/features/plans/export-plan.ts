import { describeDateRange, readDateRange } from '../../../time/date-range.ts'
import { recordAction } from '../../slack/audit.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { context, escapeText, section, textReply } from '../../slack/message-blocks.ts'
import { WRITE_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { TO_APPROVE } from '../approvals/approval-store.ts'
import { formatPostCount, sortBySchedule } from '../posts/display/post-blocks.ts'
import { HELD } from '../posts/display/post-states.ts'
import { listProjectPosts } from '../posts/find/project-posts.ts'
import { MAX_ROWS } from './read-plan.ts'
import { formatCsv } from './write-table.ts'

const MAX_PAGES = 20
/** Posts with other statuses can't be changed by importing them. */
const EXPORTED_STATUSES = ['SCHEDULED', 'DRAFT', HELD]

export const exportPlan: Feature = {
  verb: 'export',
  usage: '[next week, or other dates]',
  help: 'Get the posts of a week as a CSV file. Change it in a spreadsheet, and import it again.',
  access: WRITE_ACCESS,
  run: exportPosts,
}

async function exportPosts(request: Request): Promise<void> {
  const { bot, actor, profile, text, reply } = request
  const project = await resolveProject(request)
  if (!project) return
  const now = bot.runtime.now()
  const words = text.trim() || 'this week'
  const range = readDateRange(words, { ...profile, now }, 'future')
  if (range.kind === 'refusal')
    return reply(textReply(`"${escapeText(words)}" wasn't understood. ${range.message}`))
  const scope = { team_id: actor.team_id, project_id: project.Id }
  const filter = {
    ...(range.from && { schedule_date_from: range.from.toISO() }),
    ...(range.to && { schedule_date_to: range.to.toISO() }),
  }
  const listed = await listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return replyWithFailure(request, listed)
  if (!listed.data.isReadable) return replyWithFailure(request, { kind: 'unclear', cause: 'unreadable' })
  const posts = sortBySchedule(
    listed.data.items.filter(({ Status = 'SCHEDULED' }) => EXPORTED_STATUSES.includes(Status)),
  )
  const where = `in ${escapeText(project.Name)} ${describeDateRange(range, now)}`
  const waitingCount = listed.data.items.filter(({ Status }) => Status === TO_APPROVE).length
  const waitingNote = waitingCount
    ? ` ${formatPostCount(waitingCount)} ${waitingCount === 1 ? 'waits' : 'wait'} for approval and can't be exported.`
    : ''
  if (!posts.length) return reply(textReply(`No scheduled posts or drafts ${where}.${waitingNote}`))
  if (posts.length > MAX_ROWS || listed.data.hasMore)
    return reply(textReply(`There are more than ${MAX_ROWS} posts ${where}. Export a shorter period.`))
  const count = formatPostCount(posts.length)
  const title = `*${count}* ${where}`
  const hint =
    'Change the rows in a spreadsheet, and import the file again with `/upnext import`. A row without an id becomes a new post. Removing a row changes nothing.'
  const file = Buffer.from(formatCsv(posts))
  const { client, user_id } = actor
  const blocks = [section(title), context(hint)]
  // Sharing a file needs the id of the direct message's channel, so the message is posted first. Only the user sees the file.
  const { channel } = await client.chat.postMessage({ channel: user_id, text: title, blocks })
  if (channel) await client.files.uploadV2({ channel_id: channel, file, filename: 'posts.csv' })
  await recordAction(request, { action: 'export', project_id: project.Id, after: { posts: posts.length } })
  await reply(textReply(`${count} ${where}: the file is in your messages from Upnext.${waitingNote}`))
}
