import type { PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { toSchedule } from '../../time/describe.ts'
import { readWhen } from '../../time/when.ts'
import { isPlatform, PLATFORMS, type Platform, platformName } from '../platform-words.ts'
import { type Field, field } from './field.ts'

const plain = (text: string) => ({ type: 'plain_text' as const, text })

/** One action for every input: blocks tell them apart. */
const action_id = 'value'

const firstOf = (initial: string | string[] | undefined) => (Array.isArray(initial) ? initial[0] : initial)

type TextOptions = { most?: number; multiline?: boolean; hint?: string; placeholder?: string }

export const text = (
  label: string,
  { most = 3000, multiline = false, hint, placeholder }: TextOptions = {},
): Field<string> =>
  field({
    label,
    ...(hint && { hint }),
    element: (initial) => ({
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
    element: (initial) => ({
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
    element: (initial) => ({
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

export const choice = (label: string, values: Record<string, string>): Field<string> =>
  field({
    label,
    element: (initial) => {
      const options = Object.entries(values).map(([value, name]) => optionOf(value, name))
      const chosen = options.find(({ value }) => value === firstOf(initial))
      return { type: 'static_select', action_id, options, ...(chosen && { initial_option: chosen }) }
    },
    take: ({ selected_option }) => (selected_option ? { values: [selected_option.value] } : undefined),
  })

export const platforms = (label: string): Field<Platform[]> =>
  field({
    label,
    element: (initial) => {
      const options = PLATFORMS.map((platform) => optionOf(platform, platformName(platform)))
      const chosen = options.filter(({ value }) => initial?.includes(value ?? ''))
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
    element: (initial) => ({
      type: 'plain_text_input',
      action_id,
      max_length: 300,
      ...(initial && { initial_value: firstOf(initial) ?? '' }),
    }),
    take: ({ value }, { person, now }) => {
      if (!value?.trim()) return undefined
      const { zone, locale } = person
      const reading = readWhen(value, { now, zone, locale })
      if (reading.kind === 'refusal') return { fault: reading.say }
      if (reading.kind === 'question') {
        const choices = reading.choices.map((one) => `"${one.label}"`)
        return { fault: `${reading.ask} Write it as ${choices.join(' or ')}.` }
      }
      const { ScheduleDate, Timezone } = toSchedule(reading.at, reading.zone)
      return { values: [ScheduleDate, Timezone] }
    },
  })
