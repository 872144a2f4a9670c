import { postTime } from '../../../api/timestamps.ts'
import { momentToUniqueWords } from '../../../time/describe.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import type { ProjectKey } from '../../database/tables.ts'
import { firstValue } from '../../forms/fields.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  explainNoSlot,
  findFreeSlot,
  loadSlots,
  markTaken,
  NO_SLOTS,
  SLOTS_UNAVAILABLE,
  slotPeriod,
} from '../posts/slots/free-slots.ts'
import { findSlotRules } from '../slots/slot-store.ts'
import { readSlotWords, type SlotQuery } from '../slots/slot-words.ts'
import { rowToPost } from './check-rows.ts'
import type { SourceRow } from './read-table.ts'
import type { PlanRow } from './tables.ts'

/** Whether a row needs a slot: its post is new, and it asks for a free slot, or has no time and isn't a draft. */
export function needsSlot({ values, exported, hasWrongTime }: SourceRow): boolean {
  const when = firstValue(values.ScheduleDate)?.trim()
  if (exported) return false
  return when ? readSlotWords(when) !== undefined : !hasWrongTime && firstValue(values.Status) !== 'DRAFT'
}

export type RowReader = { bot: Bot; scope: ProjectKey; context: ReadingContext }

/** Gives rows the next free slots, in the order of the rows. Times of the plan's other rows count as taken. */
export async function fillSlots(
  { bot, scope, context }: RowReader,
  sources: SourceRow[],
  others: PlanRow[],
): Promise<SourceRow[]> {
  if (!sources.length) return []
  const failAll = (problem: string) =>
    sources.map((source) => (firstValue(source.values.ScheduleDate) ? withProblem(source, problem) : source))
  if (!(await findSlotRules(bot.db, scope)).length) return failAll(NO_SLOTS)
  const requests = sources.map((source) => {
    const query = readSlotQuery(source)
    return { source, ...query, period: slotPeriod(query.days, context) }
  })
  const periods = requests.flatMap(({ period }) => ('to' in period ? [period] : []))
  const from = new Date(Math.min(...periods.map((period) => +period.from)))
  const to = new Date(Math.max(...periods.map((period) => +period.to)))
  const loaded = periods.length ? await loadSlots(bot, scope, { from, to }) : noSlots()
  if (loaded.kind !== 'ok') return failAll(SLOTS_UNAVAILABLE)
  const { slots, taken } = loaded.data
  for (const row of others) {
    const at = postTime(rowToPost(row))?.toJSDate()
    if (at) markTaken(taken, { at, platforms: row.body?.Platforms ?? [] })
  }
  return requests.map(({ source, platforms, days, period }): SourceRow => {
    if ('problem' in period) return withProblem(source, period.problem)
    const inPeriod = slots.filter(({ at }) => at >= period.from && at <= period.to)
    const slot = findFreeSlot({ slots: inPeriod, taken }, platforms)
    if (!slot) return withProblem(source, explainNoSlot(platforms, days, period))
    markTaken(taken, { at: slot.at, platforms })
    const ScheduleDate = momentToUniqueWords(slot.at, context.zone)
    return { ...source, values: { ...source.values, ScheduleDate } }
  })
}

const noSlots = () => ({ kind: 'ok' as const, data: { slots: [], taken: new Set<string>() } })

/** The slot that a row asks for. A row without a time asks for any slot for its platforms. */
function readSlotQuery({ values: { ScheduleDate, Platforms } }: SourceRow): SlotQuery {
  const words = readSlotWords(firstValue(ScheduleDate) ?? '') ?? { platforms: [], days: '' }
  return Array.isArray(Platforms) && Platforms.length ? { ...words, platforms: Platforms } : words
}

const withProblem = (source: SourceRow, problem: string): SourceRow => {
  return { ...source, hasWrongTime: true, problems: [...source.problems, `When: ${problem}`] }
}
