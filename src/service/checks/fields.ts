import { IANAZone } from 'luxon'
import { z } from 'zod'
import type { FaultParams } from './fault.ts'
import { type Moment, readMoment } from './moment.ts'

const fail = (ctx: z.RefinementCtx, input: unknown, params: FaultParams): never => {
  ctx.addIssue({ code: 'custom', input, params })
  return z.NEVER
}

/** Text that PostgreSQL and UTF-8 can hold: what they cannot would come back changed, or not at all. */
export const text = (max: number) =>
  z
    .string()
    .superRefine((value, ctx) => {
      if (!value.isWellFormed())
        fail(ctx, NOT_SHOWN, {
          type: 'string_unicode',
          msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
        })
      if (value.includes('\0')) fail(ctx, value, valueError('NUL characters are not allowed'))
    })
    .max(max)

/** A lone surrogate cannot be echoed either. */
const NOT_SHOWN = null

const valueError = (reason: string): FaultParams => ({
  type: 'value_error',
  msg: `Value error, ${reason}`,
  ctx: { error: reason },
})

export const filledText = (max: number) =>
  text(max).refine((value) => value.trim() !== '', {
    params: {
      type: 'string_too_short',
      msg: 'String should have at least 1 character',
      ctx: { min_length: 1 },
    } satisfies FaultParams,
  })

export const email = () =>
  text(254)
    .transform((value) => value.trim())
    .superRefine((value, ctx) => {
      const reason = whyNoEmail(value)
      if (reason)
        fail(ctx, value, {
          type: 'value_error',
          msg: `value is not a valid email address: ${reason}`,
          ctx: { reason },
        })
    })

function whyNoEmail(value: string): string | undefined {
  const at = value.lastIndexOf('@')
  if (at < 0) return 'An email address must have an @-sign.'
  if (at === 0) return 'There must be something before the @-sign.'
  if (at === value.length - 1) return 'There must be something after the @-sign.'
  if (!value.slice(at).includes('.'))
    return 'The part after the @-sign is not valid. It should have a period.'
  if (!z.email().safeParse(value).success)
    return 'The email address contains invalid characters or periods in the wrong place.'
  return undefined
}

export const choice = <const T extends string>(values: readonly T[]) => z.enum(values)

export const list = <T extends z.ZodType>(item: T) => z.array(item).transform((items) => [...new Set(items)])

/** Of a key that is repeated where one value is meant, the last one counts. */
const lastOf = (value: unknown) => (Array.isArray(value) ? value.at(-1) : value)

/** In a query a list is its key, repeated: one value alone arrives as a string. */
export const queryList = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item))

export const timezone = () =>
  text(64).superRefine((value, ctx) => {
    if (!IANAZone.isValidZone(value))
      fail(ctx, value, valueError('there is no such timezone; use an IANA name such as Europe/Berlin'))
  })

export const queryMoment = () => z.preprocess(lastOf, moment())

/** A moment as Pydantic reads one, or a fault in its words. */
export const moment = () =>
  z.unknown().transform((value, ctx): Moment => {
    if (typeof value !== 'string')
      return fail(ctx, value, { type: 'datetime_type', msg: 'Input should be a valid datetime' })
    const read = readMoment(value)
    if (!('error' in read)) return read
    return fail(ctx, value, {
      type: 'datetime_from_date_parsing',
      msg: `Input should be a valid datetime or date, ${read.error}`,
      ctx: { error: read.error },
    })
  })

export const queryInteger = ({ min, max }: { min: number; max: number }) =>
  z.unknown().transform((given, ctx): number => {
    const value = lastOf(given)
    if (typeof value !== 'string' || !/^\s*[+-]?\d+\s*$/.test(value))
      return fail(ctx, value, {
        type: 'int_parsing',
        msg: 'Input should be a valid integer, unable to parse string as an integer',
      })
    const integer = Number(value)
    if (integer < min)
      return fail(ctx, value, {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${min}`,
        ctx: { ge: min },
      })
    if (integer > max)
      return fail(ctx, value, {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${max}`,
        ctx: { le: max },
      })
    return integer
  })
