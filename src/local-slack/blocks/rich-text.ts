import { z } from 'zod'
import { count, flag, id, text, wellFormed } from './objects.ts'

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

const style = z
  .strictObject({
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  })
  .optional()

const inlineElement = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape, style })

const nonEmpty = wellFormed.min(1)
const optionalString = wellFormed.optional()

const textElement = inlineElement('text', { text: nonEmpty })
const linkElement = inlineElement('link', { url: nonEmpty, text: optionalString, unsafe: flag })

const inlineElements = z.discriminatedUnion('type', [
  textElement,
  linkElement,
  inlineElement('user', { user_id: nonEmpty }),
  inlineElement('usergroup', { usergroup_id: nonEmpty }),
  inlineElement('channel', { channel_id: nonEmpty }),
  inlineElement('team', { team_id: nonEmpty }),
  inlineElement('emoji', {
    name: nonEmpty,
    unicode: optionalString,
    url: optionalString,
    skin_tone: z.int().optional(),
  }),
  inlineElement('broadcast', { range: z.enum(['here', 'channel', 'everyone']) }),
  inlineElement('color', { value: nonEmpty }),
  inlineElement('date', {
    timestamp: z.preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
      z.int(),
    ),
    format: nonEmpty,
    url: optionalString,
    fallback: optionalString,
  }),
])

const border = z.literal([0, 1]).optional()
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inlineElements) })

const richTextPart = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section),
    indent: count(8),
    offset: count(1_000_000),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inlineElements), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [textElement, linkElement])),
    border,
    language: text(255).optional(),
  }),
])

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: id,
  elements: z.array(richTextPart),
})
