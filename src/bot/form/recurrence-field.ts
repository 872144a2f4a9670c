import { describeMoment } from '../../time/describe.ts'
import {
  describeRecurrence,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
  recurrenceToWords,
} from '../../time/recurrence.ts'
import { plainText } from '../message-blocks.ts'
import {
  defineField,
  type Field,
  type FieldNote,
  type FormContext,
  type InputState,
  type Picker,
} from './field.ts'
import { askWithAlternatives, MAX_DATE_LENGTH, textInput } from './fields.ts'

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

/** Recurring days and a time in plain words, optionally with a time zone. */
export const recurrenceField = (label: string): Field<string> =>
  defineField({
    label,
    hint: 'In your own words: "weekdays at 9am", "mon and thu 8:30 Berlin time", "first monday of the month at 10".',
    updatesForm: true,
    element: (initial, action_id) => textInput({ action_id, initial, maxLength: MAX_DATE_LENGTH }),
    note: ({ value }, context) => (value?.trim() ? recurrenceNote(value, context) : undefined),
    picker: { elements: pickerElements, toText: pickedToText },
    read: ({ value }, context) => {
      if (!value?.trim()) return undefined
      const reading = parseRecurrence(value, context)
      return 'error' in reading ? { error: reading.error } : { values: [value.trim()] }
    },
  })

type RecurrenceReading = { recurrence: Recurrence } | { error: string; alternatives: string[] }

export function parseRecurrence(text: string, { profile, now }: FormContext): RecurrenceReading {
  const reading = readRecurrence(text, { now, zone: profile.zone, locale: profile.locale })
  if (reading.kind === 'recurrence') return { recurrence: reading.recurrence }
  if (reading.kind === 'refusal') return { error: reading.message, alternatives: [] }
  return askWithAlternatives(
    reading.question,
    reading.choices.map((choice) => choice.label),
  )
}

function recurrenceNote(text: string, context: FormContext): FieldNote {
  const reading = parseRecurrence(text, context)
  if ('error' in reading) return { message: reading.error, alternatives: reading.alternatives }
  const { recurrence } = reading
  return { message: describeWithNextRuns(recurrence, context), recurrence }
}

/** "Weekdays at 09:00 Berlin: next Mon 23 Nov…, then Tue 24 Nov…" */
export function describeWithNextRuns(recurrence: Recurrence, { profile, now }: FormContext): string {
  const first = nextOccurrence(recurrence, now)
  const runs = [first, nextOccurrence(recurrence, first.toJSDate())]
  const [next, second] = runs.map((at) =>
    describeMoment({ at, zone: recurrence.zone, viewerZone: profile.zone, now }),
  )
  return `${describeRecurrence(recurrence)}: next ${next}, then ${second}`
}

function pickerElements({ recurrence }: Partial<FieldNote>): ReturnType<Picker['elements']> {
  const options = PICKER_DAYS.map((days) => ({ text: plainText(days), value: days }))
  const days: ReturnType<Picker['elements']>[number] = {
    type: 'static_select',
    options,
    placeholder: plainText('Days'),
  }
  if (!recurrence) return [days, { type: 'timepicker', placeholder: plainText('Time') }]
  const chosen = options.find(({ value }) => hasSameDays(value, recurrence))
  return [
    chosen ? { ...days, initial_option: chosen } : days,
    { type: 'timepicker', placeholder: plainText('Time'), initial_time: formatTime(recurrence) },
  ]
}

/** Context for phrases that mean the same in every time zone. */
const NEUTRAL_CONTEXT = { now: new Date(0), zone: 'UTC', locale: 'en-US' }

function hasSameDays(pickerDays: string, recurrence: Recurrence): boolean {
  const reading = readRecurrence(`${pickerDays} at ${formatTime(recurrence)}`, NEUTRAL_CONTEXT)
  return (
    reading.kind === 'recurrence' &&
    JSON.stringify(reading.recurrence.days) === JSON.stringify(recurrence.days)
  )
}

const formatTime = ({ clock }: Pick<Recurrence, 'clock'>) =>
  [clock.hour, clock.minute].map((part) => String(part).padStart(2, '0')).join(':')

/** The user picks days or a time. The other part comes from the current text. */
function pickedToText(picked: InputState, context: FormContext, { value }: InputState): string | undefined {
  const reading = value?.trim() ? parseRecurrence(value, context) : undefined
  const current = reading && 'recurrence' in reading ? reading.recurrence : undefined
  const time = picked.selected_time ?? (current && formatTime(current)) ?? DEFAULT_TIME
  const days = picked.selected_option?.value
  if (days || !current) return withZone(`${days ?? DEFAULT_DAYS} at ${time}`, current, context)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return withZone(recurrenceToWords({ days: current.days, clock: { hour, minute } }), current, context)
}

/** A time zone in the current text is preserved. */
function withZone(text: string, current: Recurrence | undefined, { profile }: FormContext): string {
  if (!current || current.zone === profile.zone) return text
  const zoneWords = describeRecurrence(current).slice(recurrenceToWords(current).length + 1)
  return `${text} ${zoneWords}`
}
