import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { buildViewState, type InputValue, type ValueLookup } from '../../blocks/state.ts'
import { validateInputs } from '../../blocks/validate-inputs.ts'
import { createMany, input, option, richText, section, type UnknownObject } from './samples.ts'

/** What a file in Slack may have at most. */
const LARGEST = 10 * 1024 * 1024
const sizes: Record<string, number> = { 'full.pdf': LARGEST, 'large.pdf': LARGEST + 1 }

const known: ValueLookup = {
  suggestedOption: (_element, value) => ({ text: { type: 'plain_text', text: value }, value }),
  file: (name) => ({ id: 'F1', name, size: sizes[name] ?? 1 }),
}

const faultsIn = (parts: UnknownObject[], typed: Record<string, InputValue>) => {
  // The test's payloads are plain objects; what reads them trusts their types.
  const given = parts as unknown as KnownBlock[]
  const byBlock = Object.fromEntries(Object.entries(typed).map(([block, value]) => [block, { act: value }]))
  return validateInputs(given, buildViewState(given, byBlock, known))
}

const of = (type: string, more: UnknownObject = {}) => ({ type, action_id: 'act', ...more })
/** What is said under one input. */
const problem = (element: UnknownObject, typed?: InputValue, more: UnknownObject = {}) =>
  faultsIn([input(element, { block_id: 'block', ...more })], typed === undefined ? {} : { block: typed })
    .block

const required = 'Please complete this required field.'

describe('required inputs', () => {
  const options = createMany(3, option)

  it.each<[type: string, more?: UnknownObject]>([
    ['plain_text_input'],
    ['email_text_input'],
    ['url_text_input'],
    ['number_input', { is_decimal_allowed: true }],
    ['rich_text_input'],
    ['static_select', { options }],
    ['external_select'],
    ['users_select'],
    ['conversations_select'],
    ['channels_select'],
    ['radio_buttons', { options }],
    ['checkboxes', { options }],
    ['multi_static_select', { options }],
    ['multi_external_select'],
    ['multi_users_select'],
    ['multi_conversations_select'],
    ['multi_channels_select'],
    ['datepicker'],
    ['timepicker'],
    ['datetimepicker'],
    ['file_input'],
  ])('reports an empty %s', (type, more) => {
    expect([undefined, null, '', []].map((typed) => problem(of(type, more), typed))).toEqual([
      required,
      required,
      required,
      required,
    ])
    expect(problem(of(type, more), undefined, { optional: false })).toBe(required)
    expect(problem(of(type, more), undefined, { optional: true })).toBeUndefined()
  })

  it.each<[type: string, more: UnknownObject]>([
    ['plain_text_input', { initial_value: 'Hi' }],
    ['rich_text_input', { initial_value: richText }],
    ['checkboxes', { options, initial_options: [option(1)] }],
    ['users_select', { initial_user: 'U1' }],
    ['datetimepicker', { initial_date_time: 1_795_770_000 }],
  ])('accepts the initial value of a %s', (type, more) => {
    expect(problem(of(type, more))).toBeUndefined()
    expect(problem(of(type, more), null)).toBe(required)
  })
})

// Of the words below, Slack's own are not known; their limits are those of its pages.

type Limit = [name: string, element: UnknownObject, fine: InputValue, beyond: InputValue, says: string]

const many = (count: number) => createMany(count, (number) => `option-${number}`)
const someOf = (type: string): Limit => [
  `choices in ${type}`,
  of(type, { max_selected_items: 2, options: createMany(3, option) }),
  many(2),
  many(3),
  'Please choose no more than 2.',
]
const named = (...names: string[]) => names

const limits: Limit[] = [
  [
    'the fewest characters',
    of('plain_text_input', { min_length: 5 }),
    '12345',
    '1234',
    'Please enter at least 5 characters.',
  ],
  [
    'the max characters',
    of('plain_text_input', { max_length: 5 }),
    '12345',
    '123456',
    'Please enter no more than 5 characters.',
  ],
  [
    'the max characters of any text',
    of('plain_text_input'),
    'x'.repeat(3000),
    'x'.repeat(3001),
    'Please enter no more than 3000 characters.',
  ],
  [
    'the max characters, if they are emoji',
    of('plain_text_input', { max_length: 5 }),
    '🎉'.repeat(5),
    '🎉'.repeat(6),
    'Please enter no more than 5 characters.',
  ],
  [
    'the fewest characters, if they are emoji',
    of('plain_text_input', { min_length: 5 }),
    '🎉'.repeat(5),
    '🎉'.repeat(4),
    'Please enter at least 5 characters.',
  ],
  [
    'numbers',
    of('number_input', { is_decimal_allowed: true }),
    '-1.5',
    '1,5',
    'Please enter a valid number.',
  ],
  [
    'whole numbers',
    of('number_input', { is_decimal_allowed: false }),
    '-5',
    '5.5',
    'Please enter a whole number.',
  ],
  [
    'the min number',
    of('number_input', { is_decimal_allowed: false, min_value: '9' }),
    '9',
    '8',
    'Please enter 9 or more.',
  ],
  [
    'the greatest number',
    of('number_input', { is_decimal_allowed: true, max_value: '10' }),
    '10',
    '10.1',
    'Please enter 10 or less.',
  ],
  [
    'addresses of mail',
    of('email_text_input'),
    'ann@example.com',
    'ann@',
    'Please enter a valid email address.',
  ],
  [
    'addresses of mail without blanks',
    of('email_text_input'),
    'ann.b@mail.example.com',
    'ann b@example.com',
    'Please enter a valid email address.',
  ],
  ['addresses', of('url_text_input'), 'https://example.com/a?b=c', 'example', 'Please enter a valid URL.'],
  someOf('multi_static_select'),
  someOf('multi_external_select'),
  someOf('multi_users_select'),
  someOf('multi_conversations_select'),
  someOf('multi_channels_select'),
  [
    'files',
    of('file_input', { max_files: 2 }),
    named('a.pdf', 'b.pdf'),
    named('a.pdf', 'b.pdf', 'c.pdf'),
    'Please choose no more than 2 files.',
  ],
  [
    'files of any number',
    of('file_input'),
    createMany(10, (number) => `${number}.pdf`),
    createMany(11, (number) => `${number}.pdf`),
    'Please choose no more than 10 files.',
  ],
  [
    'large files',
    of('file_input'),
    named('a.pdf', 'full.pdf'),
    named('a.pdf', 'large.pdf'),
    '"large.pdf" is larger than 10 MB.',
  ],
  [
    'files of some kinds',
    of('file_input', { filetypes: ['pdf', 'png'] }),
    named('a.pdf', 'B.PNG'),
    named('a.pdf', 'c.doc'),
    `"c.doc" isn't one of these file types: pdf, png.`,
  ],
  [
    'files that say of what kind they are',
    of('file_input', { filetypes: ['pdf'] }),
    named('archive.doc.pdf'),
    named('pdf.doc'),
    `"pdf.doc" isn't one of these file types: pdf.`,
  ],
]

describe('limits', () => {
  it.each(limits)('checks the limit of %s', (_name, element, fine, beyond, says) => {
    expect(problem(element, fine)).toBeUndefined()
    expect(problem(element, beyond)).toBe(says)
  })

  it.each(limits)(
    'checks the limit of %s even where it may be left out',
    (_name, element, _fine, beyond, says) => {
      expect(problem(element, beyond, { optional: true })).toBe(says)
      expect(problem(element, null, { optional: true })).toBeUndefined()
    },
  )
})

describe('validateInputs', () => {
  const text = (block_id: string) => input(of('plain_text_input', { max_length: 2 }), { block_id })

  it('returns the messages by block_id', () => {
    expect(faultsIn([text('a'), text('b'), text('c')], { a: '123', b: '12' })).toEqual({
      a: 'Please enter no more than 2 characters.',
      c: required,
    })
  })

  it('ignores elements outside input blocks', () => {
    const menu = section({ block_id: 'section', accessory: of('users_select') })
    expect(faultsIn([menu, { type: 'divider', block_id: 'divider' }], {})).toEqual({})
  })
})
