import { expect } from 'vitest'
import {
  actions,
  button,
  elements,
  iconButton,
  input,
  option,
  optionGroup,
  plain,
  section,
  type UnknownObject,
} from './samples.ts'
import { anyMessageAt, type Case, messageAt } from './validate.ts'

const { options: _, initial_option: __, ...menu } = elements.static_select
const { options: ___, initial_options: ____, ...multiMenu } = elements.multi_static_select
const twoOptions = [option(1), option(2)]
const groups = [optionGroup(1), optionGroup(2)]
const inSection = (accessory: unknown) => [section({ accessory })]
const accessory = '/blocks/0/accessory'
const bare = (type: string, more: UnknownObject = {}) => ({ type, ...more })
const typing = (more: UnknownObject) => [input(bare('plain_text_input', more))]
const counting = (more: UnknownObject) => [input(bare('number_input', { is_decimal_allowed: true, ...more }))]
const element = '/view/blocks/0/element'
const notOffered = (at: string) => messageAt('must be one of the provided options', at)
const focused = (type: string, focus_on_load: boolean) => input(bare(type, { focus_on_load }))

/** For each rule of elements, what breaks that rule alone. */
export const brokenElements: Record<string, Case[]> = {
  'a static select has either options or option groups': [
    ['has neither', inSection({ ...menu, options: twoOptions }), inSection(menu), anyMessageAt(accessory)],
    [
      'has both',
      inSection({ ...menu, option_groups: groups }),
      inSection({ ...menu, option_groups: groups, options: [option(7)] }),
      anyMessageAt(accessory),
    ],
    [
      'has neither, for several choices',
      inSection({ ...multiMenu, options: twoOptions }),
      inSection(multiMenu),
      anyMessageAt(accessory),
    ],
    [
      'has both, for several choices',
      inSection({ ...multiMenu, option_groups: groups }),
      inSection({ ...multiMenu, option_groups: groups, options: [option(7)] }),
      anyMessageAt(accessory),
    ],
  ],
  'an option of an overflow menu has a value or a link': [
    [
      'has neither',
      inSection(
        bare('overflow', { options: [{ text: option(1).text, url: 'https://example.com' }, option(2)] }),
      ),
      inSection(bare('overflow', { options: [{ text: option(1).text }, option(2)] })),
      anyMessageAt(accessory),
    ],
  ],
  'option values of radio buttons, checkboxes and overflow menus are unique': (
    ['overflow', 'checkboxes', 'radio_buttons'] as const
  ).map((type) => [
    `is given twice in ${type}`,
    inSection(bare(type, { options: [option(1), option(2)] })),
    inSection(bare(type, { options: [option(1), { ...option(2), value: 'option-1' }] })),
    anyMessageAt(accessory),
  ]),
  'initial options are among the options': [
    ...(['radio_buttons', 'static_select'] as const).map(
      (type): Case => [
        `is another one in ${type}`,
        inSection(bare(type, { options: twoOptions, initial_option: option(2) })),
        inSection(bare(type, { options: twoOptions, initial_option: option(3) })),
        notOffered(`${accessory}/initial_option`),
      ],
    ),
    ...(['checkboxes', 'multi_static_select'] as const).map(
      (type): Case => [
        `is among others in ${type}`,
        inSection(bare(type, { options: twoOptions, initial_options: twoOptions })),
        inSection(bare(type, { options: twoOptions, initial_options: [option(1), option(3)] })),
        notOffered(`${accessory}/initial_options`),
      ],
    ),
    [
      'is in none of the groups',
      inSection({ ...menu, option_groups: groups, initial_option: option(4) }),
      inSection({ ...menu, option_groups: groups, initial_option: option(5) }),
      notOffered(`${accessory}/initial_option`),
    ],
    ...(
      [
        ['text', { ...option(2), text: plain('Another') }],
        ['value', { ...option(2), value: 'another' }],
        ['description', { text: option(2).text, value: option(2).value }],
        ['emoji', { ...option(2), text: { type: 'plain_text', text: 'Option 2', emoji: false } }],
      ] as const
    ).map(
      ([what, initial_option]): Case => [
        `differs in its ${what} alone`,
        inSection(bare('radio_buttons', { options: twoOptions, initial_option: option(2) })),
        inSection(bare('radio_buttons', { options: twoOptions, initial_option })),
        notOffered(`${accessory}/initial_option`),
      ],
    ),
  ],
  'a minimum is not greater than its maximum': [
    [
      'is, in characters',
      typing({ min_length: 5, max_length: 5 }),
      typing({ min_length: 6, max_length: 5 }),
      anyMessageAt(element),
      'modal',
    ],
    [
      'is, in numbers',
      counting({ min_value: '9', max_value: '9.0' }),
      counting({ min_value: '10', max_value: '9' }),
      anyMessageAt(element),
      'modal',
    ],
    [
      'is, in lines',
      [input(bare('rich_text_input', { min_lines: 9, max_lines: 9 }))],
      [input(bare('rich_text_input', { min_lines: 10, max_lines: 9 }))],
      anyMessageAt(element),
      'modal',
    ],
  ],
  'the initial value of a number input is valid': [
    ...['initial_value', 'min_value', 'max_value'].map(
      (key): Case => [
        `has decimals in its ${key}`,
        counting({ is_decimal_allowed: false, [key]: '5' }),
        counting({ is_decimal_allowed: false, [key]: '5.5' }),
        anyMessageAt(element),
        'modal',
      ],
    ),
    [
      'is less than the least',
      counting({ min_value: '9', initial_value: '9' }),
      counting({ min_value: '9', initial_value: '8' }),
      anyMessageAt(element),
      'modal',
    ],
    [
      'is more than the most',
      counting({ max_value: '10', initial_value: '10' }),
      counting({ max_value: '10', initial_value: '11' }),
      anyMessageAt(element),
      'modal',
    ],
  ],
  'the initial value of a text input is not too long': [
    [
      'is one character too long',
      typing({ max_length: 5, initial_value: '12345' }),
      typing({ max_length: 5, initial_value: '123456' }),
      anyMessageAt(element),
      'modal',
    ],
    [
      'is one emoji too long',
      typing({ max_length: 5, initial_value: '🎉🎉🎉🎉🎉' }),
      typing({ max_length: 5, initial_value: '🎉🎉🎉🎉🎉🎉' }),
      anyMessageAt(element),
      'modal',
    ],
  ],
  'a conversation filter has at least one property': (
    ['conversations_select', 'multi_conversations_select'] as const
  ).map((type) => [
    `does not, in ${type}`,
    inSection(bare(type, { filter: { exclude_bot_users: false } })),
    inSection(bare(type, { filter: {} })),
    anyMessageAt(accessory),
  ]),
  'only one element has focus_on_load': [
    [
      'is there twice in a modal',
      [focused('plain_text_input', true), focused('datepicker', false)],
      [focused('plain_text_input', true), focused('datepicker', true)],
      anyMessageAt('/view/blocks/1/element'),
      'modal',
    ],
    [
      'is there twice on a Home tab',
      [focused('plain_text_input', true), ...inSection(bare('users_select'))],
      [focused('plain_text_input', true), ...inSection(bare('users_select', { focus_on_load: true }))],
      anyMessageAt('/view/blocks/1/accessory'),
      'home',
    ],
  ],
  'a file input does not dispatch actions': [
    [
      'does',
      [input(elements.file_input, { dispatch_action: false })],
      [input(elements.file_input, { dispatch_action: true })],
      expect.stringContaining('unsupported type: file_input [json-pointer:'),
      'modal',
    ],
  ],
  'action_ids are unique within a block': [
    [
      'is given twice',
      [actions(button(1), button(2)), actions(button(1))],
      [actions(button(1), button(2), button(1)), actions(button(1))],
      messageAt('`action_id` "button-1" already exists', '/blocks/0/elements/2/action_id'),
    ],
    [
      'is given twice in context actions',
      [{ type: 'context_actions', elements: [iconButton(1), iconButton(2)] }],
      [{ type: 'context_actions', elements: [iconButton(1), iconButton(1)] }],
      messageAt('`action_id` "icon-button-1" already exists', '/blocks/0/elements/1/action_id'),
    ],
  ],
}
