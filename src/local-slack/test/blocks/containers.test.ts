import { describe, expect, it } from 'vitest'
import {
  actions,
  button,
  elements,
  image,
  input,
  option,
  plain,
  section,
  type UnknownObject,
} from './samples.ts'
import { anyMessageAt, invalid, invalidByRules, messageAt, VALID, validate } from './validate.ts'

// The rules for blocks also apply to the blocks inside containers and carousels.
// https://docs.slack.dev/reference/block-kit/blocks/container-block
// https://docs.slack.dev/reference/block-kit/blocks/carousel-block

const holding = (...child_blocks: UnknownObject[]) => [{ type: 'container', title: plain(), child_blocks }]
const card = (more: UnknownObject) => ({ type: 'card', title: plain(), ...more })
const carousel = (...cards: UnknownObject[]) => [{ type: 'carousel', elements: cards }]
const child = '/blocks/0/child_blocks/0'

const radio = (initial_option: UnknownObject) =>
  section({ accessory: { type: 'radio_buttons', options: [option(1), option(2)], initial_option } })

describe('a container', () => {
  it.each<[name: string, good: unknown[], bad: unknown[], says: unknown]>([
    [
      'an empty section',
      holding(section()),
      holding({ type: 'section' }),
      messageAt('must define either `text` or `fields`', `${child}/type`),
    ],
    [
      'two buttons with the same action_id',
      holding(actions(button(1), button(2))),
      holding(actions(button(1), button(1))),
      messageAt('`action_id` "button-1" already exists', `${child}/elements/1/action_id`),
    ],
    [
      'an unknown initial option',
      holding(radio(option(1))),
      holding(radio(option(3))),
      messageAt('must be one of the provided options', `${child}/accessory/initial_option`),
    ],
    [
      'an invalid URL',
      holding(section({ accessory: button() })),
      holding(section({ accessory: { ...button(), url: 'no address' } })),
      messageAt('invalid url', `${child}/accessory/url`),
    ],
    [
      'an image without a source',
      holding(image),
      holding({ type: 'image', alt_text: 'Cat' }),
      anyMessageAt(child),
    ],
    [
      'a menu without options',
      holding(input({ type: 'static_select', options: [option()] })),
      holding(input({ type: 'static_select' })),
      anyMessageAt(`${child}/element`),
    ],
    [
      'two blocks of one name',
      holding(section({ block_id: 'a' }), section({ block_id: 'b' })),
      holding(section({ block_id: 'a' }), section({ block_id: 'a' })),
      anyMessageAt('/blocks/0/child_blocks/1'),
    ],
    [
      'a block of the name of one outside',
      [...holding(section({ block_id: 'a' })), section({ block_id: 'b' })],
      [...holding(section({ block_id: 'a' })), section({ block_id: 'a' })],
      anyMessageAt('/blocks/'),
    ],
  ])('rejects a container with %s', (_name, good, bad, says) => {
    expect(validate('message', good)).toEqual(VALID)
    expect(validate('message', bad)).toEqual(invalidByRules('message', [says]))
  })

  it('allows the same elements inside a container as outside', () => {
    expect(validate('message', holding(section({ accessory: elements.workflow_button })))).toEqual(VALID)
  })

  it('is not allowed on a Home tab', () => {
    expect(validate('home', holding(section()))).toEqual(
      invalid('home', [messageAt('unsupported type: container', '/view/blocks/0/type')]),
    )
  })
})

describe('a card', () => {
  it('rejects a card whose buttons have the same action_id', () => {
    expect(validate('message', [card({ actions: [button(1), button(2)] })])).toEqual(VALID)
    expect(validate('message', [card({ actions: [button(1), button(1)] })])).toEqual(
      invalidByRules('message', [
        messageAt('`action_id` "button-1" already exists', '/blocks/0/actions/1/action_id'),
      ]),
    )
  })

  it('applies the rules of cards inside a carousel', () => {
    const other = card({ slack_icon: { type: 'icon', name: 'star' } })
    expect(validate('message', carousel(card({}), other))).toEqual(VALID)
    expect(validate('message', carousel(card({}), { ...other, icon: image }))).toEqual(
      invalidByRules('message', [anyMessageAt('/blocks/0/elements/1')]),
    )
  })
})
