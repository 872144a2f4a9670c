import { describeMoment } from '../../time/describe.ts'
import {
  describeRecurrence,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
  recurrenceToWords,
} from '../../time/recurrence.ts'
import { plain } from '../reply.ts'
import { type Entry, type Field, field, type Note, type Scene } from './field.ts'

/** The days that a picker offers, in words; any others are typed. */
const DAYS = [
  'Every day',
  'Weekdays',
  'Weekends',
  ...['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'],
  'The first Monday of the month',
  'The last day of the month',
]

const USUAL = '09:00'

/** A person's words for what comes back: days, a time, and a zone where they name one. */
export const rhythm = (label: string): Field<string> =>
  field({
    label,
    hint: 'In your own words: "weekdays at 9am", "mon and thu 8:30 Berlin time", "first monday of the month at 10".',
    dispatches: true,
    element: (initial, action_id) => ({
      type: 'plain_text_input',
      action_id,
      max_length: 300,
      ...(typeof initial === 'string' && initial && { initial_value: initial.slice(0, 300) }),
    }),
    note: ({ value }, scene) => (value?.trim() ? noteOn(value, scene) : undefined),
    picker: { elements: pickersFor, words: wordsFor },
    take: ({ value }, scene) => {
      if (!value?.trim()) return undefined
      const read = readWords(value, scene)
      return 'fault' in read ? { fault: read.fault } : { values: [value.trim()] }
    },
  })

type Read = { rhythm: Recurrence } | { fault: string; instead: string[] }

/** The rhythm that words mean to somebody there. */
export function readWords(words: string, { person, now }: Scene): Read {
  const reading = readRecurrence(words, { now, zone: person.zone, locale: person.locale })
  if (reading.kind === 'recurrence') return { rhythm: reading.recurrence }
  if (reading.kind === 'refusal') return { fault: reading.message, instead: [] }
  const instead = reading.choices.map(({ label }) => label)
  return {
    fault: `${reading.question} Write it as ${instead.map((one) => `"${one}"`).join(' or ')}.`,
    instead,
  }
}

function noteOn(words: string, scene: Scene): Note {
  const read = readWords(words, scene)
  if ('fault' in read) return { say: read.fault, instead: read.instead }
  return { say: saying(read.rhythm, scene), rhythm: read.rhythm }
}

/** A rhythm, and when it comes next. */
export function saying(rhythm: Recurrence, { person, now }: Scene): string {
  const first = nextOccurrence(rhythm, now)
  const runs = [first, nextOccurrence(rhythm, first.toJSDate())]
  const [one, other] = runs.map((at) =>
    describeMoment({ at, zone: rhythm.zone, viewerZone: person.zone, now }),
  )
  return `${describeRecurrence(rhythm)}: next ${one}, then ${other}`
}

function pickersFor({
  rhythm: shown,
}: Partial<Note>): ReturnType<NonNullable<Field<string>['picker']>['elements']> {
  const options = DAYS.map((words) => ({ text: plain(words), value: words }))
  const chosen = shown && options.find(({ value }) => sameDays(value, shown))
  const time = shown && clockOf(shown)
  return [
    { type: 'static_select', options, placeholder: plain('Days'), ...(chosen && { initial_option: chosen }) },
    { type: 'timepicker', placeholder: plain('Time'), ...(time && { initial_time: time }) },
  ]
}

function sameDays(words: string, { days, clock }: Recurrence): boolean {
  const reading = readRecurrence(`${words} at ${clockOf({ clock })}`, CONTEXT)
  return reading.kind === 'recurrence' && JSON.stringify(reading.recurrence.days) === JSON.stringify(days)
}

/** For words that hang on nobody's zone. */
const CONTEXT = { now: new Date(0), zone: 'UTC', locale: 'en-US' }

const clockOf = ({ clock }: Pick<Recurrence, 'clock'>) =>
  [clock.hour, clock.minute].map((part) => String(part).padStart(2, '0')).join(':')

/** Whichever of the two was picked; the other is what stands there, or the usual. */
function wordsFor(picked: Entry, scene: Scene, { value }: Entry): string | undefined {
  const read = value?.trim() ? readWords(value, scene) : undefined
  const standing = read && 'rhythm' in read ? read.rhythm : undefined
  const time = picked.selected_time ?? (standing && clockOf(standing)) ?? USUAL
  const days = picked.selected_option?.value
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const words =
    days || !standing
      ? `${days ?? 'Weekdays'} at ${time}`
      : recurrenceToWords({ days: standing.days, clock: { hour, minute } })
  // A zone that was named stays.
  return standing && standing.zone !== scene.person.zone ? `${words} ${zoneWords(standing)}` : words
}

const zoneWords = (standing: Recurrence) =>
  describeRecurrence(standing).slice(recurrenceToWords(standing).length + 1)
