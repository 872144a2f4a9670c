import { z } from 'zod'
import { readJson } from '../json.ts'

// Arguments come as JSON, or as a form, where all is text and what is not plain is JSON inside it.

/** In JSON a number may stand where a text is meant, but nothing larger. */
export const anyText = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string())
export const text = anyText.pipe(z.string().min(1))

export const flag = z.preprocess(
  (value) => (typeof value === 'string' ? value === 'true' || value === '1' : value),
  z.boolean().optional(),
)

export const whole = z.coerce.number().int()

/** Many of them at once: so many, from where the last page ended. */
export const paging = (usual: number, most = 1000) => ({
  limit: whole.min(1).max(most).default(usual),
  cursor: anyText.optional(),
})

export const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
  z.array(z.string()).optional(),
)

/** Whatever it holds: a judge looks at that. Text that is no JSON stays text. */
export const json = z.preprocess(
  (value) => (typeof value === 'string' ? (readJson(value) ?? value) : value),
  z.unknown(),
)
