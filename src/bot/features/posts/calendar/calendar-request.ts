import { z } from 'zod'
import type { Button } from '../../../slack/message-blocks.ts'

/** The value of the calendar's buttons and menu options. */
export const CalendarRequest = z.object({
  kind: z.enum(['week', 'month']),
  /** "2026-11-23", or empty for today. */
  day: z.string(),
  project_id: z.string(),
  /** The page of a week's list. */
  page: z.int().min(0).optional(),
})
export type CalendarRequest = z.output<typeof CalendarRequest>

/** The value of a free slot's button. */
export const SlotReference = z.object({
  project_id: z.string(),
  at: z.iso.datetime(),
  platforms: z.array(z.string()),
})
export type SlotReference = z.output<typeof SlotReference>

export const OPEN_CALENDAR_ACTION = 'calendar:open'

/** A button that opens the calendar for the current week. */
export const calendarButton = (project_id: string): Button => {
  const value = JSON.stringify({ kind: 'week', day: '', project_id } satisfies CalendarRequest)
  return { action_id: OPEN_CALENDAR_ACTION, label: 'Calendar', value }
}
