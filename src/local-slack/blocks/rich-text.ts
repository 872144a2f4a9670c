import { z } from 'zod'
import { count, flag, id, text } from './objects.ts'

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

const leaf = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape, style })

const word = z.string().min(1)
const maybe = z.string().optional()

const textLeaf = leaf('text', { text: word })
const link = leaf('link', { url: word, text: maybe, unsafe: flag })

const inline = z.discriminatedUnion('type', [
  textLeaf,
  link,
  leaf('user', { user_id: word }),
  leaf('usergroup', { usergroup_id: word }),
  leaf('channel', { channel_id: word }),
  leaf('team', { team_id: word }),
  leaf('emoji', { name: word, unicode: maybe, url: maybe, skin_tone: z.int().optional() }),
  leaf('broadcast', { range: z.enum(['here', 'channel', 'everyone']) }),
  leaf('color', { value: word }),
  leaf('date', { timestamp: z.int(), format: word, url: maybe, fallback: maybe }),
])

const border = z.literal([0, 1]).optional()
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) })

const part = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section),
    indent: count(8),
    offset: count(1_000_000),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [textLeaf, link])),
    border,
    language: text(255).optional(),
  }),
])

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: id,
  elements: z.array(part),
})
