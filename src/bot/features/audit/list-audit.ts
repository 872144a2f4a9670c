import { DateTime } from 'luxon'
import { isObject } from '../../../api/result.ts'
import { describeDateRange, readDateRange } from '../../../time/date-range.ts'
import { MAX_AGE_WORDS } from '../../outbox/retry-limits.ts'
import { type AuditFilter, listAuditEntries } from '../../slack/audit-store.ts'
import { listFeatures, type Request } from '../../slack/feature.ts'
import { escapeText, mentionUser, section, truncate } from '../../slack/message-blocks.ts'
import { definePagedList } from '../../slack/paged-list.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import type { AuditEntry, AuditOutcome } from '../../slack/tables.ts'
import { findPeople } from './find-people.ts'

const PAGE_SIZE = 10
/** The action of an erasure by the operator's `personal-data` command. No feature in Slack has this verb. */
const ERASURE = 'erase'

/** Lists what people did in Slack. The service's own log can only name the owner of the bot's token. */
export const listAudit = definePagedList({
  verb: 'audit',
  usage: '[@person] [invite, user, digest] [denied] [last week]',
  help: 'See who did what in Upnext. Filter by person, action, outcome or date. For owners and admins.',
  access: ADMIN_ACCESS,
  loadPage: async (request, { text, page }) => {
    const { bot, profile, modules } = request
    const actions = new Map([[ERASURE, [ERASURE]]])
    for (const { verb, actions: buttons = {} } of listFeatures(modules))
      actions.set(verb, [verb, ...Object.keys(buttons)])
    const reading = await readFilter(request, text, actions)
    if ('error' in reading) return { message: reading.error }
    const range = { offset: page * PAGE_SIZE, limit: PAGE_SIZE + 1 }
    const entries = await listAuditEntries(bot.db, reading.filter, range)
    const words = text.trim()
    const filterLabel = `${reading.days}${words && ` matching "${escapeText(words)}"`}`
    if (!entries.length)
      return { message: `${page ? 'No more entries' : 'No entries'} in the audit trail${filterLabel}.` }
    return {
      title: `Audit trail${filterLabel}`,
      items: entries.slice(0, PAGE_SIZE).map((entry) => [section(entryLine(entry, profile.zone))]),
      hasMore: entries.length > PAGE_SIZE,
    }
  },
})

const OUTCOMES: Record<AuditOutcome, string> = {
  done: 'done',
  refused: 'not accepted',
  denied: 'no permission',
  expired: `not sent within ${MAX_AGE_WORDS}`,
  unclear: 'may have taken effect',
}

const MAX_VALUE_LENGTH = 60
const MAX_CHANGES_LENGTH = 400

function entryLine(entry: AuditEntry, zone: string): string {
  const { at, user_id, action, outcome, target, detail } = entry
  const time = DateTime.fromJSDate(at, { zone }).toFormat('d LLL yyyy HH:mm')
  const line = `\`${time}\` ${mentionUser(user_id)} *${escapeText(action.replaceAll(':', ' '))}* · ${OUTCOMES[outcome] ?? escapeText(outcome)}`
  const changes = isObject(detail?.after) ? describeChanges(detail) : escapeText(target ?? '')
  return changes ? `${line}\n${changes}` : line
}

function describeChanges({ before, after: values }: NonNullable<AuditEntry['detail']>): string {
  const { channel_id, ...after } = values
  const format = (value: unknown) => {
    const text = Array.isArray(value) ? value.join(', ') : value
    return truncate(typeof text === 'string' ? text : JSON.stringify(text), MAX_VALUE_LENGTH)
  }
  const changes = Object.entries(after).map(([name, value]) => {
    const earlier = before?.[name]
    const hasChanged = earlier !== undefined && format(earlier) !== format(value)
    return `${fieldLabel(name)}: ${hasChanged ? `${format(earlier)} → ` : ''}${format(value)}`
  })
  const text = escapeText(truncate(changes.join(' · '), MAX_CHANGES_LENGTH))
  const earlierChannel = before?.channel_id
  const hasMoved = earlierChannel !== undefined && earlierChannel !== channel_id
  const channel = channel_id && `${hasMoved ? `<#${earlierChannel}> → ` : ''}<#${channel_id}>`
  return [channel, text].filter(Boolean).join(' · ')
}

/** "FirstName" and "first_name" become "first name". */
const fieldLabel = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

async function readFilter(
  request: Request,
  text: string,
  /** The recorded actions of each command and its buttons. */
  actionsOfVerb: Map<string, string[]>,
): Promise<{ filter: AuditFilter; days: string } | { error: string }> {
  const { bot, actor, profile } = request
  const filter: AuditFilter = { team_id: actor.team_id }
  const words = text.split(/\s+/).filter(Boolean)
  const name = words.find((word) => word.startsWith('@'))
  if (name) {
    const found = await findPeople(request, name)
    if ('error' in found) return found
    filter.user_ids = found.user_ids
  }
  const now = bot.runtime.now()
  const verbs = [...actionsOfVerb.keys()]
  const choices = [...verbs, ...Object.keys(OUTCOMES)]
  const isChoice = (word = '') => choices.includes(word.toLowerCase())
  const chosen: string[] = []
  let rest = words.filter((word) => word !== name)
  const readRange = () =>
    rest.length ? readDateRange(rest.join(' '), { ...profile, now }, 'past') : undefined
  let range = readRange()
  // Commands and outcomes come before or after the date. "Last week" is a date, although "week" is also a command.
  while (range?.kind === 'refusal') {
    const choice = [rest[0], rest.at(-1)].find(isChoice)
    if (!choice) break
    chosen.push(choice.toLowerCase())
    rest = isChoice(rest[0]) ? rest.slice(1) : rest.slice(0, -1)
    range = readRange()
  }
  const outcomes = chosen.filter((word): word is AuditOutcome => word in OUTCOMES)
  const actions = chosen.flatMap((word) => actionsOfVerb.get(word) ?? [])
  if (outcomes.length) filter.outcomes = outcomes
  if (actions.length) filter.actions = actions
  if (!range) return { filter, days: '' }
  if (range.kind === 'refusal')
    return {
      error: `"${escapeText(rest.join(' '))}" wasn't understood. ${range.message} You can also filter by @person, by ${Object.keys(OUTCOMES).join(', ')}, or by ${verbs.join(', ')}.`,
    }
  if (range.from) filter.from = range.from.toJSDate()
  if (range.to) filter.to = range.to.toJSDate()
  return { filter, days: ` ${describeDateRange(range, now)}` }
}
