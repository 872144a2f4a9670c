import { z } from 'zod'
import { readJson } from '../json.ts'

// Arguments arrive as JSON or as a form. In a form every value is text, and objects and lists are JSON in that text.

/** In JSON, a number or boolean may replace a text. */
export const anyText = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string())
export const text = anyText.pipe(z.string().min(1))

export const flag = z.preprocess(
  (value) => (typeof value === 'string' ? value === 'true' || value === '1' : value),
  z.boolean().optional(),
)

export const integer = z.coerce.number().int()

export const commaSeparatedList = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value),
  z.array(z.string()).optional(),
)

/** Any JSON value, which is validated later. Text that is not valid JSON stays text. */
export const json = z.preprocess(
  (value) => (typeof value === 'string' ? (readJson(value) ?? value) : value),
  z.unknown(),
)

export const pagingArgs = (defaultLimit: number, maxLimit = 1000) => ({
  limit: integer.min(1).max(maxLimit).default(defaultLimit),
  cursor: anyText.optional(),
})

/** The arguments for the content of a message. */
export const contentArgs = {
  text: anyText.optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  markdown_text: anyText.optional(),
}
