import { DateTime } from 'luxon'
import type { Log } from '../../../api/records.ts'
import { findRequestUsers } from '../../slack/audit-store.ts'
import { hideEmails } from '../../slack/hide-emails.ts'
import { context, escapeText, lineSections, mentionUser, truncate } from '../../slack/message-blocks.ts'
import { definePagedList, slicePage } from '../../slack/paged-list.ts'
import type { UserProfile } from '../../slack/profile.ts'
import { resolveProject } from '../../slack/projects.ts'

const PAGE_SIZE = 10

export const listLogs = definePagedList({
  verb: 'logs',
  command: '/list-logs',
  usage: '[word]',
  help: 'Show the activity log, newest first. Add a word to filter it.',
  loadPage: async (request, { text, page: requestedPage, project_id }) => {
    const { bot, actor, profile } = request
    const project = await resolveProject(request, project_id)
    if (!project) return undefined
    const result = await bot.api.logs.list(project.Id)
    if (result.kind !== 'ok') return { failure: result }
    const logs = result.data.items.sort((a, b) => timeOf(b) - timeOf(a))
    const request_ids = logs.flatMap(({ RequestId }) => RequestId ?? [])
    const users = await findRequestUsers(bot.db, actor.team_id, request_ids)
    const query = text.trim()
    const lines = logs
      .map((log) => redactLine(logLine(log, profile.zone, users), profile))
      .filter((line) => line.toLowerCase().includes(escapeText(query.toLowerCase())))
    const name = escapeText(project.Name)
    const filter = query ? ` matching "${escapeText(query)}"` : ''
    const latest = result.data.hasMore ? `Only the latest ${logs.length} entries were searched.` : ''
    if (!lines.length) return { message: `No log entries in ${name}${filter}. ${latest}`.trim() }
    const { items, page, hasMore } = slicePage(lines, requestedPage, PAGE_SIZE)
    const title = `Activity log for ${name}${filter}`
    const extra = latest && !hasMore ? [context(latest)] : []
    return { title, items: [lineSections(items)], page, hasMore, extra, project_id: project.Id }
  },
})

const timeOf = ({ CreatedAt = '' }: Log) => Date.parse(CreatedAt) || 0

const MAX_LINE_LENGTH = 180

/** One API token serves everyone, so the service only knows the token's owner. The audit trail knows who acted in Slack. */
function logLine(log: Log, zone: string, users: Map<string, string>): string {
  const at = log.CreatedAt ? DateTime.fromISO(log.CreatedAt, { zone }) : undefined
  const time = at?.isValid ? `\`${at.toFormat('d LLL HH:mm')}\` ` : ''
  const text = log.Message ?? log.Action ?? JSON.stringify(log.raw)
  const level = log.Level && !/^info$/i.test(log.Level) ? `*${escapeText(log.Level)}* ` : ''
  const user = users.get(log.RequestId ?? '')
  const author = user ? ` · ${mentionUser(user)}` : log.Actor ? ` · ${escapeText(log.Actor)}` : ''
  return `${time}${level}${escapeText(truncate(text, MAX_LINE_LENGTH))}${author}`
}

const redactLine = (line: string, { role }: UserProfile): string =>
  role === 'guest' || role === 'external' ? hideEmails(line) : line
