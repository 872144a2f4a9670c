import type { KnownBlock, ModalView } from '@slack/types'
import type { DateTime } from 'luxon'
import { postTime } from '../../../api/timestamps.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import { shortHash } from '../../database/short-hash.ts'
import { firstValue } from '../../forms/fields.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  type Button,
  buttonElement,
  buttonRow,
  context,
  escapeFormatting,
  escapeText,
  messageView,
  section,
  truncate,
  type Viewer,
} from '../../slack/message-blocks.ts'
import { pageButtons, slicePage } from '../../slack/paged-list.ts'
import {
  formatPostCount,
  formatSchedule,
  MAX_LINE_LENGTH,
  platformNames,
  postLine,
  quotePost,
  skipToDifference,
  textOf,
} from '../posts/display/post-blocks.ts'
import { HAND_OVER_LEAD_MINUTES, isHeld } from '../posts/display/post-states.ts'
import { rowToPost } from './check-rows.ts'
import { type Plan, type PlanRow, readyRows } from './tables.ts'
import { UNDO_WINDOW_MINUTES, UNDO_WINDOW_MS } from './undo-plan.ts'
import { hasSameTime } from './write-table.ts'

export const REVIEW_TITLE = 'Review a plan'
export const FIX_ACTION = 'plan:fix'
export const SCHEDULE_ACTION = 'plan:schedule'
export const DRAFTS_ACTION = 'plan:drafts'

/** Slack allows 100 blocks in a modal. */
const PAGE_SIZE = 20
const MAX_TEXT_LENGTH = 80
const MAX_LINK_LENGTH = 150
const MAX_DESCRIPTION_LENGTH = 200
const MAX_PROBLEMS_LENGTH = 500

export const warningsOf = ({ warnings = [], conflicts = [] }: PlanRow): string[] => [
  ...warnings,
  ...conflicts,
]
const hasWarnings = (row: PlanRow): boolean => warningsOf(row).length > 0

export const rowsWithProblems = ({ rows }: Pick<Plan, 'rows'>): PlanRow[] =>
  rows.filter(({ problems }) => problems.length)

export type Reviewer = Viewer & { bot: Bot }

/** The rows of a plan, first those with problems or warnings, then the others by day. */
export function reviewView(plan: Plan, viewer: Reviewer, page = 0): ModalView {
  const { id, notes } = plan
  const timeOf = (row: PlanRow) => postTime(rowToPost(row))?.setZone(viewer.zone)
  const sorted = [...readyRows(plan)].sort((a, b) => +(timeOf(a) ?? 0) - +(timeOf(b) ?? 0))
  const present = plan.rows.filter(({ problems, isPresent }) => !problems.length && isPresent)
  const items = [
    ...rowsWithProblems(plan),
    ...sorted.filter(hasWarnings),
    ...sorted.filter((row) => !hasWarnings(row)),
    ...present,
  ]
  const { items: shown, page: shownPage, hasMore } = slicePage(items, page, PAGE_SIZE)
  const blocks = shown.flatMap((row, index): KnownBlock[] => {
    const at = timeOf(row)
    const heading = headingOf(row, at, viewer.now)
    const previous = shown[index - 1]
    const isNew = !previous || headingOf(previous, timeOf(previous), viewer.now) !== heading
    return [...(isNew ? [section(`*${heading}*`)] : []), rowBlock(row, { id, at, viewer })]
  })
  return messageView(
    REVIEW_TITLE,
    section(describePlan(plan)),
    ...notes.map((note) => context(escapeText(note))),
    ...gapNote(sorted.flatMap((row) => timeOf(row) ?? [])),
    ...undoNote(plan, viewer),
    ...buttonRow(...planButtons(plan)),
    ...blocks,
    ...buttonRow(...pageButtons('plan', { id, page: shownPage }, hasMore)),
  )
}

function headingOf(row: PlanRow, at: DateTime | undefined, now: Date): string {
  if (row.problems.length) return ':warning: Needs your attention'
  if (row.isPresent) return 'Already in the project, so these are left out'
  if (hasWarnings(row)) return ':warning: Worth a look'
  const isThisYear = at?.year === now.getUTCFullYear()
  return at?.toFormat(isThisYear ? 'cccc d LLLL' : 'cccc d LLLL yyyy') ?? 'Without a date'
}

type RowContext = { id: string; at: DateTime | undefined; viewer: Viewer }

function rowBlock(row: PlanRow, { id, at, viewer }: RowContext): KnownBlock {
  const { number, problems, values, body } = row
  const warnings = warningsOf(row)
  const button: Button = {
    action_id: FIX_ACTION,
    label: problems.length ? 'Fix' : 'Change',
    value: JSON.stringify({ id, row: number }),
  }
  const text = truncate(firstValue(values.Content)?.replaceAll('\n', ' ') || '(no text)', MAX_TEXT_LENGTH)
  const explanation = truncate(problems.join(' '), MAX_PROBLEMS_LENGTH)
  const draft = body?.Status === 'DRAFT' ? ' · draft' : ''
  const time = at?.toFormat(warnings.length || problems.length ? 'ccc d LLL HH:mm' : 'HH:mm')
  const warning = warnings.length ? `\n${escapeText(warnings.join(' '))}` : ''
  const change = describeChange(row, viewer)
  const post = `${time ? `*${time}*  ` : ''}${postLine(rowToPost(row))}${draft}${describeExtras(row)}${warning}`
  const line = problems.length
    ? `Row ${number}: ${body ? post : escapeFormatting(text)}\n${escapeText(explanation)}`
    : post
  const block = section(change ? `${line}\n${change}` : line)
  return row.isFinal ? block : { ...block, accessory: buttonElement(button) }
}

/**
 * The parts of a post that a row replaces: 'Before: Fri 27 Nov, 09:00 Berlin, in 2 days · "Launch day!"'. For long text, the
 * first line shows the part that changes.
 */
function describeChange({ body, was }: PlanRow, viewer: Viewer): string {
  if (!body || !was) return ''
  const [text, earlierText] = [textOf(body), textOf(was)]
  const quoteDifference = (one: string, other: string) =>
    escapeFormatting(quotePost({ Content: skipToDifference(one, other) }))
  const before = [
    ...(hasSameTime(was, body) ? [] : [formatSchedule(was, viewer)]),
    ...(was.Content === body.Content ? [] : [quoteDifference(earlierText, text)]),
    ...(platformNames(was) === platformNames(body) ? [] : [platformNames(was)]),
    ...((was.Media ?? '') === (body.Media ?? '') ? [] : [was.Media ? 'other media' : 'no media']),
    ...(isDraft(was) === isDraft(body) ? [] : [isDraft(was) ? 'draft' : 'scheduled']),
  ]
  const isCut = was.Content !== body.Content && text.length > MAX_LINE_LENGTH
  const now = isCut ? `Text: ${quoteDifference(text, earlierText)}\n` : ''
  return before.length ? `${now}Before: ${before.join(' · ')}` : ''
}

const isDraft = ({ Status }: { Status?: string | undefined }): boolean => Status === 'DRAFT'

/** The media, its description and platform-specific text, which `postLine` leaves out. */
function describeExtras({ body }: PlanRow): string {
  const texts = Object.entries(body?.Texts ?? {}).filter(([, text]) => text && text !== body?.Content)
  const lines = [
    ...(body?.Media ? [escapeText(truncate(body.Media, MAX_LINK_LENGTH))] : []),
    ...(body?.AltText
      ? [`Image description: ${escapeFormatting(truncate(body.AltText, MAX_DESCRIPTION_LENGTH))}`]
      : []),
    ...texts.map(
      ([platform, text]) =>
        `Text on ${platformName(platform)}: ${escapeFormatting(quotePost({ Content: text }))}`,
    ),
  ]
  return lines.map((line) => `\n${line}`).join('')
}

/** "15 posts for Acme · LinkedIn 10, X 8. 1 row needs your attention. It's left out unless you fix it first." */
export function describePlan(plan: Plan): string {
  const ready = readyRows(plan)
  const counts = new Map<string, number>()
  for (const { body } of ready)
    for (const platform of body?.Platforms ?? []) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  const platforms = [...counts]
    .map(([platform, count]) => `${platformName(platform)}\u00a0${count}`)
    .join(', ')
  const title = `*${formatPostCount(ready.length)}* for ${escapeText(plan.project_name)}`
  const count = rowsWithProblems(plan).length
  const attention =
    count === 1
      ? "\n1 row needs your attention. It's left out unless you fix it first."
      : `\n${count} rows need your attention. They're left out unless you fix them first.`
  return `${platforms ? `${title} · ${platforms}` : title}${count ? attention : ''}`
}

const MAX_GAPS_NAMED = 7

/** Names the plan's days without posts. */
function gapNote(times: DateTime[]): KnownBlock[] {
  const [first, last] = [times[0]?.startOf('day'), times.at(-1)?.startOf('day')]
  if (!first || !last) return []
  const busy = new Set(times.map((at) => at.toISODate()))
  const count = Math.round(last.diff(first, 'days').days)
  const days = Array.from({ length: count }, (_, index) => first.plus({ days: index }))
  const free = days.filter((day) => !busy.has(day.toISODate())).map((day) => day.toFormat('ccc d LLL'))
  if (!free.length) return []
  const more = free.length > MAX_GAPS_NAMED ? ` and ${free.length - MAX_GAPS_NAMED} more` : ''
  return [context(`This plan has nothing on ${free.slice(0, MAX_GAPS_NAMED).join(', ')}${more}.`)]
}

/** Explains, before a plan is sent, which of its changes Undo can't take back. */
function undoNote(plan: Plan, { bot, now }: Reviewer): KnownBlock[] {
  const ready = readyRows(plan)
  const changes = ready.filter(({ opened }) => opened).length
  const mayBeOut = (row: PlanRow) => {
    const { Status } = rowToPost(row)
    const leftMs = (postTime(rowToPost(row))?.toMillis() ?? 0) - now.getTime()
    return (
      !row.opened &&
      Status !== 'DRAFT' &&
      !(isHeld({ Status }) && leftMs > (HAND_OVER_LEAD_MINUTES + UNDO_WINDOW_MINUTES) * 60_000) &&
      (!bot.extensions.current.canChangePosts || leftMs < UNDO_WINDOW_MS)
    )
  }
  const outCount = ready.filter(mayBeOut).length
  if (!bot.extensions.current.canChangePosts && outCount === ready.length)
    return [context("You can't undo this plan, because the scheduling service can't cancel posts.")]
  if (changes && changes === ready.length)
    return [context("You can't undo this plan, because it only changes existing posts.")]
  const exceptions = [
    ...(changes ? [`${changes} change${changes === 1 ? '' : 's'} to existing posts`] : []),
    ...(outCount ? [`${formatPostCount(outCount)} that may be out by then`] : []),
  ]
  return exceptions.length
    ? [
        context(
          `You can undo this plan for ${UNDO_WINDOW_MINUTES} minutes, except for ${exceptions.join(' and ')}.`,
        ),
      ]
    : []
}

function planButtons(plan: Plan): Button[] {
  const count = readyRows(plan).length
  const skipped = rowsWithProblems(plan).length
  if (!count) return []
  const skip = skipped ? `, skip ${skipped}` : ''
  const all = !skipped && count > 1 ? 'all ' : ''
  const changesPosts = readyRows(plan).some(({ opened }) => opened)
  const verb = changesPosts ? 'Save' : 'Schedule'
  const value = `${plan.id} ${reviewVersion(plan)}`
  const send = {
    action_id: SCHEDULE_ACTION,
    label: `${verb} ${all}${formatPostCount(count)}${skip}`,
    value,
    isPrimary: true,
  }
  // A scheduled post that became a draft wouldn't go out.
  if (changesPosts) return [send]
  return [send, { action_id: DRAFTS_ACTION, label: `Save ${all}as drafts${skip}`, value }]
}

/** Identifies the posts that a review shows, with their warnings. */
export const reviewVersion = (plan: Plan): string =>
  shortHash(
    JSON.stringify(
      readyRows(plan).map(({ number, body, warnings, conflicts = [] }) => [
        number,
        body,
        warnings,
        conflicts,
      ]),
    ),
  )
