import { DateTime } from 'luxon'
import { describeMoment } from '../../time/describe.ts'
import type { ReadingContext } from '../../time/reading.ts'
import {
  describeRecurrence,
  formatTimes,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
  recurrenceToWords,
} from '../../time/recurrence.ts'
import { zoneToWords } from '../../time/zone-names.ts'
import { plainText, toMenuOption, type Viewer } from '../slack/message-blocks.ts'
import type { Field, FieldNote, InputState, PickerElement } from './field.ts'
import { toUnclearWords, wordsField } from './fields.ts'

/** The picker offers these days. Any others can be typed. */
const PICKER_DAYS = [
  'Every day',
  'Weekdays',
  'Weekends',
  ...['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'],
  'The first Monday of the month',
  'The last day of the month',
]

const DEFAULT_DAYS = 'Weekdays'
const DEFAULT_TIME = '09:00'

export const recurrenceField = (label: string, hint: string): Field<string> =>
  wordsField(label, {
    hint,
    readWords: parseRecurrence,
    describe: ({ recurrence }, context) => ({
      message: describeWithNextRuns(recurrence, context),
      recurrence,
    }),
    toValues: (_reading, text) => [text],
    picker: { elements: pickerElements, toText: pickedToText },
  })

export function parseRecurrence(text: string, context: ReadingContext) {
  const reading = readRecurrence(text, context)
  return reading.kind === 'recurrence' ? reading : toUnclearWords(reading)
}

/** "Weekdays at 09:00 Berlin: next Mon 23 Nov…, then Tue 24 Nov…" */
export function describeWithNextRuns(recurrence: Recurrence, context: ReadingContext): string {
  const first = nextOccurrence(recurrence, context.now).toJSDate()
  return `${describeRecurrence(recurrence)}: ${describeRuns(recurrence, first, context)}`
}

/** "next Mon 23 Nov…, then Tue 24 Nov…" */
export function describeRuns(recurrence: Recurrence, first: Date, viewer: Viewer): string {
  const { zone: viewerZone, now } = viewer
  const [next, then] = [DateTime.fromJSDate(first), nextOccurrence(recurrence, first)].map((at) =>
    describeMoment({ at, zone: recurrence.zone, viewerZone, now }),
  )
  return `next ${next}, then ${then}`
}

function pickerElements({ recurrence }: Partial<FieldNote>): PickerElement[] {
  const options = PICKER_DAYS.map((days) => toMenuOption({ value: days, label: days }))
  const chosen = recurrence && options.find(({ value = '' }) => hasSameDays(value, recurrence))
  return [
    {
      type: 'static_select',
      options,
      placeholder: plainText('Days'),
      ...(chosen && { initial_option: chosen }),
    },
    {
      type: 'timepicker',
      placeholder: plainText('Time'),
      ...(recurrence?.clocks.length === 1 && { initial_time: formatTimes(recurrence.clocks) }),
    },
  ]
}

/** Context for phrases that mean the same in every time zone. */
const NEUTRAL_CONTEXT = { now: new Date(0), zone: 'UTC', locale: 'en-US' }

function hasSameDays(pickerDays: string, { days }: Recurrence): boolean {
  const reading = readRecurrence(`${pickerDays} at ${DEFAULT_TIME}`, NEUTRAL_CONTEXT)
  return reading.kind === 'recurrence' && JSON.stringify(reading.recurrence.days) === JSON.stringify(days)
}

/** The user picks days or a time. The other part, and a time zone, come from the current text. */
function pickedToText(picked: InputState, context: ReadingContext, { value }: InputState): string {
  const reading = parseRecurrence(value ?? '', context)
  const current = 'recurrence' in reading ? reading.recurrence : undefined
  const { selected_time: time, selected_option } = picked
  const days = selected_option?.value
  if (!current) return `${days ?? DEFAULT_DAYS} at ${time ?? DEFAULT_TIME}`
  const zoneWords = current.zone === context.zone ? '' : ` ${zoneToWords(current.zone)}`
  if (days) return `${days} at ${time ?? formatTimes(current.clocks)}${zoneWords}`
  const [hour = 0, minute = 0] = (time ?? DEFAULT_TIME).split(':').map(Number)
  return recurrenceToWords({ days: current.days, clocks: [{ hour, minute }] }) + zoneWords
}
