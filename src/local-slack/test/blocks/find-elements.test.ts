import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { fillDefaults } from '../../blocks/find-elements.ts'
import { actions, context, image, input, plain, section, type UnknownObject } from './samples.ts'

const press = (action_id?: string) => ({ type: 'button', text: plain(), ...(action_id && { action_id }) })

const named = (...parts: UnknownObject[]) => {
  let last = 0
  // The test's payloads are plain objects; what names them trusts their types.
  return fillDefaults({ blocks: parts as unknown as KnownBlock[] }, () => {
    last += 1
    return `made-${last}`
  }).blocks
}

const idsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        (key === 'block_id' || key === 'action_id') && typeof inner === 'string' ? [inner] : idsIn(inner),
      )

describe('fillDefaults', () => {
  it('keeps existing ids', () => {
    const given = [
      section({ block_id: 'a', accessory: press('b') }),
      { ...actions(press('c'), press('d')), block_id: 'e' },
      input({ type: 'plain_text_input', action_id: 'f' }, { block_id: 'g' }),
      { type: 'context_actions', block_id: 'h', elements: [{ type: 'icon_button', action_id: 'i' }] },
    ]
    expect(named(...given)).toEqual(given)
  })

  it('adds a different id to each block and element that lacks one', () => {
    const all = named(
      section({ accessory: press() }),
      actions(press(), press()),
      input({ type: 'datepicker' }),
      { type: 'context_actions', elements: [{ type: 'feedback_buttons' }, { type: 'icon_button' }] },
      { type: 'divider' },
    )
    expect(all).toMatchObject([
      { block_id: expect.any(String), accessory: { action_id: expect.any(String) } },
      {
        block_id: expect.any(String),
        elements: [{ action_id: expect.any(String) }, { action_id: expect.any(String) }],
      },
      { block_id: expect.any(String), element: { action_id: expect.any(String) } },
      {
        block_id: expect.any(String),
        elements: [{ action_id: expect.any(String) }, { action_id: expect.any(String) }],
      },
      { block_id: expect.any(String) },
    ])
    const ids = idsIn(all)
    expect(ids).toHaveLength(11)
    expect(new Set(ids).size).toBe(11)
  })

  it('replaces empty ids', () => {
    expect(named(section({ block_id: '', accessory: { ...press(), action_id: '' } }))).toMatchObject([
      {
        block_id: expect.stringMatching(/^made-/),
        accessory: { action_id: expect.stringMatching(/^made-/) },
      },
    ])
  })

  it('adds no ids to images and text objects', () => {
    const [beside, below] = named(section({ accessory: image }), context(image, plain()))
    expect(beside).toEqual({ ...section({ accessory: image }), block_id: expect.any(String) })
    expect(below).toEqual({ ...context(image, plain()), block_id: expect.any(String) })
  })

  it('does not change its argument', () => {
    const given = [section({ accessory: press() }), actions(press()), input({ type: 'datepicker' })]
    const before = structuredClone(given)
    named(...given)
    expect(given).toEqual(before)
  })

  it('adds ids to blocks inside a container', () => {
    const child = section({ accessory: press() })
    expect(named({ type: 'container', title: plain(), child_blocks: [child] })).toMatchObject([
      { child_blocks: [{ block_id: expect.any(String), accessory: { action_id: expect.any(String) } }] },
    ])
  })

  it('adds ids to the buttons of a card', () => {
    const card = { type: 'card', title: plain(), actions: [press()] }
    expect(named(card)).toMatchObject([{ actions: [{ action_id: expect.any(String) }] }])
  })

  it('adds ids to the buttons of cards in a carousel', () => {
    const card = { type: 'card', title: plain(), actions: [press()] }
    expect(named({ type: 'carousel', elements: [card] })).toMatchObject([
      { elements: [{ actions: [{ action_id: expect.any(String) }] }] },
    ])
  })
})
