import type { CallOptions } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { type ApiResult, INCOMPLETE_FAILURE } from '../../../../api/result.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { addMs } from '../../../../runtime.ts'
import { readDateRange } from '../../../../time/date-range.ts'
import { listWords, momentToUniqueWords } from '../../../../time/describe.ts'
import type { ReadingContext } from '../../../../time/reading.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Completion } from '../../../forms/field.ts'
import type { Bot } from '../../../slack/bot.ts'
import { fitsSlot, listSlots, type Slot } from '../../slots/slot-rules.ts'
import { findSlotRules, listReservations, workspaceHasSlots } from '../../slots/slot-store.ts'
import { readSlotWords } from '../../slots/slot-words.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import { listProjectPosts } from '../find/project-posts.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
const MAX_WEEKS = 8
const MAX_LEAD_MS = 53 * WEEK_MS
const MAX_PAGES = 20

/** The platform and minute of each post and reservation. */
export type TakenSlots = Set<string>

const keyOf = (at: Date, platform = ''): string => `${Math.floor(at.getTime() / MINUTE_MS)} ${platform}`

/** Marks the slots that a post takes. */
export function markTaken(taken: TakenSlots, { at, platforms }: Slot): void {
  for (const platform of ['', ...platforms]) taken.add(keyOf(at, platform))
}

/** Whether a post for these platforms can have the slot. Without platforms, nothing else may go out in that minute. */
export function isFree(taken: TakenSlots, { at }: Slot, platforms: string[]): boolean {
  const keys = platforms.length ? platforms.map((platform) => keyOf(at, platform)) : [keyOf(at)]
  return !keys.some((key) => taken.has(key))
}

/** The slot with only the platforms that are still free. Undefined if the whole slot is taken. */
export function remainingSlot(taken: TakenSlots, slot: Slot): Slot | undefined {
  const platforms = slot.platforms.filter((platform) => isFree(taken, slot, [platform]))
  const hasRoom = slot.platforms.length ? platforms.length > 0 : isFree(taken, slot, [])
  return hasRoom ? { ...slot, platforms } : undefined
}

/** A failed post also takes its slot, because its author may try again. */
export async function findTakenSlots(
  bot: Pick<Bot, 'db' | 'runtime'>,
  scope: ProjectKey,
  { posts, from, to }: Period & { posts: Post[] },
): Promise<TakenSlots> {
  const taken: TakenSlots = new Set()
  for (const post of posts) {
    const at = postTime(post)?.toJSDate()
    if (at) markTaken(taken, { at, platforms: post.Platforms ?? [] })
  }
  for (const { at, platform } of await listReservations(bot.db, scope, { from, to }, bot.runtime.now()))
    markTaken(taken, { at, platforms: [platform] })
  return taken
}

export type LoadedSlots = { slots: Slot[]; taken: TakenSlots }

/** The slots between two moments, and which of them are taken. */
export async function loadSlots(
  bot: Bot,
  scope: ProjectKey,
  { from, to, deadline }: Period & CallOptions,
): Promise<ApiResult<LoadedSlots>> {
  const slots = listSlots(await findSlotRules(bot.db, scope), from, to)
  if (!slots.length) return { kind: 'ok', data: { slots, taken: new Set() } }
  const filter = { schedule_date_from: from.toISOString(), schedule_date_to: to.toISOString() }
  const listed = await listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES, deadline })
  if (listed.kind !== 'ok') return listed
  if (listed.data.hasMore) return INCOMPLETE_FAILURE
  const taken = await findTakenSlots(bot, scope, { posts: listed.data.items, from, to })
  return { kind: 'ok', data: { slots, taken } }
}

/** The first slot that a post for these platforms can have. */
export const findFreeSlot = ({ slots, taken }: LoadedSlots, platforms: string[]): Slot | undefined =>
  slots.find((slot) => fitsSlot(slot, platforms) && isFree(taken, slot, platforms))

type Period = { from: Date; to: Date }

/** The period that the words in `days` describe, cut to `weeks` weeks. */
export function slotPeriod(
  days: string,
  context: ReadingContext,
  weeks = MAX_WEEKS,
): Period | { problem: string } {
  const range = days ? readDateRange(days, context, 'future') : undefined
  if (range?.kind === 'refusal') return { problem: `"${days}" wasn't understood. ${range.message}` }
  const from = new Date(Math.max(+addMs(context.now, MINUTE_MS), range?.from?.toMillis() ?? 0))
  if (from > addMs(context.now, MAX_LEAD_MS)) return { problem: TOO_FAR }
  const end = addMs(from, weeks * WEEK_MS)
  return { from, to: new Date(Math.min(+end, range?.to?.toMillis() ?? +end)) }
}

const TOO_FAR = 'Free slots can only be found up to a year ahead. Enter a time instead.'
export const NO_SLOTS = 'This project has no slots yet. Set them up with /upnext slots.'
export const SLOTS_UNAVAILABLE = "The free slots couldn't be loaded. Enter a time, or try again in a minute."

/** Turns "next free slot" into a time. The platforms come from the words, otherwise from the form or the opened post. */
export const SLOT_COMPLETION: Completion = {
  example: 'next free slot',
  isAvailable: (bot, { team_id }) => workspaceHasSlots(bot.db, team_id),
  matches: (text) => readSlotWords(text) !== undefined,
  complete: async (text, { bot, actor, project_id, values, opened, ...context }) => {
    const { platforms: typedPlatforms, days } = readSlotWords(text) ?? { platforms: [], days: '' }
    const formPlatforms = Array.isArray(values.Platforms)
      ? values.Platforms
      : (opened as OpenedPost | undefined)?.Platforms
    const platforms = typedPlatforms.length ? typedPlatforms : (formPlatforms ?? [])
    const scope = { team_id: actor.team_id, project_id }
    if (!(await findSlotRules(bot.db, scope)).length) return { problem: NO_SLOTS }
    let problem = ''
    // The first week usually has a free slot, so later weeks are loaded only if needed.
    for (const weeks of days ? [MAX_WEEKS] : [1, MAX_WEEKS]) {
      const period = slotPeriod(days, context, weeks)
      if ('problem' in period) return period
      const loaded = await loadSlots(bot, scope, { ...period, deadline: context.deadline })
      if (loaded.kind !== 'ok') return { problem: SLOTS_UNAVAILABLE }
      const slot = findFreeSlot(loaded.data, platforms)
      if (slot) return { words: momentToUniqueWords(slot.at, context.zone) }
      problem = explainNoSlot(platforms, days, period)
    }
    return { problem }
  },
}

export function explainNoSlot(platforms: string[], days: string, { from, to }: Period): string {
  const names = platforms.length ? ` for ${listWords(platforms.map(platformName))}` : ''
  const isCut = +to - +from >= MAX_WEEKS * WEEK_MS
  const weeks = isCut ? ` in the ${days ? 'first' : 'next'} ${MAX_WEEKS} weeks` : ''
  return `There is no free slot${names}${weeks}${days ? ` (${days})` : ''}.`
}
