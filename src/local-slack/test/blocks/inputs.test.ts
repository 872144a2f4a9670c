import { describe, expect, it } from 'vitest'
import { dispatchActionConfig, id, richTextKind } from './composition-objects.ts'
import {
  examples,
  type Fields,
  flag,
  integer,
  list,
  optional,
  plain,
  required,
  string,
  testFields,
  typed,
} from './fields.ts'
import { elements, input, type UnknownObject } from './samples.ts'
import { inInput, invalid, messageAt, type Position, VALID, validate } from './validate.ts'

// The fields of each input with their limits, as Slack's pages have them.
// https://docs.slack.dev/reference/block-kit/block-elements

const typing: Fields = {
  action_id: id,
  dispatch_action_config: optional(dispatchActionConfig),
  focus_on_load: optional(flag),
  placeholder: optional(plain(150)),
}
/** Slack wants numbers as texts. */
const decimal = (...good: string[]) => optional(examples({ good, bad: ['five', '', '1,5'] }))

const table: [what: string, part: UnknownObject, place: Position, fields: Fields][] = [
  [
    'a plain-text input',
    elements.plain_text_input,
    inInput,
    {
      ...typing,
      initial_value: optional(string(3000)),
      multiline: optional(flag),
      min_length: optional(integer({ min: 0, max: 3000 })),
      max_length: optional(integer({ min: 1, max: 3000 })),
    },
  ],
  ['an email input', elements.email_text_input, inInput, { ...typing, initial_value: optional(string()) }],
  ['a URL input', elements.url_text_input, inInput, { ...typing, initial_value: optional(string()) }],
  [
    'a number input',
    elements.number_input,
    inInput,
    {
      ...typing,
      is_decimal_allowed: required(flag),
      initial_value: decimal('7', '1.5'),
      min_value: decimal('-3', '0.5'),
      max_value: decimal('12', '99.5'),
    },
  ],
  [
    'a rich text input',
    elements.rich_text_input,
    inInput,
    {
      ...typing,
      initial_value: optional(richTextKind),
      min_lines: optional(integer({ min: 1, max: 100 })),
      max_lines: optional(integer({ min: 1, max: 100 })),
    },
  ],
  [
    'a file input',
    elements.file_input,
    inInput,
    {
      action_id: id,
      filetypes: optional(list({ item: string(undefined, { min: 1 }) })),
      max_files: optional(integer({ min: 1, max: 10 })),
    },
  ],
]

describe.each(table)('%s', (_what, part, place, fields) => {
  testFields(part, typed(fields)(part), place)
})

describe('dispatch_action_config', () => {
  const configured = (dispatch_action_config: object) => [
    input({ type: 'plain_text_input', dispatch_action_config }),
  ]
  const at = '/view/blocks/0/element/dispatch_action_config/trigger_actions_on'

  it('accepts an empty dispatch_action_config', () => {
    expect(validate('modal', configured({}))).toEqual(VALID)
  })

  it('rejects duplicate triggers', () => {
    const trigger_actions_on = ['on_enter_pressed', 'on_enter_pressed']
    expect(validate('modal', configured({ trigger_actions_on }))).toEqual(
      invalid('modal', [messageAt('Input contains duplicate items', at)]),
    )
  })
})
