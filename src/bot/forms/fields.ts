import type { PlainTextInput } from '@slack/types'
import { z } from 'zod'
import { hasVisibleText } from '../../platforms/has-visible-text.ts'
import { PLATFORMS, type Platform, platformName } from '../../platforms/platform-names.ts'
import { describeMoment, momentToLastingWords, momentToWords, toScheduleFields } from '../../time/describe.ts'
import { readNewTime } from '../../time/read-new-time.ts'
import { NOW_LEAD_MS, type ReadingContext, type Refusal } from '../../time/reading.ts'
import { ownZoneAssumption } from '../../time/resolve-point.ts'
import { isChannelId } from '../slack/actor.ts'
import type { Search } from '../slack/feature.ts'
import { type Choice, searchMenu, toMenuOption, truncate } from '../slack/message-blocks.ts'
import { readSlackFile, type SlackFile } from '../slack/slack-file.ts'
import { readTypedText } from '../slack/slack-text.ts'
import type { Field, FieldNote, FieldReading, Picker } from './field.ts'
import type { FormValue } from './form-value.ts'

/** Returns the value as text, or the first of several values. */
export const firstValue = (initial: FormValue): string | undefined =>
  Array.isArray(initial) ? initial[0] : typeof initial === 'object' ? initial.value : initial

export const MAX_TEXT_LENGTH = 3000

type TextOptions = Pick<Field<string>, 'updatesForm'> & {
  maxLength?: number
  multiline?: boolean
  hint?: string
}

export const textField = (label: string, options: TextOptions = {}): Field<string> => {
  const { maxLength = MAX_TEXT_LENGTH, multiline = false, ...others } = options
  return {
    label,
    maxLength,
    ...others,
    clearedValue: '',
    element(initial, action_id): PlainTextInput {
      const text = truncate(firstValue(initial) ?? '', maxLength, '')
      const input = { type: 'plain_text_input' as const, action_id, multiline, max_length: maxLength }
      return text ? { ...input, initial_value: text } : input
    },
    read: ({ value }) =>
      value && hasVisibleText(value) ? { values: [readTypedText(value.trim())] } : undefined,
  }
}

/**
 * A text input that the bot checks. Slack's own email and link inputs would show their error first and alone, without the
 * errors of other fields.
 */
function checkedTextField(field: Field<string>, schema: z.ZodType<string>, error: string): Field<string> {
  const read: Field<string>['read'] = ({ value }) => {
    if (!value?.trim()) return undefined
    const { data, success } = schema.safeParse(value.trim())
    return success ? { values: [data] } : { error }
  }
  return { ...field, read }
}

export const emailField = (label: string): Field<string> =>
  checkedTextField(
    textField(label, { maxLength: 254 }),
    z.email(),
    'Enter a valid email address, such as ada@example.com.',
  )

export const linkField = (label: string, hint: string): Field<string> =>
  checkedTextField(
    textField(label, { maxLength: 2048, hint }),
    z.url({ protocol: /^https?$/ }),
    'Enter a valid link that starts with https://.',
  )

type Labels = Record<string, string>

const toOptions = (labels: Labels) =>
  Object.entries(labels).map(([value, label]) => toMenuOption({ value, label }))

export const selectField = (label: string, labels: Labels, { updatesForm = false } = {}): Field<string> => ({
  label,
  labels,
  updatesForm,
  element: (initial, action_id, unavailable = []) => {
    const options = toOptions(labels).filter(({ value = '' }) => !unavailable.includes(value))
    const chosen = options.find(({ value }) => value === firstValue(initial))
    return { type: 'static_select', action_id, options, ...(chosen && { initial_option: chosen }) }
  },
  read: ({ selected_option }) => (selected_option ? { values: [selected_option.value] } : undefined),
})

function multipleChoiceField<Value extends string>(
  type: 'checkboxes' | 'multi_static_select',
  label: string,
  labels: Record<Value, string>,
): Field<Value[]> {
  return {
    label,
    labels,
    element: (initial, action_id) => {
      const options = toOptions(labels)
      const chosen = options.filter(({ value = '' }) => Array.isArray(initial) && initial.includes(value))
      return { type, action_id, options, ...(chosen.length > 0 && { initial_options: chosen }) }
    },
    read: ({ selected_options = [] }) => {
      const isValue = (value: string): value is Value => Object.hasOwn(labels, value)
      const values = selected_options.map(({ value }) => value).filter(isValue)
      return values.length ? { values: [values] } : undefined
    },
  }
}

export const checkboxesField = <Value extends string>(label: string, labels: Record<Value, string>) =>
  multipleChoiceField('checkboxes', label, labels)

// TypeScript loses the type of the keys.
const PLATFORM_LABELS = Object.fromEntries(
  PLATFORMS.map((platform) => [platform, platformName(platform)]),
) as Record<Platform, string>

export const platformsField = (label: string): Field<Platform[]> => ({
  ...multipleChoiceField('multi_static_select', label, PLATFORM_LABELS),
  updatesForm: true,
})

export const channelField = (label: string): Field<string> => ({
  label,
  hint: 'Upnext must be in the channel. To add it, type "/invite @Upnext" there.',
  element: (initial, action_id) => ({
    type: 'conversations_select',
    action_id,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(initial && { initial_conversation: firstValue(initial) ?? '' }),
  }),
  // Slack offers only channels, but a request can be forged, and a person's id would address their direct messages.
  read: ({ selected_conversation: channel }) => {
    if (!channel) return undefined
    return isChannelId(channel) ? { values: [channel] } : { error: 'Pick a channel.' }
  },
})

const MAX_USERS = 20

export const usersField = (label: string, hint: string): Field<string[]> => ({
  label,
  hint,
  element: (initial, action_id) => ({
    type: 'multi_users_select',
    action_id,
    max_selected_items: MAX_USERS,
    ...(Array.isArray(initial) && initial.length > 0 && { initial_users: initial }),
  }),
  read: ({ selected_users, selected_options = [] }) => {
    const users = selected_users ?? selected_options.map(({ value }) => value)
    return users.length ? { values: [users] } : undefined
  },
})

/** An input for one file. Slack can't prefill it. */
export const fileField = (
  label: string,
  { hint, filetypes }: { hint: string; filetypes: string[] },
): Field<SlackFile> => ({
  label,
  hint,
  element: (_initial, action_id) => ({ type: 'file_input', action_id, filetypes, max_files: 1 }),
  read: ({ files }) => {
    const file = readSlackFile(files?.[0])
    return file && { values: [file] }
  },
})

/** The error to show for words without one clear meaning, and words to offer instead. */
type UnclearWords = { error: string; alternatives: string[] }

export function toUnclearWords(
  reading: Refusal | { question: string; choices: { label: string }[] },
): UnclearWords {
  if ('message' in reading) return { error: reading.message, alternatives: [] }
  const alternatives = reading.choices.map(({ label }) => label)
  const suggestions = alternatives.map((text) => `"${text}"`).join(' or ')
  return { error: `${reading.question} Try ${suggestions}.`, alternatives }
}

type WordsOptions<Reading extends object> = {
  hint: string
  readWords: (text: string, context: ReadingContext) => Reading | UnclearWords
  describe: (reading: Reading, context: ReadingContext) => FieldNote
  toValues: (reading: Reading, text: string) => [string, ...string[]]
  isNow?: (reading: Reading) => boolean
  picker: Picker
}

const MAX_WORDS_LENGTH = 300

/** An input in plain words, with a note on how the bot reads it and a picker as an alternative. */
export function wordsField<Reading extends object>(
  label: string,
  { hint, readWords, describe, toValues, isNow, picker }: WordsOptions<Reading>,
): Field<string> {
  return {
    ...textField(label, { hint, maxLength: MAX_WORDS_LENGTH, updatesForm: true }),
    picker,
    read: ({ value }, context): FieldReading<string> | undefined => {
      const text = value?.trim()
      if (!text) return undefined
      const reading = readWords(text, context)
      if ('error' in reading) {
        const { error, alternatives } = reading
        return { error, note: { message: error, alternatives } }
      }
      const values = toValues(reading, text)
      const shown = { text, values, ...(isNow?.(reading) && { isNow: true }) }
      return { values, note: { ...describe(reading, context), shown } }
    },
  }
}

/** A date in plain words. It sets ScheduleDate and Timezone. */
export const dateField = (label: string, hint: string): Field<string> => ({
  ...wordsField(label, {
    hint,
    readWords: (text, context) => {
      const reading = readNewTime(text, context)
      if (reading.kind !== 'moment') return toUnclearWords(reading)
      // Services accept only times in the future.
      return reading.isNow ? { ...reading, at: reading.at.plus(NOW_LEAD_MS) } : reading
    },
    describe: ({ at, zone, assumptions }, { zone: viewerZone, now, post }) => {
      const moment = describeMoment({ at, zone, viewerZone, now })
      const isMoved = post && +post.at !== at.toMillis()
      const message = isMoved ? `Moves from ${momentToWords(post.at, post.zone)} to ${moment}` : moment
      // The description of the moment already names the time zone, so the assumption about the zone is left out.
      const others = assumptions.filter((assumption) => assumption !== ownZoneAssumption(viewerZone))
      return { message: [message, ...others].join('; '), at: at.toJSDate() }
    },
    toValues: ({ at, zone }) => {
      const { ScheduleDate, Timezone } = toScheduleFields(at, zone)
      return [ScheduleDate, Timezone]
    },
    isNow: ({ isNow = false }) => isNow,
    picker: {
      elements: ({ at }) => [
        { type: 'datetimepicker', ...(at && { initial_date_time: Math.floor(at.getTime() / 1000) }) },
      ],
      toText: ({ selected_date_time: seconds }, { zone }) =>
        seconds ? momentToWords(new Date(seconds * 1000), zone) : undefined,
    },
  }),
  alsoSets: ['Timezone'],
  toLastingWords: ([ScheduleDate = '', Timezone = '']) =>
    momentToLastingWords(new Date(ScheduleDate), Timezone),
})

export const searchSelectField = (
  label: string,
  search: Search,
  options: Pick<Field<string>, 'belongsToProject' | 'updatesForm' | 'prefill'> = {},
): Field<string> => ({
  label,
  search,
  ...options,
  element: (initial, action_id) =>
    searchMenu(action_id, typeof initial === 'object' && !Array.isArray(initial) ? initial : undefined),
  read: ({ selected_option: option }) => {
    if (option?.value === LOAD_FAILED_CHOICE.value) return { error: LOAD_FAILED_CHOICE.label }
    return option ? { values: [option.value] } : undefined
  },
})

/** The only entry of a menu that couldn't load its list, so that the list doesn't seem empty. Choosing it changes nothing. */
export const LOAD_FAILED_CHOICE: Choice = { value: '?', label: "Couldn't load this list. Open it again." }

/** Filters listed choices by a part of their label or value. */
export const searchAmong =
  (listChoices: Search): Search =>
  async (context) => {
    const query = context.query.trim().toLowerCase()
    const isMatch = ({ label, value }: Choice) => `${label} ${value}`.toLowerCase().includes(query)
    const choices = await listChoices(context)
    return choices.filter((choice) => choice === LOAD_FAILED_CHOICE || isMatch(choice))
  }
