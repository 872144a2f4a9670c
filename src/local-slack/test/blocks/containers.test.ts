import { describe, expect, it } from 'vitest'
import { actions, button, elements, input, option, type Part, picture, plain, section } from './samples.ts'
import { judged, passed, refusedAfterwards, said, saidOf } from './validate.ts'

// What holds blocks has the rules of blocks inside it.
// https://docs.slack.dev/reference/block-kit/blocks/container-block
// https://docs.slack.dev/reference/block-kit/blocks/carousel-block

const holding = (...child_blocks: Part[]) => [{ type: 'container', title: plain(), child_blocks }]
const card = (more: Part) => ({ type: 'card', title: plain(), ...more })
const carousel = (...cards: Part[]) => [{ type: 'carousel', elements: cards }]
const child = '/blocks/0/child_blocks/0'

const radio = (initial_option: Part) =>
  section({ accessory: { type: 'radio_buttons', options: [option(1), option(2)], initial_option } })

describe('a container', () => {
  it.each<[name: string, good: unknown[], bad: unknown[], says: unknown]>([
    [
      'a section without anything',
      holding(section()),
      holding({ type: 'section' }),
      said('must define either `text` or `fields`', `${child}/type`),
    ],
    [
      'two buttons of one name',
      holding(actions(button(1), button(2))),
      holding(actions(button(1), button(1))),
      said('`action_id` "button-1" already exists', `${child}/elements/1/action_id`),
    ],
    [
      'a choice that is not offered',
      holding(radio(option(1))),
      holding(radio(option(3))),
      said('must be one of the provided options', `${child}/accessory/initial_option`),
    ],
    [
      'an address that is none',
      holding(section({ accessory: button() })),
      holding(section({ accessory: { ...button(), url: 'no address' } })),
      said('invalid url', `${child}/accessory/url`),
    ],
    ['an image of nothing', holding(picture), holding({ type: 'image', alt_text: 'Cat' }), saidOf(child)],
    [
      'a list without options',
      holding(input({ type: 'static_select', options: [option()] })),
      holding(input({ type: 'static_select' })),
      saidOf(`${child}/element`),
    ],
    [
      'two blocks of one name',
      holding(section({ block_id: 'a' }), section({ block_id: 'b' })),
      holding(section({ block_id: 'a' }), section({ block_id: 'a' })),
      saidOf('/blocks/0/child_blocks/1'),
    ],
    [
      'a block of the name of one outside',
      [...holding(section({ block_id: 'a' })), section({ block_id: 'b' })],
      [...holding(section({ block_id: 'a' })), section({ block_id: 'a' })],
      saidOf('/blocks/'),
    ],
  ])('is refused with %s in it', (_name, good, bad, says) => {
    expect(judged('message', good)).toEqual(passed)
    expect(judged('message', bad)).toEqual(refusedAfterwards('message', [says]))
  })

  it('holds elements that may stand on its surface alone', () => {
    expect(judged('message', holding(section({ accessory: elements.workflow_button })))).toEqual(passed)
    expect(judged('home', holding(section({ accessory: elements.workflow_button })))).toMatchObject({
      messages: expect.arrayContaining([
        said('unsupported type: workflow_button', '/view/blocks/0/child_blocks/0/accessory/type'),
      ]),
    })
  })
})

describe('a card', () => {
  it('has buttons of different names', () => {
    expect(judged('message', [card({ actions: [button(1), button(2)] })])).toEqual(passed)
    expect(judged('message', [card({ actions: [button(1), button(1)] })])).toEqual(
      refusedAfterwards('message', [
        said('`action_id` "button-1" already exists', '/blocks/0/actions/1/action_id'),
      ]),
    )
  })

  it('has the rules of a card in a carousel too', () => {
    const other = card({ slack_icon: { type: 'icon', name: 'star' } })
    expect(judged('message', carousel(card({}), other))).toEqual(passed)
    expect(judged('message', carousel(card({}), { ...other, icon: picture }))).toEqual(
      refusedAfterwards('message', [saidOf('/blocks/0/elements/1')]),
    )
  })
})
