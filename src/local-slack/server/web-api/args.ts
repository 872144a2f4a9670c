import { z } from 'zod'

// Arguments come as JSON, or as a form, where all is text and what is not plain is JSON inside it.

export const text = z.coerce.string().min(1)
export const anyText = z.coerce.string()

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
export const json = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}, z.unknown())
