import { describe, expect, it } from 'vitest'
import {
  anything,
  type FieldKind,
  type Fields,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  required,
  string,
  testFields,
  typed,
} from './fields.ts'
import type { UnknownObject } from './samples.ts'
import { among, invalid, messageAt, VALID, validate } from './validate.ts'

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

const rich = (...elements: unknown[]) => ({ type: 'rich_text', block_id: 'rich', elements })
const sectionOf = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })

const asPart = among('message', '/0/elements/0', (part) => [rich(part)])
const asLeaf = among('message', '/0/elements/0/elements/0', (leaf) => [rich(sectionOf(leaf))])

const flags = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, optional(flag)]))
const allTrue = (fields: Fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, true]))

const decorations = flags('bold', 'italic', 'strike', 'code', 'underline')
const ofMentions = { ...decorations, ...flags('highlight', 'client_highlight', 'unlink') }
const style = allTrue(decorations)
const mentionStyle = allTrue(ofMentions)
const decorated = { style: optional(object(decorations)) }
const mention = { style: optional(object(ofMentions)) }
const border: FieldKind = (valid) => integer({ min: 0, max: 1 })(valid).filter(({ says }) => !says.length)

const leaves: [what: string, leaf: UnknownObject, fields: Fields][] = [
  ['a text', { type: 'text', text: 'Hi', style }, { text: required(string()), ...decorated }],
  [
    'a link',
    { type: 'link', url: 'https://example.com', text: 'Here', unsafe: true, style },
    { url: required(string()), text: optional(string()), unsafe: optional(flag), ...decorated },
  ],
  [
    'a mention of a person',
    { type: 'user', user_id: 'U1', style: mentionStyle },
    { user_id: required(string()), ...mention },
  ],
  [
    'a mention of a group',
    { type: 'usergroup', usergroup_id: 'S1', style: mentionStyle },
    { usergroup_id: required(string()), ...mention },
  ],
  [
    'a mention of a channel',
    { type: 'channel', channel_id: 'C1', style: mentionStyle },
    { channel_id: required(string()), ...mention },
  ],
  [
    'a mention of a team',
    { type: 'team', team_id: 'T1', style },
    { team_id: required(string()), ...decorated },
  ],
  [
    'an emoji',
    {
      type: 'emoji',
      name: 'wave',
      unicode: '1f44b',
      url: 'https://example.com/wave.png',
      skin_tone: 2,
      style,
    },
    {
      name: required(string()),
      unicode: optional(string()),
      url: optional(string()),
      skin_tone: optional(anything),
      ...decorated,
    },
  ],
  [
    'a broadcast',
    { type: 'broadcast', range: 'here', style },
    { range: required(oneOf('here', 'channel', 'everyone')), ...decorated },
  ],
  ['a colour', { type: 'color', value: '#1d4ed8', style }, { value: required(string()), ...decorated }],
  [
    'a date',
    {
      type: 'date',
      timestamp: 1_795_770_000,
      format: '{date_short}',
      url: 'https://example.com',
      fallback: '27 November',
      style,
    },
    {
      timestamp: required(integer({})),
      format: required(string()),
      url: optional(string()),
      fallback: optional(string()),
      ...decorated,
    },
  ],
]

describe.each(leaves)('%s in rich text', (_what, leaf, fields) => {
  testFields(leaf, typed(fields)(leaf), asLeaf)
})

const textLeaf = { type: 'text', text: 'Hi' }
const textLeafKind = typed({ text: required(string()) })

const parts: [what: string, part: UnknownObject, fields: Fields][] = [
  ['a section', sectionOf(textLeaf), { elements: required(list({ item: textLeafKind })) }],
  [
    'a list',
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [sectionOf(textLeaf)],
      indent: 1,
      offset: 1,
      border: 1,
    },
    {
      style: required(oneOf('bullet', 'ordered')),
      elements: required(list({ item: object({ elements: required(list({ item: textLeafKind })) }) })),
      indent: optional(integer({ min: 0, max: 8 })),
      offset: optional(integer({})),
      border: optional(border),
    },
  ],
  [
    'a quote',
    { type: 'rich_text_quote', elements: [textLeaf], border: 1 },
    { elements: required(list({ item: textLeafKind })), border: optional(border) },
  ],
  [
    'a preformatted part',
    { type: 'rich_text_preformatted', elements: [textLeaf], border: 1, language: 'sql' },
    {
      elements: required(list({ item: textLeafKind })),
      border: optional(border),
      language: optional(string()),
    },
  ],
]

describe.each(parts)('%s of rich text', (_what, part, fields) => {
  testFields(part, typed(fields)(part), asPart)

  it('may be empty', () => {
    expect(validate('message', [rich({ ...part, elements: [] })])).toEqual(VALID)
  })
})

describe('rich_text', () => {
  const whole = rich(sectionOf(textLeaf))
  const fields = { block_id: optional(string(255)), elements: required(list({})) }
  testFields(
    whole,
    typed(fields)(whole),
    among('message', '/0', (part) => [part]),
  )

  it('may be empty', () => {
    expect(validate('message', [rich()])).toEqual(VALID)
  })

  it('accepts a border of 0 or 1', () => {
    expect(validate('message', [rich({ type: 'rich_text_quote', elements: [], border: 2 })])).toEqual(
      invalid('message', [messageAt('must be a valid enum value', '/blocks/0/elements/0/border')]),
    )
  })

  it('allows only text and links in preformatted parts', () => {
    const withLeaf = (leaf: unknown) => [rich({ type: 'rich_text_preformatted', elements: [leaf] })]
    expect(validate('message', withLeaf({ type: 'link', url: 'https://example.com' }))).toEqual(VALID)
    expect(validate('message', withLeaf({ type: 'user', user_id: 'U1' }))).toEqual(
      invalid('message', [messageAt('unsupported type: user', '/blocks/0/elements/0/elements/0/type')]),
    )
  })

  it.each(['rich_text_list', 'rich_text_quote', 'rich_text'])('rejects %s among inline elements', (type) => {
    expect(validate('message', [rich(sectionOf({ type, elements: [] }))])).toEqual(
      invalid('message', [messageAt(`unsupported type: ${type}`, '/blocks/0/elements/0/elements/0/type')]),
    )
  })
})
