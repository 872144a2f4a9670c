import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { id } from './composed.ts'
import {
  type Fields,
  flag,
  heldTwice,
  list,
  optional,
  plain,
  required,
  string,
  trialsIn,
  tryEach,
} from './fields.ts'
import { actions, blocks, button, elements, input, numbered, plain as plainText, section } from './samples.ts'
import { home, judged, modal, passed, refused, said } from './validate.ts'

const validator = createBlockValidator()
const divider = { type: 'divider' }
const sections = (...characters: number[]) =>
  characters.map((length) => section({ text: plainText('x'.repeat(length)) }))

describe('a message', () => {
  it('is handed back as it came when it is good', () => {
    const given = [section(), actions(button(1), button(2))]
    expect(validator.validateMessage(given)).toEqual({ valid: given })
  })

  it('has up to 50 blocks', () => {
    expect(validator.validateMessage(numbered(50, () => divider))).toEqual(passed)
    expect(validator.validateMessage(numbered(51, () => divider))).toEqual(
      refused('message', [said('no more than 50 items allowed', '/blocks')]),
    )
  })

  it.each([[null], ['[{"type":"divider"}]'], [{ type: 'divider' }], [7]])(
    'is a list of blocks, not %j',
    (given) => {
      expect(validator.validateMessage(given)).toEqual({
        error: 'invalid_blocks_format',
        messages: [],
      })
    },
  )

  it('is a list of objects that have a type', () => {
    expect(validator.validateMessage([divider, null, 'divider', {}])).toEqual(
      refused('message', [
        said('must provide an object', '/blocks/1'),
        said('must provide an object', '/blocks/2'),
        said('missing required field: type', '/blocks/3'),
      ]),
    )
  })

  it('has up to about 13,200 characters in its blocks', () => {
    expect(validator.validateMessage(sections(3000, 3000, 3000, 3000, 1200))).toEqual(passed)
    expect(validator.validateMessage(sections(3000, 3000, 3000, 3000, 1201))).toEqual({
      error: 'msg_blocks_too_long',
      messages: [],
    })
  })

  it('has an emoji counted as one of these characters', () => {
    const party = section({ text: plainText('🎉'.repeat(1200)) })
    expect(validator.validateMessage([...sections(3000, 3000, 3000, 3000), party])).toEqual(passed)
  })

  it('is told of its problems before its length', () => {
    expect(
      validator.validateMessage([...sections(3000, 3000, 3000, 3000, 1201), { type: 'section' }]),
    ).toMatchObject({
      error: 'invalid_blocks',
    })
  })
})

const common: Fields = { private_metadata: optional(string(3000)), callback_id: id, external_id: id }
const listed = required(list({ most: 100, make: () => divider }))
const ids = { private_metadata: 'data', callback_id: 'call', external_id: 'ext' }

describe('a modal', () => {
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
    submit: optional(heldTwice(plain(24))),
    close: optional(plain(24)),
    clear_on_close: optional(flag),
    notify_on_close: optional(flag),
  }
  tryEach(whole, trialsIn(fields, whole), {
    surface: 'modal',
    at: '/view',
    verdictOn: (view) => validator.validateView(view, 'modal'),
  })

  it('has more characters than a message has', () => {
    expect(judged('modal', sections(3000, 3000, 3000, 3000, 3000))).toEqual(passed)
  })
})

describe('a Home tab', () => {
  const whole = home([divider], ids)
  tryEach(whole, trialsIn({ ...common, blocks: listed }, whole), {
    surface: 'home',
    at: '/view',
    verdictOn: (view) => validator.validateView(view, 'home'),
  })

  it.each(['title', 'submit', 'close'])('has no %s', (key) => {
    expect(validator.validateView(home([], { [key]: plainText() }), 'home')).toEqual(
      refused('home', [said(`invalid additional property: ${key}`, '/view')]),
    )
  })
})

describe('a view', () => {
  const whole = { modal: modal([divider]), home: home([divider]) }

  it.each(['modal', 'home'] as const)('is handed back as it came when it is good (%s)', (type) => {
    expect(validator.validateView(whole[type], type)).toEqual({ valid: whole[type] })
  })

  it('is of the type that is asked for', () => {
    expect(validator.validateView(whole.home, 'modal')).toMatchObject({
      error: 'invalid_arguments',
    })
    expect(validator.validateView({ ...whole.home, type: 'modal' }, 'home')).toMatchObject({
      error: 'invalid_arguments',
    })
  })

  it('lacks its type, and is told so', () => {
    const { type: _, ...untyped } = whole.modal
    expect(validator.validateView(untyped, 'modal')).toEqual(
      refused('modal', [said('missing required field: type', '/view')]),
    )
  })

  it.each([null, 'modal', 7])('is an object, not %j', (view) => {
    expect(validator.validateView(view, 'modal')).toMatchObject({ error: 'invalid_arguments' })
  })

  const bytesOf = (view: object) => Buffer.byteLength(JSON.stringify(view))
  /** A view of so many bytes, however many of them a character has. */
  const ofBytes = (wrap: typeof home, bytes: number, character = 'x') => {
    const text = plainText(character.repeat(2700 / Buffer.byteLength(character)))
    const most = numbered(90, () => section({ text }))
    const spare = bytes - bytesOf(wrap([...most, ...sections(0)]))
    return wrap([...most, ...sections(spare)])
  }

  it.each([
    ['modal', modal],
    ['home', home],
  ] as const)('has up to 250 kB (%s)', (type, wrap) => {
    const [fitting, large] = [ofBytes(wrap, 250_000), ofBytes(wrap, 250_001)]
    expect([bytesOf(fitting), bytesOf(large)]).toEqual([250_000, 250_001])
    expect(validator.validateView(fitting, type)).toEqual(passed)
    expect(validator.validateView(large, type)).toEqual({ error: 'view_too_large', messages: [] })
  })

  it('is weighed in bytes, of which some characters have three', () => {
    const large = ofBytes(home, 250_001, '漢')
    expect(bytesOf(large)).toBe(250_001)
    expect(validator.validateView(large, 'home')).toEqual({
      error: 'view_too_large',
      messages: [],
    })
  })

  it('is too large before anything else is', () => {
    const large = { ...ofBytes(home, 250_001), unknown: 1 }
    expect(validator.validateView(large, 'home')).toEqual({
      error: 'view_too_large',
      messages: [],
    })
  })
})

describe('the order in which Slack looks', () => {
  const told = (given: unknown[]) => {
    const verdict = validator.validateMessage(given)
    return 'messages' in verdict ? verdict.messages : []
  }
  const long = plainText('x'.repeat(76))
  const at = '/blocks/0/elements/0'

  it('begins with what is missing, and ends there for that object', () => {
    expect(told([actions({ type: 'button', value: 7, unknown: 1 })])).toEqual([
      said('missing required field: text', at),
    ])
  })

  it('names all that is missing at once', () => {
    expect(told([{ type: 'context_actions', elements: [{ type: 'feedback_buttons' }] }]).sort()).toEqual([
      said('missing required field: negative_button', at),
      said('missing required field: positive_button', at),
    ])
  })

  it('goes on with the fields that there are, and then with those that there are not', () => {
    expect(told([actions({ unknown: 1, type: 'button', text: long })])).toEqual([
      said('must be less than 76 characters', `${at}/text/text`),
      said('invalid additional property: unknown', at),
    ])
  })

  it('stops at a list that is too long, whatever is in it', () => {
    expect(told([actions(...numbered(26, (number) => ({ ...button(number), text: long })))])).toEqual([
      said('no more than 25 items allowed', '/blocks/0/elements'),
    ])
  })

  it('stops at a text where a list is wanted, however long it is', () => {
    expect(told([{ type: 'actions', elements: 'x'.repeat(26) }])).toEqual([
      said('must provide an array', '/blocks/0/elements'),
    ])
    expect(told([{ type: 'actions', elements: '' }])).toEqual([
      said('must provide an array', '/blocks/0/elements'),
    ])
  })

  it('stops at a type that is unknown, whatever comes with it', () => {
    expect(told([{ type: 'sandwich', unknown: 1, block_id: 7 }])).toEqual([
      said('unsupported type: sandwich', '/blocks/0/type'),
    ])
  })

  it('is that of the blocks, and names the problems of all of them', () => {
    const header = (text: string) => ({ type: 'header', text: plainText(text) })
    expect(
      told([header('x'.repeat(151)), blocks.divider, header(''), { type: 'actions', elements: [] }]),
    ).toEqual([
      said('must be less than 151 characters', '/blocks/0/text/text'),
      said('must be more than 0 characters', '/blocks/2/text/text'),
      said('must provide at least 1 items', '/blocks/3/elements'),
    ])
  })

  it('has the line about the view once, before all the others', () => {
    const inputs = [input(elements.datepicker, { label: null }), input(elements.datepicker, { hint: null })]
    expect(judged('modal', inputs)).toEqual({
      error: 'invalid_arguments',
      messages: [
        said('failed to match all allowed schemas', '/view'),
        said('must provide an object', '/view/blocks/0/label'),
        said('must provide an object', '/view/blocks/1/hint'),
      ],
    })
  })

  it.each([[null], ['five'], [2.5], [true]])('calls %j no integer, in one way', (level) => {
    expect(told([{ ...blocks.header, level }])).toEqual([said('must provide an integer', '/blocks/0/level')])
  })
})
