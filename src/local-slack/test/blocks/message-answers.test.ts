import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { actions, blocks, button, type Part, plain, row, section } from './samples.ts'
import { said } from './validate.ts'

// Whole answers that bots have had from Slack and shown in public, word for word and in their order.

const validator = createBlockValidator()
const table = { type: 'table', rows: [row()] }
const schemas = (at: string) => said('failed to match all allowed schemas', at)
const filler = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }))
const plainButton = (more: Part = {}) => ({ type: 'button', text: plain('Press'), ...more })

const answers: [name: string, blocks: unknown[], messages: unknown[]][] = [
  [
    'a section whose text is too long',
    [section({ text: plain('x'.repeat(3001)) })],
    [schemas('/blocks/0/text'), said('must be less than 3001 characters', '/blocks/0/text/text')],
  ],
  [
    'a section whose mrkdwn has emoji',
    [...filler(3), section({ text: { type: 'mrkdwn', text: 'Hi', emoji: true } })],
    [schemas('/blocks/3/text'), said('invalid additional property: emoji', '/blocks/3/text')],
  ],
  [
    'a section without anything',
    [{ type: 'section' }],
    [said('must define either `text` or `fields`', '/blocks/0/type')],
  ],
  [
    'a section field that is too long',
    [...filler(2), { type: 'section', fields: [plain('x'.repeat(2001))] }],
    [said('must be less than 2001 characters', '/blocks/2/fields/0/text')],
  ],
  [
    'a section field that is empty',
    [{ type: 'section', fields: [plain(), plain('')] }],
    [said('must be more than 0 characters', '/blocks/0/fields/1/text')],
  ],
  [
    'an id that is null',
    [section({ block_id: null })],
    [said('must provide a string', '/blocks/0/block_id')],
  ],
  [
    'an accessory that is null',
    [section({ accessory: null })],
    [said('must provide an object', '/blocks/0/accessory')],
  ],
  ['fields that are null', [section({ fields: null })], [said('must provide an array', '/blocks/0/fields')]],
  ['51 blocks', filler(51), [said('no more than 50 items allowed', '/blocks')]],
  [
    '26 buttons in a row',
    [...filler(1), actions(...Array.from({ length: 26 }, (_, index) => button(index)))],
    [said('no more than 25 items allowed', '/blocks/1/elements')],
  ],
  [
    'two buttons of one name',
    [
      ...filler(1),
      actions(
        plainButton({ action_id: 'trigger_disambiguate' }),
        plainButton({ action_id: 'trigger_disambiguate' }),
      ),
    ],
    [said('`action_id` "trigger_disambiguate" already exists', '/blocks/1/elements/1/action_id')],
  ],
  [
    'a block with a text that it does not have',
    [...filler(1), { type: 'divider', text: plain() }],
    [said('invalid additional property: text', '/blocks/1')],
  ],
  [
    'a button that is disabled',
    [actions(plainButton({ disabled: true }))],
    [said('invalid additional property: disabled', '/blocks/0/elements/0')],
  ],
  [
    'a button of no style',
    [actions(plainButton({ style: '' }))],
    [said('must be a valid enum value', '/blocks/0/elements/0/style')],
  ],
  [
    'a file that is not named as one',
    [...filler(2), { type: 'image', alt_text: 'Cat', slack_file: { id: 'cat.png' } }],
    [said('input must match regex pattern: ^[F][A-Z0-9]{8,}$', '/blocks/2/slack_file/id')],
  ],
  [
    'a file whose address is odd',
    [{ type: 'image', alt_text: 'Cat', slack_file: { url: 'cat' } }],
    [said('invalid_url', '/blocks/0/slack_file.url')],
  ],
  ['two tables', [table, table], ['only_one_table_allowed']],
  [
    'two tables in markdown',
    [
      { type: 'markdown', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
      { type: 'markdown', text: '| c | d |\n|---|---|\n| 3 | 4 |' },
    ],
    ['only_one_table_allowed'],
  ],
  [
    'a plan whose title is a text object',
    [{ ...blocks.plan, title: plain() }],
    [said('must provide a string', '/blocks/0/title')],
  ],
  [
    'a card whose title is a text',
    [...filler(1), { type: 'carousel', elements: [{ type: 'card', title: 'Title' }] }],
    [said('must provide an object', '/blocks/1/elements/0/title')],
  ],
  [
    'an icon with an address',
    [
      {
        type: 'card',
        title: plain(),
        slack_icon: { type: 'icon', name: 'star', url: 'https://example.com' },
      },
    ],
    [said('invalid additional property: url', '/blocks/0/slack_icon')],
  ],
  [
    'a data table with the settings of a table',
    [{ ...blocks.data_table, column_settings: [] }],
    [said('invalid additional property: column_settings', '/blocks/0')],
  ],
  [
    'a task that is pending outside a plan',
    [{ ...blocks.task_card, status: 'pending' }],
    [said('must be a valid enum value', '/blocks/0/status')],
  ],
  [
    'an alert in a container',
    [{ ...blocks.container, child_blocks: [blocks.alert] }],
    [said('unsupported type: alert', '/blocks/0/child_blocks/0/type')],
  ],
]

describe('a message is answered as Slack has answered', () => {
  it.each(answers)('%s', (_name, given, messages) => {
    expect(validator.validateMessage(given)).toEqual({ error: 'invalid_blocks', messages })
  })

  it('what is no list', () => {
    expect(validator.validateMessage({ blocks: [{ type: 'divider' }] })).toEqual({
      error: 'invalid_blocks_format',
      messages: [],
    })
  })

  it('blocks of an attachment, which are somewhere else', () => {
    expect(validator.validateMessage([{ type: 'divider', text: plain() }], '/attachments/0/blocks')).toEqual({
      error: 'invalid_blocks',
      messages: [said('invalid additional property: text', '/attachments/0/blocks/0')],
    })
  })
})
