import type { KnownBlock } from '@slack/types'
import { type Element, findElements } from './find-elements.ts'
import { getBareValue, type ViewState } from './state.ts'

/** Checks input blocks the way Slack does before it sends a form to the app. Returns messages by block_id. */
export function validateInputs(blocks: KnownBlock[], state: ViewState): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { block_id, element, input } of findElements(blocks)) {
    const entry = state.values[block_id]?.[element.action_id]
    if (!input || !entry) continue
    const value = getBareValue(entry)
    const isEmpty = value === null || value === '' || (Array.isArray(value) && !value.length)
    const message = isEmpty
      ? !input.optional && 'Please complete this required field.'
      : checkValue(element, value)
    if (message) messages[block_id] = message
  }
  return messages
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

const MAX_FILE_BYTES = 10 * 1024 * 1024

type CheckInput = (value: unknown, limits: Limits) => string | undefined

const checkLength: CheckInput = (value, { min_length = 0, max_length = 3000 }) => {
  const length = [...String(value)].length
  if (length < min_length) return `Please enter at least ${min_length} characters.`
  if (length > max_length) return `Please enter no more than ${max_length} characters.`
  return undefined
}

const checkNumber: CheckInput = (value, { min_value, max_value, is_decimal_allowed }) => {
  const number = Number(value)
  if (!/^-?\d*\.?\d+$/.test(String(value))) return 'Please enter a valid number.'
  if (!is_decimal_allowed && !Number.isInteger(number)) return 'Please enter a whole number.'
  if (min_value !== undefined && number < Number(min_value)) return `Please enter ${min_value} or more.`
  if (max_value !== undefined && number > Number(max_value)) return `Please enter ${max_value} or less.`
  return undefined
}

const checkEmail: CheckInput = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value)) ? undefined : 'Please enter a valid email address.'

const checkUrl: CheckInput = (value) =>
  /^https?:\/\/[^\s.]+\S*$/i.test(String(value)) ? undefined : 'Please enter a valid URL.'

const checkItemCount: CheckInput = (value, { max_selected_items }) =>
  max_selected_items && (value as unknown[]).length > max_selected_items
    ? `Please choose no more than ${max_selected_items}.`
    : undefined

const checkFiles: CheckInput = (value, { max_files = 10, filetypes }) => {
  const selectedFiles = value as { name: string; size: number }[]
  const largeFile = selectedFiles.find(({ size }) => size > MAX_FILE_BYTES)
  if (largeFile) return `"${largeFile.name}" is larger than 10 MB.`
  if (selectedFiles.length > max_files) return `Please choose no more than ${max_files} files.`
  const wrongFile = selectedFiles.find(
    ({ name }) => filetypes && !filetypes.includes(name.split('.').pop()?.toLowerCase() ?? ''),
  )
  return wrongFile && `"${wrongFile.name}" isn't one of these file types: ${filetypes?.join(', ')}.`
}

const CHECKS: Record<string, CheckInput> = {
  plain_text_input: checkLength,
  number_input: checkNumber,
  email_text_input: checkEmail,
  url_text_input: checkUrl,
  multi_static_select: checkItemCount,
  multi_external_select: checkItemCount,
  multi_users_select: checkItemCount,
  multi_conversations_select: checkItemCount,
  multi_channels_select: checkItemCount,
  file_input: checkFiles,
}

// The block validator has already checked the types of these limits.
const checkValue = (element: Element, value: unknown) => CHECKS[element.type]?.(value, element as Limits)
