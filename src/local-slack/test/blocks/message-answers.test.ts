import { describe, expect, it } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { actions, blocks, button, plain, row, section, type UnknownObject } from './samples.ts'
import { messageAt } from './validate.ts'

// Complete responses from Slack that developers have published.

const validator = createBlockValidator()
const table = { type: 'table', rows: [row()] }
const schemas = (at: string) => messageAt('failed to match all allowed schemas', at)
const filler = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }))
const plainButton = (more: UnknownObject = {}) => ({ type: 'button', text: plain('Press'), ...more })

const answers: [name: string, blocks: unknown[], messages: unknown[]][] = [
  [
    'a section whose text is too long',
    [section({ text: plain('x'.repeat(3001)) })],
    [schemas('/blocks/0/text'), messageAt('must be less than 3001 characters', '/blocks/0/text/text')],
  ],
  [
    'a section whose mrkdwn has emoji',
    [...filler(3), section({ text: { type: 'mrkdwn', text: 'Hi', emoji: true } })],
    [schemas('/blocks/3/text'), messageAt('invalid additional property: emoji', '/blocks/3/text')],
  ],
  [
    'a section without anything',
    [{ type: 'section' }],
    [messageAt('must define either `text` or `fields`', '/blocks/0/type')],
  ],
  [
    'a section field that is too long',
    [...filler(2), { type: 'section', fields: [plain('x'.repeat(2001))] }],
    [messageAt('must be less than 2001 characters', '/blocks/2/fields/0/text')],
  ],
  [
    'a section field that is empty',
    [{ type: 'section', fields: [plain(), plain('')] }],
    [messageAt('must be more than 0 characters', '/blocks/0/fields/1/text')],
  ],
  [
    'an id that is null',
    [section({ block_id: null })],
    [messageAt('must provide a string', '/blocks/0/block_id')],
  ],
  [
    'an accessory that is null',
    [section({ accessory: null })],
    [messageAt('must provide an object', '/blocks/0/accessory')],
  ],
  [
    'fields that are null',
    [section({ fields: null })],
    [messageAt('must provide an array', '/blocks/0/fields')],
  ],
  ['51 blocks', filler(51), [messageAt('no more than 50 items allowed', '/blocks')]],
  [
    '26 buttons in a row',
    [...filler(1), actions(...Array.from({ length: 26 }, (_, index) => button(index)))],
    [messageAt('no more than 25 items allowed', '/blocks/1/elements')],
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
    [messageAt('`action_id` "trigger_disambiguate" already exists', '/blocks/1/elements/1/action_id')],
  ],
  [
    'a block with a text that it does not have',
    [...filler(1), { type: 'divider', text: plain() }],
    [messageAt('invalid additional property: text', '/blocks/1')],
  ],
  [
    'a button that is disabled',
    [actions(plainButton({ disabled: true }))],
    [messageAt('invalid additional property: disabled', '/blocks/0/elements/0')],
  ],
  [
    'a button of no style',
    [actions(plainButton({ style: '' }))],
    [messageAt('must be a valid enum value', '/blocks/0/elements/0/style')],
  ],
  [
    'a file that is not named as one',
    [...filler(2), { type: 'image', alt_text: 'Cat', slack_file: { id: 'cat.png' } }],
    [messageAt('input must match regex pattern: ^[F][A-Z0-9]{8,}$', '/blocks/2/slack_file/id')],
  ],
  [
    'a file whose address is odd',
    [{ type: 'image', alt_text: 'Cat', slack_file: { url: 'cat' } }],
    [messageAt('invalid_url', '/blocks/0/slack_file.url')],
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
    [messageAt('must provide a string', '/blocks/0/title')],
  ],
  [
    'a card whose title is a text',
    [...filler(1), { type: 'carousel', elements: [{ type: 'card', title: 'Title' }] }],
    [messageAt('must provide an object', '/blocks/1/elements/0/title')],
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
    [messageAt('invalid additional property: url', '/blocks/0/slack_icon')],
  ],
  [
    'a data table with the settings of a table',
    [{ ...blocks.data_table, column_settings: [] }],
    [messageAt('invalid additional property: column_settings', '/blocks/0')],
  ],
  [
    'a task that is pending outside a plan',
    [{ ...blocks.task_card, status: 'pending' }],
    [messageAt('must be a valid enum value', '/blocks/0/status')],
  ],
  [
    'an alert in a container',
    [{ ...blocks.container, child_blocks: [blocks.alert] }],
    [messageAt('unsupported type: alert', '/blocks/0/child_blocks/0/type')],
  ],
]

describe('real Slack responses to messages', () => {
  it.each(answers)('%s', (_name, given, messages) => {
    expect(validator.validateMessage(given)).toEqual({ error: 'invalid_blocks', messages })
  })

  it('returns invalid_blocks_format for blocks that are not a list', () => {
    expect(validator.validateMessage({ blocks: [{ type: 'divider' }] })).toEqual({
      error: 'invalid_blocks_format',
      messages: [],
    })
  })

  it('returns the JSON pointers of blocks in attachments', () => {
    expect(validator.validateMessage([{ type: 'divider', text: plain() }], '/attachments/0/blocks')).toEqual({
      error: 'invalid_blocks',
      messages: [messageAt('invalid additional property: text', '/attachments/0/blocks/0')],
    })
  })
})
