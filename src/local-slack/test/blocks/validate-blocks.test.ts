import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { id } from './composition-objects.ts'
import {
  createFieldCases,
  type Fields,
  flag,
  list,
  optional,
  plain,
  reportedTwice,
  required,
  string,
  testFields,
} from './fields.ts'
import {
  actions,
  blocks,
  button,
  createMany,
  elements,
  input,
  plain as plainText,
  section,
} from './samples.ts'
import { home, invalid, messageAt, modal, VALID, validate } from './validate.ts'

const validator = createBlockValidator()
const divider = { type: 'divider' }
const sections = (...characters: number[]) =>
  characters.map((length) => section({ text: plainText('x'.repeat(length)) }))

describe('validateMessage', () => {
  it('returns valid blocks unchanged', () => {
    const given = [section(), actions(button(1), button(2))]
    expect(validator.validateMessage(given)).toEqual({ valid: given })
  })

  it('accepts up to 50 blocks', () => {
    expect(validator.validateMessage(createMany(50, () => divider))).toEqual(VALID)
    expect(validator.validateMessage(createMany(51, () => divider))).toEqual(
      invalid('message', [messageAt('no more than 50 items allowed', '/blocks')]),
    )
  })

  it.each([[null], ['[{"type":"divider"}]'], [{ type: 'divider' }], [7]])(
    'rejects %j in place of a list of blocks',
    (given) => {
      expect(validator.validateMessage(given)).toEqual({
        error: 'invalid_blocks_format',
        messages: [],
      })
    },
  )

  it('requires a list of objects with a type', () => {
    expect(validator.validateMessage([divider, null, 'divider', {}])).toEqual(
      invalid('message', [
        messageAt('must provide an object', '/blocks/1'),
        messageAt('must provide an object', '/blocks/2'),
        messageAt('missing required field: type', '/blocks/3'),
      ]),
    )
  })

  it('accepts about 13,200 characters in all blocks', () => {
    expect(validator.validateMessage(sections(3000, 3000, 3000, 3000, 1200))).toEqual(VALID)
    expect(validator.validateMessage(sections(3000, 3000, 3000, 3000, 1201))).toEqual({
      error: 'msg_blocks_too_long',
      messages: [],
    })
  })

  it('counts an emoji as one character', () => {
    const party = section({ text: plainText('🎉'.repeat(1200)) })
    expect(validator.validateMessage([...sections(3000, 3000, 3000, 3000), party])).toEqual(VALID)
  })

  it('reports problems in blocks before their length', () => {
    expect(
      validator.validateMessage([...sections(3000, 3000, 3000, 3000, 1201), { type: 'section' }]),
    ).toMatchObject({
      error: 'invalid_blocks',
    })
  })
})

const common: Fields = { private_metadata: optional(string(3000)), callback_id: id, external_id: id }
const listed = required(list({ max: 100, make: () => divider }))
const ids = { private_metadata: 'data', callback_id: 'call', external_id: 'ext' }

describe('validateView with a modal', () => {
  const whole = modal([divider], {
    close: plainText('Cancel'),
    clear_on_close: true,
    notify_on_close: true,
    ...ids,
  })
  const fields: Fields = {
    ...common,
    blocks: listed,
    title: required(plain(24)),
    submit: optional(reportedTwice(plain(24))),
    close: optional(plain(24)),
    clear_on_close: optional(flag),
    notify_on_close: optional(flag),
  }
  testFields(whole, createFieldCases(fields, whole), {
    surface: 'modal',
    at: '/view',
    validatePart: (view) => validator.validateView(view, 'modal'),
  })

  it('allows more characters in a modal than in a message', () => {
    expect(validate('modal', sections(3000, 3000, 3000, 3000, 3000))).toEqual(VALID)
  })
})

describe('validateView with a Home tab', () => {
  const whole = home([divider], ids)
  testFields(whole, createFieldCases({ ...common, blocks: listed }, whole), {
    surface: 'home',
    at: '/view',
    validatePart: (view) => validator.validateView(view, 'home'),
  })

  it.each(['title', 'submit', 'close'])('rejects a Home tab with %s', (key) => {
    expect(validator.validateView(home([], { [key]: plainText() }), 'home')).toEqual(
      invalid('home', [messageAt(`invalid additional property: ${key}`, '/view')]),
    )
  })
})

describe('validateView', () => {
  const whole = { modal: modal([divider]), home: home([divider]) }

  it.each(['modal', 'home'] as const)('returns a valid view unchanged (%s)', (type) => {
    expect(validator.validateView(whole[type], type)).toEqual({ valid: whole[type] })
  })

  it('rejects a view of another type', () => {
    expect(validator.validateView(whole.home, 'modal')).toMatchObject({
      error: 'invalid_arguments',
    })
    expect(validator.validateView({ ...whole.home, type: 'modal' }, 'home')).toMatchObject({
      error: 'invalid_arguments',
    })
  })

  it('reports a missing type', () => {
    const { type: _, ...untyped } = whole.modal
    expect(validator.validateView(untyped, 'modal')).toEqual(
      invalid('modal', [messageAt('missing required field: type', '/view')]),
    )
  })

  it.each([null, 'modal', 7])('rejects %j as a view', (view) => {
    expect(validator.validateView(view, 'modal')).toMatchObject({ error: 'invalid_arguments' })
  })

  const bytesOf = (view: object) => Buffer.byteLength(JSON.stringify(view))
  /** A view of so many bytes, however many of them a character has. */
  const ofBytes = (wrap: typeof home, bytes: number, character = 'x') => {
    const text = plainText(character.repeat(2700 / Buffer.byteLength(character)))
    const max = createMany(90, () => section({ text }))
    const spare = bytes - bytesOf(wrap([...max, ...sections(0)]))
    return wrap([...max, ...sections(spare)])
  }

  it.each([
    ['modal', modal],
    ['home', home],
  ] as const)('accepts a view of up to 250 kB (%s)', (type, wrap) => {
    const [fitting, large] = [ofBytes(wrap, 250_000), ofBytes(wrap, 250_001)]
    expect([bytesOf(fitting), bytesOf(large)]).toEqual([250_000, 250_001])
    expect(validator.validateView(fitting, type)).toEqual(VALID)
    expect(validator.validateView(large, type)).toEqual({ error: 'view_too_large', messages: [] })
  })

  it('measures a view in bytes', () => {
    const large = ofBytes(home, 250_001, '漢')
    expect(bytesOf(large)).toBe(250_001)
    expect(validator.validateView(large, 'home')).toEqual({
      error: 'view_too_large',
      messages: [],
    })
  })

  it('reports the size of a view before other problems', () => {
    const large = { ...ofBytes(home, 250_001), unknown: 1 }
    expect(validator.validateView(large, 'home')).toEqual({
      error: 'view_too_large',
      messages: [],
    })
  })
})

describe('the order of problems', () => {
  const told = (given: unknown[]) => {
    const result = validator.validateMessage(given)
    return 'messages' in result ? result.messages : []
  }
  const long = plainText('x'.repeat(76))
  const at = '/blocks/0/elements/0'

  it('reports only the missing fields of an object', () => {
    expect(told([actions({ type: 'button', value: 7, unknown: 1 })])).toEqual([
      messageAt('missing required field: text', at),
    ])
  })

  it('reports all missing fields of an object', () => {
    expect(told([{ type: 'context_actions', elements: [{ type: 'feedback_buttons' }] }]).sort()).toEqual([
      messageAt('missing required field: negative_button', at),
      messageAt('missing required field: positive_button', at),
    ])
  })

  it('reports invalid fields before unknown ones', () => {
    expect(told([actions({ unknown: 1, type: 'button', text: long })])).toEqual([
      messageAt('must be less than 76 characters', `${at}/text/text`),
      messageAt('invalid additional property: unknown', at),
    ])
  })

  it('reports only the length of a list that is too long', () => {
    expect(told([actions(...createMany(26, (number) => ({ ...button(number), text: long })))])).toEqual([
      messageAt('no more than 25 items allowed', '/blocks/0/elements'),
    ])
  })

  it('reports only the type of a string in place of a list', () => {
    expect(told([{ type: 'actions', elements: 'x'.repeat(26) }])).toEqual([
      messageAt('must provide an array', '/blocks/0/elements'),
    ])
    expect(told([{ type: 'actions', elements: '' }])).toEqual([
      messageAt('must provide an array', '/blocks/0/elements'),
    ])
  })

  it('reports only an unknown type of an object', () => {
    expect(told([{ type: 'sandwich', unknown: 1, block_id: 7 }])).toEqual([
      messageAt('unsupported type: sandwich', '/blocks/0/type'),
    ])
  })

  it('reports the problems of all blocks in their order', () => {
    const header = (text: string) => ({ type: 'header', text: plainText(text) })
    expect(
      told([header('x'.repeat(151)), blocks.divider, header(''), { type: 'actions', elements: [] }]),
    ).toEqual([
      messageAt('must be less than 151 characters', '/blocks/0/text/text'),
      messageAt('must be more than 0 characters', '/blocks/2/text/text'),
      messageAt('must provide at least 1 items', '/blocks/3/elements'),
    ])
  })

  it('adds the line about the view once, before all others', () => {
    const inputs = [input(elements.datepicker, { label: null }), input(elements.datepicker, { hint: null })]
    expect(validate('modal', inputs)).toEqual({
      error: 'invalid_arguments',
      messages: [
        messageAt('failed to match all allowed schemas', '/view'),
        messageAt('must provide an object', '/view/blocks/0/label'),
        messageAt('must provide an object', '/view/blocks/1/hint'),
      ],
    })
  })

  it.each([[null], ['five'], [2.5], [true]])('reports %j as not an integer', (level) => {
    expect(told([{ ...blocks.header, level }])).toEqual([
      messageAt('must provide an integer', '/blocks/0/level'),
    ])
  })
})
