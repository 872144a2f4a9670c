import { describe, expect, it } from 'vitest'
import { rules } from '../../blocks/rules.ts'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { brokenBlocks } from './broken-blocks.ts'
import { brokenElements } from './broken-elements.ts'
import { actions, button, elements, input, option, plain, section } from './samples.ts'
import { home, invalidByRules, messageAt, modal, validate } from './validate.ts'

// The rules that Slack checks after the fields.

const validator = createBlockValidator()
const inSection = (accessory: unknown) => [section({ accessory })]

const cases = { ...brokenBlocks, ...brokenElements }

describe.each(Object.entries(cases))('the rule "%s"', (_rule, those) => {
  it.each(those)('rejects blocks when something %s', (_name, good, bad, says, surface = 'message') => {
    expect(validate(surface, good)).toEqual({ valid: expect.anything() })
    expect(validate(surface, bad)).toEqual(invalidByRules(surface, [says]))
  })
})

describe('a modal with an input block', () => {
  const withInput = [{ type: 'divider' }, input(elements.plain_text_input)]
  const omitField = (given: unknown[]) => ({ type: 'modal', title: plain('Title'), blocks: given })

  it('is rejected without a submit button', () => {
    expect(validator.validateView(modal(withInput), 'modal')).toEqual({
      valid: expect.anything(),
    })
    expect(validator.validateView(omitField(withInput), 'modal')).toEqual(
      invalidByRules('modal', [
        messageAt('must define `submit` to use an `input` block in modals', '/view/blocks/1/input'),
      ]),
    )
  })

  it('needs no submit button without inputs or on another surface', () => {
    expect(validator.validateView(omitField([section()]), 'modal')).toEqual({
      valid: expect.anything(),
    })
    expect(validator.validateView(home(withInput), 'home')).toEqual({ valid: expect.anything() })
    expect(validator.validateMessage(withInput)).toEqual({ valid: withInput })
  })
})

describe('the check of the rules', () => {
  it('has a test that breaks each rule', () => {
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
      'equal values in a select menu',
      inSection({ type: 'static_select', options: [option(1), { ...option(2), value: 'option-1' }] }),
    ],
    [
      'a date whose time is a text',
      [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [{ type: 'date', timestamp: '1795770000', format: '{date}' }],
            },
          ],
        },
      ],
    ],
    [
      'two texts of options for one thing',
      inSection({ type: 'static_select', options: [option(1), { ...option(1), value: 'b' }] }),
    ],
  ])('accepts %s', (_name, given) => {
    expect(validate('message', given)).toEqual({ valid: given })
  })

  it('runs only if all fields are valid', () => {
    const wrong = { type: 'header', text: plain('x'.repeat(151)) }
    expect(validate('message', [{ type: 'section' }, wrong])).toEqual({
      error: 'invalid_blocks',
      messages: [messageAt('must be less than 151 characters', '/blocks/1/text/text')],
    })
  })

  it('runs all rules, and reports all problems', () => {
    const given = [{ type: 'section' }, actions(button(1), button(1)), { type: 'section' }]
    const result = validate('message', given)
    expect(result).toMatchObject({ error: 'invalid_blocks' })
    expect('messages' in result && [...result.messages].sort()).toEqual([
      messageAt('`action_id` "button-1" already exists', '/blocks/1/elements/1/action_id'),
      messageAt('must define either `text` or `fields`', '/blocks/0/type'),
      messageAt('must define either `text` or `fields`', '/blocks/2/type'),
    ])
  })
})

describe('half of a character', () => {
  const half = '\ud83d'

  it.each([
    ['a section', [{ type: 'section', text: { type: 'plain_text', text: half } }], '/blocks/0/text/text'],
    [
      'rich text',
      [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: `a${half}` }] }],
        },
      ],
      '/blocks/0/elements/0/elements/0/text',
    ],
    ["a button's value", [actions({ ...button(1), value: half })], '/blocks/0/elements/0/value'],
  ])('is rejected in %s', (_where, given, path) => {
    expect(validate('message', given)).toMatchObject({
      messages: expect.arrayContaining([messageAt('must be well-formed Unicode', path)]),
    })
  })
})
