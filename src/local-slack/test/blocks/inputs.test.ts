import { describe, expect, it } from 'vitest'
import { dispatchActionConfig, id, richTextKind } from './composed.ts'
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
  tryEach,
  typed,
} from './fields.ts'
import { inInput, type Place } from './places.ts'
import { elements, input, type Part } from './samples.ts'
import { judged, passed, refused, said } from './validate.ts'

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

const table: [what: string, part: Part, place: Place, fields: Fields][] = [
  [
    'a plain-text input',
    elements.plain_text_input,
    inInput,
    {
      ...typing,
      initial_value: optional(string(3000)),
      multiline: optional(flag),
      min_length: optional(integer({ least: 0, most: 3000 })),
      max_length: optional(integer({ least: 1, most: 3000 })),
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
      min_lines: optional(integer({ least: 1, most: 100 })),
      max_lines: optional(integer({ least: 1, most: 100 })),
    },
  ],
  [
    'a file input',
    elements.file_input,
    inInput,
    {
      action_id: id,
      filetypes: optional(list({ item: string(undefined, { least: 1 }) })),
      max_files: optional(integer({ least: 1, most: 10 })),
    },
  ],
]

describe.each(table)('%s', (_what, part, place, fields) => {
  tryEach(part, typed(fields)(part), place)
})

describe('a configuration of dispatches', () => {
  const configured = (dispatch_action_config: object) => [
    input({ type: 'plain_text_input', dispatch_action_config }),
  ]
  const at = '/view/blocks/0/element/dispatch_action_config/trigger_actions_on'

  it('may be empty', () => {
    expect(judged('modal', configured({}))).toEqual(passed)
  })

  it('names a thing once', () => {
    const trigger_actions_on = ['on_enter_pressed', 'on_enter_pressed']
    expect(judged('modal', configured({ trigger_actions_on }))).toEqual(
      refused('modal', [said('Input contains duplicate items', at)]),
    )
  })
})
