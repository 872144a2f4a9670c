import type { PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { isPlatform, PLATFORMS, type Platform, platformName } from '../../platforms/platform-names.ts'
import { describeMoment, momentToWords, toScheduleFields } from '../../time/describe.ts'
import { readWhen } from '../../time/read-when.ts'
import type { Moment } from '../../time/reading.ts'
import { plain } from '../reply.ts'
import { choiceOption } from './choice-option.ts'
import { type Choice, type Field, field, type Initial, type Look, type Scene } from './field.ts'

const firstOf = (initial: Initial): string | undefined =>
  Array.isArray(initial) ? initial[0] : typeof initial === 'object' ? initial.value : initial

type TextOptions = { most?: number; multiline?: boolean; hint?: string; placeholder?: string }

export const text = (
  label: string,
  { most = 3000, multiline = false, hint, placeholder }: TextOptions = {},
): Field<string> =>
  field({
    label,
    most,
    emptied: '',
    ...(hint && { hint }),
    element: (initial, action_id) => ({
      type: 'plain_text_input',
      action_id,
      multiline,
      max_length: most,
      ...(initial && { initial_value: firstOf(initial)?.slice(0, most) ?? '' }),
      ...(placeholder && { placeholder: plain(placeholder) }),
    }),
    take: ({ value }) => (value?.trim() ? { values: [value.trim()] } : undefined),
  })

export const email = (label: string): Field<string> =>
  field({
    label,
    // Plain text: so that what is wrong with it is told with all else that is wrong, and in our words.
    element: (initial, action_id) => ({
      type: 'plain_text_input',
      action_id,
      max_length: 254,
      ...(initial && { initial_value: firstOf(initial) ?? '' }),
    }),
    take: ({ value }) => {
      if (!value?.trim()) return undefined
      const { data, error } = z.email().safeParse(value.trim())
      return error
        ? { fault: 'This is no e-mail address. Write one like ada@example.com.' }
        : { values: [data] }
    },
  })

export const url = (label: string, hint: string): Field<string> =>
  field({
    label,
    hint,
    element: (initial, action_id) => ({
      type: 'plain_text_input',
      action_id,
      max_length: 2000,
      ...(initial && { initial_value: firstOf(initial) ?? '' }),
    }),
    take: ({ value }) => {
      if (!value?.trim()) return undefined
      const { data, error } = z.url({ protocol: /^https?$/ }).safeParse(value.trim())
      return error
        ? { fault: 'This is no address. Write one that begins with https://.' }
        : { values: [data] }
    },
  })

const optionOf = (value: string, label = value): PlainTextOption => ({ text: plain(label), value })

export const choice = (
  label: string,
  values: Record<string, string>,
  { dispatches = false } = {},
): Field<string> =>
  field({
    label,
    dispatches,
    element: (initial, action_id) => {
      const options = Object.entries(values).map(([value, name]) => optionOf(value, name))
      const chosen = options.find(({ value }) => value === firstOf(initial))
      return { type: 'static_select', action_id, options, ...(chosen && { initial_option: chosen }) }
    },
    take: ({ selected_option }) => (selected_option ? { values: [selected_option.value] } : undefined),
  })

/** Several of a few. */
export const choices = (label: string, values: Record<string, string>): Field<string[]> =>
  field({
    label,
    element: (initial, action_id) => {
      const options = Object.entries(values).map(([value, name]) => optionOf(value, name))
      const chosen = options.filter(({ value }) => Array.isArray(initial) && initial.includes(value ?? ''))
      return { type: 'checkboxes', action_id, options, ...(chosen.length > 0 && { initial_options: chosen }) }
    },
    take: ({ selected_options = [] }) =>
      selected_options.length ? { values: [selected_options.map(({ value }) => value)] } : undefined,
  })

export const channel = (label: string, hint: string): Field<string> =>
  field({
    label,
    hint,
    element: (initial, action_id) => ({
      type: 'conversations_select',
      action_id,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(initial && { initial_conversation: firstOf(initial) ?? '' }),
    }),
    take: ({ selected_conversation: chosen }) => (chosen ? { values: [chosen] } : undefined),
  })

export const platforms = (label: string): Field<Platform[]> =>
  field({
    label,
    dispatches: true,
    element: (initial, action_id) => {
      const options = PLATFORMS.map((platform) => optionOf(platform, platformName(platform)))
      const chosen = options.filter(({ value }) => Array.isArray(initial) && initial.includes(value ?? ''))
      return {
        type: 'multi_static_select',
        action_id,
        options,
        ...(chosen.length > 0 && { initial_options: chosen }),
      }
    },
    take: ({ selected_options = [] }) => {
      const chosen = selected_options.map(({ value }) => value).filter(isPlatform)
      return chosen.length ? { values: [chosen] } : undefined
    },
  })

/** A person's words for a moment; they stand for the date and for its zone. */
export const when = (label: string): Field<string> =>
  field({
    label,
    hint: 'In your own words: "tomorrow 9am", "friday 17:30 Berlin", "in 3 hours".',
    also: ['Timezone'],
    dispatches: true,
    element: (initial, action_id) => ({
      type: 'plain_text_input',
      action_id,
      max_length: 300,
      ...(initial && { initial_value: firstOf(initial)?.slice(0, 300) ?? '' }),
    }),
    note: ({ value }, scene) => {
      if (!value?.trim()) return undefined
      const read = readMoment(value, scene)
      if ('fault' in read) return { say: read.fault, instead: read.instead }
      const { at, zone, assumptions } = read.moment
      const say = [
        describeMoment({ at, zone, viewerZone: scene.person.zone, now: scene.now }),
        ...assumptions,
      ].join('; ')
      return { say, at: at.toJSDate() }
    },
    picker: {
      elements: ({ at }) => [
        { type: 'datetimepicker', ...(at && { initial_date_time: Math.floor(at.getTime() / 1000) }) },
      ],
      words: ({ selected_date_time: seconds }, { person }) =>
        seconds ? momentToWords(new Date(seconds * 1000), person.zone) : undefined,
    },
    take: ({ value }, scene) => {
      if (!value?.trim()) return undefined
      const read = readMoment(value, scene)
      if ('fault' in read) return { fault: read.fault }
      const { ScheduleDate, Timezone } = toScheduleFields(read.moment.at, read.moment.zone)
      return { values: [ScheduleDate, Timezone] }
    },
  })

type ReadMoment = { moment: Moment } | { fault: string; instead: string[] }

function readMoment(words: string, { person, now }: Scene): ReadMoment {
  const { zone, locale } = person
  const reading = readWhen(words, { now, zone, locale })
  if (reading.kind === 'moment') return { moment: reading }
  if (reading.kind === 'refusal') return { fault: reading.message, instead: [] }
  const instead = reading.choices.map((one) => one.label)
  const choices = instead.map((one) => `"${one}"`)
  return { fault: `${reading.question} Write it as ${choices.join(' or ')}.`, instead }
}

const MOST_OPTIONS = 100

type LookupOptions = { isOfProject?: boolean; dispatches?: boolean; fill?: Field<string>['fill'] }

/** Something of the project's, looked up as its name is typed. */
export const lookup = (
  label: string,
  options: (look: Look) => Promise<Choice[]>,
  { isOfProject = false, dispatches = false, fill }: LookupOptions = {},
): Field<string> =>
  field({
    label,
    options,
    isOfProject,
    dispatches: dispatches || Boolean(fill),
    ...(fill && { fill }),
    element: (initial, action_id) => ({
      type: 'external_select',
      action_id,
      min_query_length: 0,
      ...(typeof initial === 'object' &&
        !Array.isArray(initial) && { initial_option: choiceOption(initial) }),
    }),
    take: ({ selected_option: option }) => {
      if (option?.value === UNAVAILABLE.value)
        return { fault: 'The list could not be fetched. Open it again.' }
      return option ? { values: [option.value] } : undefined
    },
  })

/** In a list that could not be had: it is not empty. */
export const UNAVAILABLE: Choice = { value: '?', label: 'Could not be fetched: open this again' }

/** Those whose name has what was typed, as many as a list can hold. */
export const matching = (choices: Choice[], typed: string): Choice[] =>
  choices
    .filter(
      (one) =>
        one === UNAVAILABLE || `${one.label} ${one.value}`.toLowerCase().includes(typed.trim().toLowerCase()),
    )
    .slice(0, MOST_OPTIONS)
