import type { PlainTextInput, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { isPlatform, PLATFORMS, type Platform, platformName } from '../../platforms/platform-names.ts'
import { describeMoment, momentToWords, toScheduleFields } from '../../time/describe.ts'
import { readWhen } from '../../time/read-when.ts'
import type { Moment } from '../../time/reading.ts'
import { MAX_OPTIONS, plainText, selectOption } from '../message-blocks.ts'
import { defineField, type Field, type FormContext, type SearchContext } from './field.ts'
import type { Choice, FormValue } from './form-value.ts'

/** The text of a value, whichever input it is for. */
export const firstValue = (initial: FormValue): string | undefined =>
  Array.isArray(initial) ? initial[0] : typeof initial === 'object' ? initial.value : initial

type InputOptions = { action_id: string; initial: FormValue; maxLength: number; multiline?: boolean }

export function textInput({
  action_id,
  initial,
  maxLength,
  multiline = false,
}: InputOptions): PlainTextInput {
  const input: PlainTextInput = { type: 'plain_text_input', action_id, multiline, max_length: maxLength }
  const text = firstValue(initial)?.slice(0, maxLength)
  return text ? { ...input, initial_value: text } : input
}

const MAX_TEXT_LENGTH = 3000

export const textField = (
  label: string,
  { maxLength = MAX_TEXT_LENGTH, multiline = false } = {},
): Field<string> =>
  defineField({
    label,
    maxLength,
    clearedValue: '',
    element: (initial, action_id) => textInput({ action_id, initial, maxLength, multiline }),
    read: ({ value }) => (value?.trim() ? { values: [value.trim()] } : undefined),
  })

/** A text input with our own check: Slack's email and link inputs would show only their first problem, and only theirs. */
const checkedTextField = (
  label: string,
  {
    schema,
    error,
    ...options
  }: { schema: z.ZodType<string>; error: string; maxLength: number; hint?: string },
): Field<string> =>
  defineField({
    label,
    maxLength: options.maxLength,
    ...(options.hint && { hint: options.hint }),
    element: (initial, action_id) => textInput({ action_id, initial, maxLength: options.maxLength }),
    read: ({ value }) => {
      if (!value?.trim()) return undefined
      const { data, success } = schema.safeParse(value.trim())
      return success ? { values: [data] } : { error }
    },
  })

export const emailField = (label: string): Field<string> =>
  checkedTextField(label, {
    schema: z.email(),
    error: 'Enter a valid email address, such as ada@example.com.',
    maxLength: 254,
  })

export const linkField = (label: string, hint: string): Field<string> =>
  checkedTextField(label, {
    schema: z.url({ protocol: /^https?$/ }),
    error: 'Enter a valid link that starts with https://.',
    maxLength: 2000,
    hint,
  })

const toOptions = (labels: Record<string, string>): PlainTextOption[] =>
  Object.entries(labels).map(([value, label]) => ({ text: plainText(label), value }))

const chosenOptions = (options: PlainTextOption[], initial: FormValue): PlainTextOption[] =>
  options.filter(({ value = '' }) => Array.isArray(initial) && initial.includes(value))

export const selectField = (
  label: string,
  labels: Record<string, string>,
  { updatesForm = false } = {},
): Field<string> =>
  defineField({
    label,
    updatesForm,
    element: (initial, action_id) => {
      const options = toOptions(labels)
      const chosen = options.find(({ value }) => value === firstValue(initial))
      return { type: 'static_select', action_id, options, ...(chosen && { initial_option: chosen }) }
    },
    read: ({ selected_option }) => (selected_option ? { values: [selected_option.value] } : undefined),
  })

export const checkboxesField = (label: string, labels: Record<string, string>): Field<string[]> =>
  defineField({
    label,
    element: (initial, action_id) => {
      const options = toOptions(labels)
      const chosen = chosenOptions(options, initial)
      return { type: 'checkboxes', action_id, options, ...(chosen.length > 0 && { initial_options: chosen }) }
    },
    read: ({ selected_options = [] }) =>
      selected_options.length ? { values: [selected_options.map(({ value }) => value)] } : undefined,
  })

export const channelField = (label: string, hint: string): Field<string> =>
  defineField({
    label,
    hint,
    element: (initial, action_id) => ({
      type: 'conversations_select',
      action_id,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(initial && { initial_conversation: firstValue(initial) ?? '' }),
    }),
    read: ({ selected_conversation: channel }) => (channel ? { values: [channel] } : undefined),
  })

export const platformsField = (label: string): Field<Platform[]> =>
  defineField({
    label,
    updatesForm: true,
    element: (initial, action_id) => {
      const options = PLATFORMS.map((value) => ({ text: plainText(platformName(value)), value }))
      const chosen = chosenOptions(options, initial)
      return {
        type: 'multi_static_select',
        action_id,
        options,
        ...(chosen.length > 0 && { initial_options: chosen }),
      }
    },
    read: ({ selected_options = [] }) => {
      const platforms = selected_options.map(({ value }) => value).filter(isPlatform)
      return platforms.length ? { values: [platforms] } : undefined
    },
  })

export const MAX_DATE_LENGTH = 300

/** A date in plain words. It sets ScheduleDate and Timezone. */
export const dateField = (label: string): Field<string> =>
  defineField({
    label,
    hint: 'In your own words: "tomorrow 9am", "friday 17:30 Berlin", "in 3 hours".',
    alsoSets: ['Timezone'],
    updatesForm: true,
    element: (initial, action_id) => textInput({ action_id, initial, maxLength: MAX_DATE_LENGTH }),
    note: ({ value }, context) => {
      if (!value?.trim()) return undefined
      const reading = readDate(value, context)
      if ('error' in reading) return { message: reading.error, alternatives: reading.alternatives }
      const { at, zone, assumptions } = reading.moment
      const message = [
        describeMoment({ at, zone, viewerZone: context.profile.zone, now: context.now }),
        ...assumptions,
      ].join('; ')
      return { message, at: at.toJSDate() }
    },
    picker: {
      elements: ({ at }) => [
        { type: 'datetimepicker', ...(at && { initial_date_time: Math.floor(at.getTime() / 1000) }) },
      ],
      toText: ({ selected_date_time: seconds }, { profile }) =>
        seconds ? momentToWords(new Date(seconds * 1000), profile.zone) : undefined,
    },
    read: ({ value }, context) => {
      if (!value?.trim()) return undefined
      const reading = readDate(value, context)
      if ('error' in reading) return { error: reading.error }
      const { ScheduleDate, Timezone } = toScheduleFields(reading.moment.at, reading.moment.zone)
      return { values: [ScheduleDate, Timezone] }
    },
  })

type DateReading = { moment: Moment } | { error: string; alternatives: string[] }

function readDate(text: string, { profile, now }: FormContext): DateReading {
  const reading = readWhen(text, { now, zone: profile.zone, locale: profile.locale })
  if (reading.kind === 'moment') return { moment: reading }
  if (reading.kind === 'refusal') return { error: reading.message, alternatives: [] }
  return askWithAlternatives(
    reading.question,
    reading.choices.map(({ label }) => label),
  )
}

export const askWithAlternatives = (question: string, alternatives: string[]) => ({
  error: `${question} Try ${alternatives.map((text) => `"${text}"`).join(' or ')}.`,
  alternatives,
})

type SearchOptions = Pick<Field<string>, 'prefill'> & { belongsToProject?: boolean; updatesForm?: boolean }

/** A select menu whose options are searched as the user types. */
export const searchSelect = (
  label: string,
  search: (context: SearchContext) => Promise<Choice[]>,
  { belongsToProject = false, updatesForm = false, prefill }: SearchOptions = {},
): Field<string> =>
  defineField({
    label,
    search,
    belongsToProject,
    updatesForm: updatesForm || Boolean(prefill),
    prefill,
    element: (initial, action_id) => ({
      type: 'external_select',
      action_id,
      min_query_length: 0,
      ...(typeof initial === 'object' &&
        !Array.isArray(initial) && { initial_option: selectOption(initial) }),
    }),
    read: ({ selected_option: option }) => {
      if (option?.value === UNAVAILABLE_CHOICE.value)
        return { error: "Couldn't load this list. Open it again." }
      return option ? { values: [option.value] } : undefined
    },
  })

/** The only entry of a list that couldn't be loaded, so that the list doesn't seem empty. */
export const UNAVAILABLE_CHOICE: Choice = { value: '?', label: "Couldn't load this list. Open it again." }

export const filterChoices = (choices: Choice[], query: string): Choice[] =>
  choices
    .filter(
      (choice) =>
        choice === UNAVAILABLE_CHOICE ||
        `${choice.label} ${choice.value}`.toLowerCase().includes(query.trim().toLowerCase()),
    )
    .slice(0, MAX_OPTIONS)
