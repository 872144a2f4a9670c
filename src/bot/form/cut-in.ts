import type { Initial } from './field.ts'
import type { Form } from './form.ts'

/** What is longer than its field is cut, and said to be: nobody is to find out on the day it is published. */
export const cutIn = ({ fields }: Form, values: Record<string, Initial>): string[] =>
  Object.entries(fields).flatMap(([name, { label, most = Number.POSITIVE_INFINITY }]) => {
    const value = values[name]
    const left = typeof value === 'string' ? value.length - most : 0
    return left > 0
      ? [
          `${label} holds ${most} characters: the last ${left} of what was given did not fit, and are not here.`,
        ]
      : []
  })
