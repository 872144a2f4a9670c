import type { KnownBlock } from '@slack/types'
import { type Element, elementsIn } from './elements-in.ts'
import { heldBy, type ViewState } from './state.ts'

/** What Slack itself says under an input, before it bothers the app with the form. By block. */
export function inputFaults(blocks: KnownBlock[], state: ViewState): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const { block_id, element, input } of elementsIn(blocks)) {
    const value = state.values[block_id]?.[element.action_id]
    if (!input || !value) continue
    const held = heldBy(value)
    const empty = held === null || held === '' || (Array.isArray(held) && !held.length)
    const fault = empty ? !input.optional && 'Please complete this required field.' : faultIn(element, held)
    if (fault) faults[block_id] = fault
  }
  return faults
}

type Limits = {
  min_length?: number
  max_length?: number
  min_value?: string
  max_value?: string
  is_decimal_allowed?: boolean
  max_selected_items?: number
  max_files?: number
  filetypes?: string[]
}

const LARGEST_FILE = 10 * 1024 * 1024

type Rule = (held: unknown, limits: Limits) => string | undefined

const length: Rule = (held, { min_length = 0, max_length = 3000 }) => {
  const long = [...String(held)].length
  if (long < min_length) return `Please enter at least ${min_length} characters.`
  if (long > max_length) return `Please enter no more than ${max_length} characters.`
  return undefined
}

const number: Rule = (held, { min_value, max_value, is_decimal_allowed }) => {
  const value = Number(held)
  if (!/^-?\d*\.?\d+$/.test(String(held))) return 'Please enter a valid number.'
  if (!is_decimal_allowed && !Number.isInteger(value)) return 'Please enter a whole number.'
  if (min_value !== undefined && value < Number(min_value)) return `Please enter ${min_value} or more.`
  if (max_value !== undefined && value > Number(max_value)) return `Please enter ${max_value} or less.`
  return undefined
}

const email: Rule = (held) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(held)) ? undefined : 'Please enter a valid email address.'

const url: Rule = (held) =>
  /^https?:\/\/[^\s.]+\S*$/i.test(String(held)) ? undefined : 'Please enter a valid URL.'

const items: Rule = (held, { max_selected_items }) =>
  max_selected_items && (held as unknown[]).length > max_selected_items
    ? `Please choose no more than ${max_selected_items}.`
    : undefined

const files: Rule = (held, { max_files = 10, filetypes }) => {
  const given = held as { name: string; size: number }[]
  const large = given.find(({ size }) => size > LARGEST_FILE)
  if (large) return `"${large.name}" is larger than 10 MB.`
  if (given.length > max_files) return `Please choose no more than ${max_files} files.`
  const wrong = given.find(
    ({ name }) => filetypes && !filetypes.includes(name.split('.').pop()?.toLowerCase() ?? ''),
  )
  return wrong && `"${wrong.name}" is none of these: ${filetypes?.join(', ')}.`
}

const RULES: Record<string, Rule> = {
  plain_text_input: length,
  number_input: number,
  email_text_input: email,
  url_text_input: url,
  multi_static_select: items,
  multi_external_select: items,
  multi_users_select: items,
  multi_conversations_select: items,
  multi_channels_select: items,
  file_input: files,
}

// The judge has let the element pass: its limits are of these types.
const faultIn = (element: Element, held: unknown) => RULES[element.type]?.(held, element as Limits)
