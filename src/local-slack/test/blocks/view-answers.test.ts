import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { elements, input, option, type Part, plain, section } from './samples.ts'
import { modal, said } from './validate.ts'

// Whole answers that bots have had from Slack and shown in public, word for word and in their order.

const validator = createBlockValidator()
const schemas = (at: string) => said('failed to match all allowed schemas', at)
const filler = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }))
const tooMany = Array.from({ length: 101 }, (_, index) => option(index))
const wrapper = schemas('/view')
const { initial_option: _, ...select } = elements.static_select
const plainButton = (more: Part) => ({ type: 'button', text: plain('Press'), ...more })

const viewAnswers: [name: string, view: object, messages: unknown[]][] = [
  [
    'a key that it does not have',
    modal([], { submit_disabled: true }),
    [wrapper, said('invalid additional property: submit_disabled', '/view')],
  ],
  [
    'metadata that is too long',
    modal([], { private_metadata: 'x'.repeat(3001) }),
    [wrapper, said('must be less than 3001 characters', '/view/private_metadata')],
  ],
  [
    'nothing at all',
    {},
    [
      wrapper,
      said('missing required field: title', '/view'),
      said('missing required field: blocks', '/view'),
      said('missing required field: type', '/view'),
    ],
  ],
  [
    'a title that is too long, and a list of no options',
    modal([...filler(9), section({ accessory: { ...select, options: [] } })], {
      title: plain('x'.repeat(25)),
    }),
    [
      wrapper,
      said('must be less than 25 characters', '/view/title/text'),
      said('must provide at least 1 items', '/view/blocks/9/accessory/options'),
    ],
  ],
  [
    '101 options',
    modal([input({ ...select, options: tooMany })]),
    [wrapper, said('no more than 100 items allowed', '/view/blocks/0/element/options')],
  ],
  ['101 blocks', modal(filler(101)), [wrapper, said('no more than 100 items allowed', '/view/blocks')]],
  [
    'an initial option that is null',
    modal([...filler(24), input({ ...select, initial_option: null })]),
    [wrapper, said('must provide an object', '/view/blocks/24/element/initial_option')],
  ],
  [
    'an icon without a name',
    modal([{ type: 'card', title: plain(), slack_icon: { type: 'icon' } }]),
    [wrapper, said('missing required field: name', '/view/blocks/0/slack_icon')],
  ],
  [
    'an input without a button to send it',
    { type: 'modal', title: plain('Title'), blocks: [...filler(2), input({ type: 'plain_text_input' })] },
    [said('must define `submit` to use an `input` block in modals', '/view/blocks/2/input')],
  ],
  // What Slack looks at element by element, after the schema, it points to without the first slash.
  [
    'chosen at first, what is not offered',
    modal([input({ ...elements.checkboxes, initial_options: [option(7)] })]),
    [said('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'chosen at first, nothing, in checkboxes',
    modal([input({ ...elements.checkboxes, initial_options: [] })]),
    [said('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'chosen at first, nothing, in a multi-select menu',
    modal([input({ ...elements.multi_static_select, initial_options: [] })]),
    [said('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'an address that is none',
    modal([...filler(1), section({ accessory: plainButton({ url: 'no address' }) })]),
    [said('invalid url', 'view/blocks/1/accessory/url')],
  ],
]

describe('a view is answered as Slack has answered', () => {
  it.each(viewAnswers)('%s', (_name, view, messages) => {
    expect(validator.validateView(view, 'modal')).toEqual({ error: 'invalid_arguments', messages })
  })

  it('a block that a Home tab does not hold', () => {
    const view = { type: 'home', blocks: [...filler(5), { type: 'data_visualization' }] }
    expect(validator.validateView(view, 'home')).toEqual({
      error: 'invalid_arguments',
      messages: [wrapper, said('unsupported type: data_visualization', '/view/blocks/5/type')],
    })
  })
})
