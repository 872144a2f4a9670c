import { describe } from 'vitest'
import {
  accessibilityLabel,
  button,
  choiceFields,
  confirm,
  id,
  image,
  selectFields,
  style,
} from './composition-objects.ts'
import {
  anything,
  conditional,
  examples,
  type Fields,
  integer,
  list,
  object,
  oneOf,
  optional,
  plain,
  required,
  string,
  testFields,
  typed,
  url,
} from './fields.ts'
import { elements, slackFileImage, type UnknownObject } from './samples.ts'
import { inActions, inContext, inContextActions, inSection, type Position } from './validate.ts'

// The fields of each button, picker and image with their limits, as Slack's pages have them.
// https://docs.slack.dev/reference/block-kit/block-elements

const feedback = object({
  text: required(plain(75)),
  value: required(string(2000)),
  accessibility_label: accessibilityLabel,
})

const table: [what: string, part: UnknownObject, place: Position, fields: Fields][] = [
  ['a button', elements.button, inActions, button],
  [
    'a datepicker',
    elements.datepicker,
    inSection,
    {
      ...selectFields,
      initial_date: optional(
        examples({
          good: ['2026-11-27', '2028-02-29'],
          bad: ['27.11.2026', 'tomorrow', ''],
          message: 'input must be a valid: date',
        }),
      ),
    },
  ],
  [
    'a timepicker',
    elements.timepicker,
    inSection,
    {
      ...selectFields,
      initial_time: optional(
        examples({
          good: ['00:00', '09:30', '10:05', '19:00', '20:00', '23:59'],
          bad: ['24:00', '9:30 am', '09:60', ''],
        }),
      ),
      timezone: optional(string()),
    },
  ],
  [
    'a datetimepicker',
    elements.datetimepicker,
    inActions,
    { ...choiceFields, initial_date_time: optional(integer({ min: 1_000_000_000, max: 9_999_999_999 })) },
  ],
  [
    'a workflow button',
    elements.workflow_button,
    inActions,
    {
      action_id: required(string(255)),
      text: required(plain(75)),
      workflow: required(
        object({
          trigger: required(
            object({
              url: required(url(3000)),
              customizable_input_parameters: optional(
                list({ item: object({ name: required(string()), value: required(anything) }) }),
              ),
            }),
          ),
        }),
      ),
      style: optional(style),
      confirm: optional(confirm),
      accessibility_label: accessibilityLabel,
    },
  ],
  [
    'feedback buttons',
    elements.feedback_buttons,
    inContextActions,
    { action_id: id, positive_button: required(feedback), negative_button: required(feedback) },
  ],
  [
    'an icon button',
    elements.icon_button,
    inContextActions,
    {
      action_id: id,
      icon: required(oneOf('trash')),
      text: required(plain(75)),
      value: optional(string(2000)),
      confirm: optional(confirm),
      accessibility_label: accessibilityLabel,
      visible_to_user_ids: optional(list({ item: string() })),
    },
  ],
  ['an image', elements.image, inContext, image],
  [
    'an image that is a file in Slack',
    slackFileImage,
    inContext,
    {
      alt_text: required(string(2000)),
      slack_file: conditional(
        object({
          id: conditional(
            examples({
              good: ['F01234567', 'F0ABCDEFGHIJ'],
              bad: ['F0123456', 'f01234567', 'C01234567', ''],
              message: 'input must match regex pattern: ^[F][A-Z0-9]{8,}$',
            }),
          ),
        }),
      ),
    },
  ],
]

describe.each(table)('%s', (_what, part, place, fields) => {
  testFields(part, typed(fields)(part), place)
})
