import { placeErrors } from '../forms/field-messages.ts'
import type { Form } from '../forms/form.ts'
import type { FormValue, FormValues } from '../forms/form-value.ts'
import { explainFailure } from '../slack/errors.ts'
import {
  type Button,
  buttonRow,
  context,
  escapeText,
  type Reply,
  section,
  truncate,
} from '../slack/message-blocks.ts'
import type { UserProfile } from '../slack/profile.ts'
import { MAX_AGE_WORDS } from './retry-limits.ts'
import { isDone, type OutboxItem } from './tables.ts'

/** The state of an item, its errors, the user's input, and buttons for the next steps. */
export function describeItem(form: Form, item: OutboxItem, profile: UserProfile): Reply {
  const text = `*${form.title}* in ${escapeText(item.project_name)}: ${describeState(item, profile)}`
  const { errors, unplaced } = itemErrors(form, item)
  const fieldErrors = Object.keys(errors).map(
    (name) => `${form.fields[name]?.label ?? name}: ${errors[name]}`,
  )
  const lines = [...fieldErrors, ...unplaced].map((line) => `\n• ${escapeText(line)}`)
  const blocks = [section(text + lines.join('')), context(summarizeInput(form, item))]
  return { text, blocks: [...blocks, ...buttonRow(...itemButtons(item))] }
}

/** The errors in an item's failure, placed under the form's fields. */
export const itemErrors = (form: Form, { failure }: OutboxItem) =>
  placeErrors(form, failure && 'details' in failure ? failure.details : [])

function describeState(item: OutboxItem, profile: UserProfile): string {
  const { state, needs_answer, failure, form_values, record } = item
  const { problem, advice = '' } =
    failure && failure.kind !== 'unsendable' ? explainFailure(failure, profile.role) : { problem: '' }
  if (needs_answer) {
    const check = form_values
      ? 'Look for it in the scheduling service, then choose below.'
      : 'Look for it in the scheduling service.'
    const candidate =
      typeof record?.found === 'string' ? escapeText(truncate(record.found, MAX_SUMMARY_VALUE_LENGTH)) : ''
    const uncertainty = candidate
      ? `Upnext found a possible match: "${candidate}".`
      : "Upnext can't check whether it arrived."
    if (failure?.kind === 'unsendable')
      return `:question: It may have been sent already, so Upnext hasn't sent it again. ${check}`
    return `:question: It was sent, but there was no clear response. ${uncertainty} ${check}`
  }
  switch (state) {
    case 'sent':
      return ':white_check_mark: Done.'
    case 'refused':
      // The failure is erased together with the input. If there is input but no failure, the user lost permission.
      if (!failure)
        return form_values
          ? ":warning: You no longer have permission to do this, so it wasn't sent."
          : ':warning: The scheduling service rejected it. Its response is no longer stored.'
      if (failure.kind === 'unsendable') return ":warning: It couldn't be sent."
      return `:warning: ${failure.kind === 'invalid' ? problem : `${problem} ${advice}`.trim()}`
    case 'expired':
      return `:warning: Upnext tried to send it for ${MAX_AGE_WORDS}, then gave up. ${problem}`
    case 'missed': {
      const reason = failure?.kind === 'unsendable' ? "It wasn't sent." : "It couldn't be sent in time."
      return [`:warning: ${reason}`, problem, 'Pick a new time, or discard it.'].filter(Boolean).join(' ')
    }
    case 'uploading':
      return ':hourglass: Uploading the file.'
    case 'held':
      return ':hourglass: Held in Upnext.'
    case 'queued':
      return `:hourglass: Waiting to be sent. ${problem}`
    case 'unconfirmed':
      return `:hourglass: Sent. Checking whether it arrived… ${problem}`
  }
}

function itemButtons(item: OutboxItem): Button[] {
  const { id, state, needs_answer, form_values } = item
  if (isDone(item) || (state === 'unconfirmed' && !needs_answer)) return []
  const settleButton = needs_answer
    ? { action_id: 'outbox:confirm', label: "It's there", value: id }
    : { action_id: 'outbox:discard', label: 'Discard', value: id }
  // If the user's input has been erased, the item can't be sent again.
  if (!form_values) return [settleButton]
  if (state === 'uploading') return [settleButton]
  // A missed item's date is in the past, so the item can't be sent unchanged.
  if (state === 'missed')
    return [{ action_id: 'outbox:edit', label: 'Pick a new time', value: id }, settleButton]
  return [
    { action_id: 'outbox:retry', label: needs_answer ? 'Not there, send it' : 'Try again', value: id },
    { action_id: 'outbox:edit', label: 'Edit', value: id },
    settleButton,
  ]
}

const MAX_SUMMARY_VALUE_LENGTH = 200
const MAX_SUMMARY_LENGTH = 600

/** The submitted values. Words such as "tomorrow" are replaced by the date that they meant on submission. */
export const submittedValues = (
  { fixedValues }: Form,
  { form_values, body }: OutboxItem,
): FormValues | null => form_values && { ...form_values, ...(body && fixedValues?.(body)) }

export function summarizeInput(form: Form, item: OutboxItem): string {
  const { slack_file } = item
  const values = submittedValues(form, item)
  const lines = Object.entries(form.fields).flatMap(([name, { label, labels }]) => {
    const text = formatValue(values?.[name], labels)
    return text
      ? [`*${label}*: ${escapeText(truncate(text, MAX_SUMMARY_VALUE_LENGTH).replaceAll('\n', ' '))}`]
      : []
  })
  if (slack_file) lines.push(`*File*: ${escapeText(truncate(slack_file.name, MAX_SUMMARY_VALUE_LENGTH))}`)
  return truncate(lines.join('\n'), MAX_SUMMARY_LENGTH) || '(What you entered is no longer stored.)'
}

function formatValue(value: FormValue, labels: Record<string, string> = {}): string | undefined {
  if (Array.isArray(value)) return value.map((one) => labels[one] ?? one).join(', ')
  return typeof value === 'object' ? value.label : value && (labels[value] ?? value)
}
