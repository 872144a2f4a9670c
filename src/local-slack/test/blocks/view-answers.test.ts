import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { elements, input, option, plain, section, type UnknownObject } from './samples.ts'
import { messageAt, modal } from './validate.ts'

// Complete responses from Slack that developers have published.

const validator = createBlockValidator()
const schemas = (at: string) => messageAt('failed to match all allowed schemas', at)
const filler = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }))
const tooMany = Array.from({ length: 101 }, (_, index) => option(index))
const wrapper = schemas('/view')
const { initial_option: _, ...select } = elements.static_select
const plainButton = (more: UnknownObject) => ({ type: 'button', text: plain('Press'), ...more })

const viewAnswers: [name: string, view: object, messages: unknown[]][] = [
  [
    'a key that it does not have',
    modal([], { submit_disabled: true }),
    [wrapper, messageAt('invalid additional property: submit_disabled', '/view')],
  ],
  [
    'metadata that is too long',
    modal([], { private_metadata: 'x'.repeat(3001) }),
    [wrapper, messageAt('must be less than 3001 characters', '/view/private_metadata')],
  ],
  [
    'nothing at all',
    {},
    [
      wrapper,
      messageAt('missing required field: title', '/view'),
      messageAt('missing required field: blocks', '/view'),
      messageAt('missing required field: type', '/view'),
    ],
  ],
  [
    'a title that is too long, and a list of no options',
    modal([...filler(9), section({ accessory: { ...select, options: [] } })], {
      title: plain('x'.repeat(25)),
    }),
    [
      wrapper,
      messageAt('must be less than 25 characters', '/view/title/text'),
      messageAt('must provide at least 1 items', '/view/blocks/9/accessory/options'),
    ],
  ],
  [
    '101 options',
    modal([input({ ...select, options: tooMany })]),
    [wrapper, messageAt('no more than 100 items allowed', '/view/blocks/0/element/options')],
  ],
  ['101 blocks', modal(filler(101)), [wrapper, messageAt('no more than 100 items allowed', '/view/blocks')]],
  [
    'an initial option that is null',
    modal([...filler(24), input({ ...select, initial_option: null })]),
    [wrapper, messageAt('must provide an object', '/view/blocks/24/element/initial_option')],
  ],
  [
    'an icon without a name',
    modal([{ type: 'card', title: plain(), slack_icon: { type: 'icon' } }]),
    [wrapper, messageAt('missing required field: name', '/view/blocks/0/slack_icon')],
  ],
  [
    'an input without a button to send it',
    { type: 'modal', title: plain('Title'), blocks: [...filler(2), input({ type: 'plain_text_input' })] },
    [messageAt('must define `submit` to use an `input` block in modals', '/view/blocks/2/input')],
  ],
  // What Slack looks at element by element, after the schema, it points to without the first slash.
  [
    'chosen at first, what is not offered',
    modal([input({ ...elements.checkboxes, initial_options: [option(7)] })]),
    [messageAt('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'chosen at first, nothing, in checkboxes',
    modal([input({ ...elements.checkboxes, initial_options: [] })]),
    [messageAt('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'chosen at first, nothing, in a multi-select menu',
    modal([input({ ...elements.multi_static_select, initial_options: [] })]),
    [messageAt('must be one of the provided options', 'view/blocks/0/element/initial_options')],
  ],
  [
    'an address that is none',
    modal([...filler(1), section({ accessory: plainButton({ url: 'no address' }) })]),
    [messageAt('invalid url', 'view/blocks/1/accessory/url')],
  ],
]

describe('real Slack responses to views', () => {
  it.each(viewAnswers)('%s', (_name, view, messages) => {
    expect(validator.validateView(view, 'modal')).toEqual({ error: 'invalid_arguments', messages })
  })

  it('rejects an unsupported block on a Home tab', () => {
    const view = { type: 'home', blocks: [...filler(5), { type: 'data_visualization' }] }
    expect(validator.validateView(view, 'home')).toEqual({
      error: 'invalid_arguments',
      messages: [wrapper, messageAt('unsupported type: data_visualization', '/view/blocks/5/type')],
    })
  })
})
