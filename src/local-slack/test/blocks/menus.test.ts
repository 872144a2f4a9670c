import { describe, expect, it } from 'vitest'
import {
  anyOption,
  choiceFields,
  confirm,
  conversationFilter,
  id,
  linkOptionKind,
  optionGroups,
  options,
  plainOption,
  selectFields,
} from './composition-objects.ts'
import {
  conditional,
  type Field,
  type Fields,
  flag,
  integer,
  invalidOnly,
  list,
  optional,
  required,
  string,
  testFields,
  typed,
} from './fields.ts'
import {
  createMany,
  elements,
  linkOption,
  option,
  optionGroup,
  plain as plainText,
  section,
  type UnknownObject,
} from './samples.ts'
import {
  inActions,
  inInput,
  inSection,
  invalid,
  messageAt,
  type Position,
  VALID,
  validate,
} from './validate.ts'

// The fields of each menu and list of choices with their limits, as Slack's pages have them.
// https://docs.slack.dev/reference/block-kit/block-elements

const several: Fields = { ...selectFields, max_selected_items: optional(integer({ min: 1 })) }
const here: Fields = {
  default_to_current_conversation: optional(flag),
  filter: optional(conversationFilter),
}
const someone: Field = optional(string())
const some = optional(list({ item: string() }))
const initial_option = optional(invalidOnly(plainOption))
const initial_options = optional(list({ item: invalidOnly(plainOption) }))

const grouped = (type: 'static_select' | 'multi_static_select'): UnknownObject => {
  const { options: _, ...rest } = elements[type]
  return { ...rest, option_groups: [optionGroup(1), optionGroup(2)] }
}

const table: [what: string, part: UnknownObject, place: Position, fields: Fields][] = [
  [
    'an overflow menu',
    elements.overflow,
    inActions,
    {
      action_id: id,
      options: required(options(5, linkOptionKind, linkOption)),
      confirm: optional(confirm),
    },
  ],
  [
    'checkboxes',
    elements.checkboxes,
    inSection,
    {
      ...choiceFields,
      options: required(options(10, anyOption)),
      initial_options: optional(list({ item: invalidOnly(anyOption) })),
    },
  ],
  [
    'radio buttons',
    elements.radio_buttons,
    inSection,
    {
      ...choiceFields,
      options: required(options(10, anyOption)),
      initial_option: optional(invalidOnly(anyOption)),
    },
  ],
  [
    'a select menu',
    elements.static_select,
    inSection,
    { ...selectFields, options: conditional(options(100)), initial_option },
  ],
  [
    'a select menu of groups',
    grouped('static_select'),
    inSection,
    { ...selectFields, option_groups: conditional(optionGroups), initial_option },
  ],
  [
    'a select menu that asks the app',
    elements.external_select,
    inSection,
    { ...selectFields, initial_option, min_query_length: optional(integer({ min: 0 })) },
  ],
  ['a select menu of people', elements.users_select, inSection, { ...selectFields, initial_user: someone }],
  [
    'a select menu of conversations',
    elements.conversations_select,
    inSection,
    { ...selectFields, ...here, initial_conversation: someone },
  ],
  [
    'a select menu of channels',
    elements.channels_select,
    inSection,
    { ...selectFields, initial_channel: someone },
  ],
  [
    'a select menu of conversations in a modal',
    { ...elements.conversations_select, response_url_enabled: true },
    inInput,
    { ...selectFields, ...here, initial_conversation: someone, response_url_enabled: optional(flag) },
  ],
  [
    'a select menu of channels in a modal',
    { ...elements.channels_select, response_url_enabled: true },
    inInput,
    { ...selectFields, initial_channel: someone, response_url_enabled: optional(flag) },
  ],
  [
    'a multi-select menu',
    elements.multi_static_select,
    inSection,
    { ...several, options: conditional(options(100)), initial_options },
  ],
  [
    'a multi-select menu of groups',
    grouped('multi_static_select'),
    inSection,
    { ...several, option_groups: conditional(optionGroups), initial_options },
  ],
  [
    'a multi-select menu that asks the app',
    elements.multi_external_select,
    inSection,
    { ...several, initial_options, min_query_length: optional(integer({ min: 0 })) },
  ],
  [
    'a multi-select menu of people',
    elements.multi_users_select,
    inSection,
    { ...several, initial_users: some },
  ],
  [
    'a multi-select menu of conversations',
    elements.multi_conversations_select,
    inSection,
    { ...several, ...here, initial_conversations: some },
  ],
  [
    'a multi-select menu of channels',
    elements.multi_channels_select,
    inSection,
    { ...several, initial_channels: some },
  ],
]

describe.each(table)('%s', (_what, part, place, fields) => {
  testFields(part, typed(fields)(part), place)
})

describe('an option', () => {
  it.each(['static_select', 'multi_static_select', 'radio_buttons', 'checkboxes'])(
    'cannot have a URL in %s, not even an empty one',
    (type) => {
      const options = [{ text: plainText(), value: 'x', url: '' }]
      expect(validate('message', [section({ accessory: { type, options } })])).toEqual(
        invalid('message', [messageAt('invalid additional property: url', '/blocks/0/accessory/options/0')]),
      )
    },
  )
})

describe('a list of choices', () => {
  it.each([
    ['checkboxes', 10],
    ['multi_static_select', 100],
  ] as const)('accepts %s with all of its %i options as initial options', (type, max) => {
    const all = createMany(max, option)
    const accessory = { type, options: all, initial_options: all }
    expect(validate('message', [section({ accessory })])).toEqual(VALID)
  })
})
