import { DateTime } from 'luxon'
import type { Log } from '../../api/records.ts'
import { escapeText, section, truncate } from '../message-blocks.ts'
import { cutPage, definePagedList } from '../paged-list.ts'

const PAGE_SIZE = 10

export const listLogs = definePagedList({
  verb: 'logs',
  command: '/list-logs',
  usage: '[word]',
  help: 'Show the activity log, newest first. Add a word to filter it.',
  loadPage: async ({ bot, profile }, project, { text, page }) => {
    const result = await bot.api.logs.list(project.Id)
    if (result.kind !== 'ok') return { failure: result }
    const query = text.trim()
    const lines = result.data.items
      .sort((a, b) => timeOf(b) - timeOf(a))
      .map((log) => logLine(log, profile.zone))
      .filter((line) => line.toLowerCase().includes(escapeText(query.toLowerCase())))
    const name = escapeText(project.Name)
    const filter = query ? ` matching "${escapeText(query)}"` : ''
    if (!lines.length) return { message: `No log entries in ${name}${filter}.` }
    const { items, hasMore } = cutPage(lines, page, PAGE_SIZE)
    return { title: `Activity log for ${name}${filter}`, items: [[section(items.join('\n'))]], hasMore }
  },
})

const timeOf = ({ CreatedAt = '' }: Log) => Date.parse(CreatedAt) || 0

const MAX_LINE_LENGTH = 180

function logLine(log: Log, zone: string): string {
  const at = log.CreatedAt ? DateTime.fromISO(log.CreatedAt, { zone }) : undefined
  const time = at?.isValid ? `\`${at.toFormat('d LLL HH:mm')}\` ` : ''
  const text = log.Message ?? log.Action ?? JSON.stringify(log.raw)
  const level = log.Level && !/^info$/i.test(log.Level) ? `*${escapeText(log.Level)}* ` : ''
  const author = log.Actor ? ` · ${escapeText(log.Actor)}` : ''
  return `${time}${level}${escapeText(truncate(text, MAX_LINE_LENGTH))}${author}`
}
