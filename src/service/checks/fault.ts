import type { z } from 'zod'

/** One thing wrong with a request, in the words of FastAPI with Pydantic 2: its clients can read ours. */
export type Fault = {
  type: string
  loc: (string | number)[]
  msg: string
  input?: unknown
  ctx?: Record<string, unknown>
}

export const missing = (loc: Fault['loc'], input: unknown): Fault => ({
  type: 'missing',
  loc,
  msg: 'Field required',
  input,
})

/** A rule of ours, which no type can tell. */
export const brokenRule = (loc: Fault['loc'], reason: string, input: unknown): Fault => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${reason}`,
  input,
  ctx: { error: reason },
})

/** What a field's own check says of a value, to be passed to zod as the `params` of a custom issue. */
export type FaultParams = { type: string; msg: string; ctx?: Record<string, unknown> }

export function faultOf(issue: z.core.$ZodIssue, at: Fault['loc'], whole: unknown): Fault {
  const loc = [...at, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
  if (issue.code === 'invalid_type' && issue.input === undefined) return missing(loc, whole)
  const { type, msg, ctx } = describe(issue)
  return { type, loc, msg, input: issue.input, ...(ctx && { ctx }) }
}

function describe(issue: z.core.$ZodIssue): FaultParams {
  switch (issue.code) {
    case 'invalid_type':
      return WRONG_TYPE[issue.expected] ?? { type: issue.expected, msg: issue.message }
    case 'too_big':
      return {
        type: 'string_too_long',
        msg: `String should have at most ${issue.maximum} characters`,
        ctx: { max_length: issue.maximum },
      }
    case 'invalid_value': {
      const expected = inWords(issue.values.map((value) => `'${String(value)}'`))
      return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'custom':
      return issue.params as FaultParams
    default:
      return { type: 'value_error', msg: `Value error, ${issue.message}`, ctx: { error: issue.message } }
  }
}

const WRONG_TYPE: Record<string, FaultParams> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
}

function inWords(values: string[]): string {
  const last = values.at(-1) ?? ''
  return values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last
}
