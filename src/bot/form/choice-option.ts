import type { PlainTextOption } from '@slack/types'
import type { Choice } from './field.ts'

/** Slack shows 75 characters of a name, and takes an id of 150. */
export const choiceOption = ({ value, label }: Choice): PlainTextOption => ({
  text: { type: 'plain_text', text: label.slice(0, 75) || '(no name)' },
  value: value.slice(0, 150),
})
