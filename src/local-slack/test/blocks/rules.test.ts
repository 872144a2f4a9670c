import { describe, expect, it } from 'vitest'
import { rules } from '../../blocks/rules.ts'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { brokenBlocks } from './broken-blocks.ts'
import { brokenElements } from './broken-elements.ts'
import { actions, button, elements, input, option, plain, row, section, table } from './samples.ts'
import { home, judged, modal, refusedAfterwards, said } from './validate.ts'

// What Slack looks at once each field is right.

const validator = createBlockValidator()
const inSection = (accessory: unknown) => [section({ accessory })]

const cases = { ...brokenBlocks, ...brokenElements }

describe.each(Object.entries(cases))('the rule that %s', (_rule, those) => {
  it.each(those)('refuses what %s, and no more', (_name, good, bad, says, surface = 'message') => {
    expect(judged(surface, good)).toEqual({ valid: expect.anything() })
    expect(judged(surface, bad)).toEqual(refusedAfterwards(surface, [says]))
  })
})

describe('the rule that a modal with an input has a submit', () => {
  const withInput = [{ type: 'divider' }, input(elements.plain_text_input)]
  const without = (given: unknown[]) => ({ type: 'modal', title: plain('Title'), blocks: given })

  it('refuses the one without, and no more', () => {
    expect(validator.validateView(modal(withInput), 'modal')).toEqual({
      valid: expect.anything(),
    })
    expect(validator.validateView(without(withInput), 'modal')).toEqual(
      refusedAfterwards('modal', [
        said('must define `submit` to use an `input` block in modals', '/view/blocks/1/input'),
      ]),
    )
  })

  it('is none for a modal without inputs, a Home tab or a message', () => {
    expect(validator.validateView(without([section()]), 'modal')).toEqual({
      valid: expect.anything(),
    })
    expect(validator.validateView(home(withInput), 'home')).toEqual({ valid: expect.anything() })
    expect(validator.validateMessage(withInput)).toEqual({ valid: withInput })
  })
})

describe('the rules', () => {
  it('have each a payload that breaks it', () => {
    const broken = ['a modal with an input block has a submit button', ...Object.keys(cases)]
    expect(broken.sort()).toEqual(Object.keys(rules).sort())
  })

  it.each<[string, unknown[]]>([
    ['one action id in two blocks', [actions(button(1)), actions(button(1))]],
    ['one action id beside two sections', [...inSection(button(1)), ...inSection(button(1))]],
    [
      'an initial option whose keys are in another order',
      inSection({
        type: 'static_select',
        options: [{ text: plain('One'), value: 'one' }],
        initial_option: { value: 'one', text: { text: 'One', emoji: true, type: 'plain_text' } },
      }),
    ],
    ['no options where the app is asked for them', inSection({ type: 'external_select' })],
    ['an initial option of which the app alone knows', inSection(elements.external_select)],
    [
      'two texts of options for one thing',
      inSection({ type: 'static_select', options: [option(1), { ...option(1), value: 'b' }] }),
    ],
  ])('have nothing against %s', (_name, given) => {
    expect(judged('message', given)).toEqual({ valid: given })
  })

  it('have nothing against two tables on a Home tab: one is the limit of a message', () => {
    expect(judged('home', [table(row()), table(row())])).toEqual({ valid: expect.anything() })
  })

  it('look at blocks only once the fields of all of them are right', () => {
    const wrong = { type: 'header', text: plain('x'.repeat(151)) }
    expect(judged('message', [{ type: 'section' }, wrong])).toEqual({
      error: 'invalid_blocks',
      messages: [said('must be less than 151 characters', '/blocks/1/text/text')],
    })
  })

  it('are all looked at, and each says what it finds', () => {
    const given = [{ type: 'section' }, actions(button(1), button(1)), { type: 'section' }]
    const verdict = judged('message', given)
    expect(verdict).toMatchObject({ error: 'invalid_blocks' })
    expect('messages' in verdict && [...verdict.messages].sort()).toEqual([
      said('`action_id` "button-1" already exists', '/blocks/1/elements/1/action_id'),
      said('must define either `text` or `fields`', '/blocks/0/type'),
      said('must define either `text` or `fields`', '/blocks/2/type'),
    ])
  })
})
