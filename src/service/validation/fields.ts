import { IANAZone } from 'luxon'
import { z } from 'zod'
import { type ParsedDateTime, parseDateTime, resolveDateTime } from './date-time.ts'
import { type ErrorDetails, toValidationError, type ValidationError, valueErrorDetails } from './errors.ts'

/** Applies to lists in bodies and queries. Duplicates count. */
const MAX_LIST_ITEMS = 100

export type FieldSchemas = Record<string, z.ZodType>
export type FieldValues<F extends FieldSchemas> = { [Name in keyof F]: z.output<F[Name]> }

/**
 * Validates each field separately, so that one invalid field hides neither the errors nor the values of the
 * others. Unknown fields are ignored, as in Pydantic.
 */
export function validateFields<F extends FieldSchemas>(
  fields: F,
  input: Record<string, unknown>,
  location: 'query' | 'body',
): { values: Partial<FieldValues<F>>; errors: ValidationError[] } {
  const values: Record<string, unknown> = {}
  const errors: ValidationError[] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    const { data, error } = field.safeParse(value, { reportInput: true })
    if (error) errors.push(...error.issues.map((issue) => toValidationError(issue, [location, name], input)))
    else if (data !== undefined) values[name] = data
  }
  return { values: values as Partial<FieldValues<F>>, errors }
}

/** The service's own ids are UUIDs, so any other text can be rejected without a query. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

const addError = (context: z.RefinementCtx, input: unknown, params: ErrorDetails): never => {
  context.addIssue({ code: 'custom', input, params })
  return z.NEVER
}

/** Text that PostgreSQL can store and UTF-8 can encode. */
export const textField = (maxLength: number) =>
  z
    .string()
    .refine((value) => value.isWellFormed(), { params: NOT_UNICODE_DETAILS })
    .refine((value) => !value.includes('\0'), { params: valueErrorDetails('NUL characters are not allowed') })
    .max(maxLength)

const NOT_UNICODE_DETAILS: ErrorDetails = {
  type: 'string_unicode',
  msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
}

export const requiredTextField = (maxLength: number) =>
  textField(maxLength).refine((value) => value.trim() !== '', { params: EMPTY_TEXT_DETAILS })

const EMPTY_TEXT_DETAILS: ErrorDetails = {
  type: 'string_too_short',
  msg: 'String should have at least 1 character',
  ctx: { min_length: 1 },
}

/** An absolute link or an empty string. */
export const linkField = (maxLength: number) =>
  textField(maxLength).refine((value) => value === '' || isLink(value), { params: NOT_A_LINK_DETAILS })

/** Node's `fetch` rejects URLs with a user name or a password. */
export const isUsableUrl = ({ protocol, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && !username && !password

/** `URL` removes white space, but other programs may not, so a link that contains any is invalid. */
const isLink = (text: string): boolean => !/\s/.test(text) && URL.canParse(text) && isUsableUrl(new URL(text))

const NOT_A_LINK_DETAILS = valueErrorDetails(
  'the link must be absolute, start with http:// or https://, and have no user name or password',
)

export const emailField = () =>
  textField(254)
    .transform((value) => value.trim())
    .refine((value) => z.regexes.email.test(value), { params: NOT_AN_EMAIL_DETAILS })

const NOT_AN_EMAIL_DETAILS: ErrorDetails = {
  type: 'value_error',
  msg: 'value is not a valid email address',
}

/** Checks the length first, because each invalid item adds an error. */
export const uniqueListField = <T extends z.ZodType>(item: T) =>
  z
    .unknown()
    .transform((value, context) => {
      const actual_length = Array.isArray(value) ? value.length : 0
      return actual_length > MAX_LIST_ITEMS ? addError(context, value, longListDetails(actual_length)) : value
    })
    .pipe(z.array(item))
    .transform((items) => [...new Set(items)])

const longListDetails = (actual_length: number): ErrorDetails => ({
  type: 'too_long',
  msg: `List should have at most ${MAX_LIST_ITEMS} items after validation, not ${actual_length}`,
  ctx: { field_type: 'List', max_length: MAX_LIST_ITEMS, actual_length },
})

export const timezoneField = () =>
  textField(64).refine(isTimeZone, {
    params: valueErrorDetails('unknown timezone; use an IANA name such as Europe/Berlin'),
  })

/** Luxon's check also knows the zones' other names, but takes longer than the rest of a request. */
const isTimeZone = (name: string): boolean =>
  ZONES.has(name) || (BEGINS_WITH_LETTER.test(name) && IANAZone.isValidZone(name))

const ZONES = new Set(Intl.supportedValuesOf('timeZone'))

/** Newer versions of Node.js also accept offsets such as +05:30 as time zones. */
const BEGINS_WITH_LETTER = /^[a-z]/i

export const dateTimeField = () =>
  z.unknown().transform((value, context): ParsedDateTime => {
    if (typeof value !== 'string')
      return addError(context, value, { type: 'datetime_type', msg: 'Input should be a valid datetime' })
    return parseDateTime(value) ?? addError(context, value, NOT_A_DATE_DETAILS)
  })

const NOT_A_DATE_DETAILS: ErrorDetails = {
  type: 'datetime_from_date_parsing',
  msg: 'Input should be a valid datetime or date',
}

/** If a query repeats a parameter that takes one value, the last one counts. */
const lastValue = (value: unknown) => (Array.isArray(value) ? value.at(-1) : value)

/** Unlike a post, a query has no Timezone, so dates without an offset are in UTC. */
export const queryDateTimeField = () => z.preprocess(lastValue, momentField())

export const momentField = () => dateTimeField().transform((dateTime) => resolveDateTime(dateTime, 'utc'))

/** A list in a query is a repeated parameter. If it occurs only once, it arrives as a string. */
export const queryListField = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), uniqueListField(item))

export const queryIntegerField = ({ min, max }: { min: number; max: number }) =>
  z.unknown().transform((input, context): number => {
    const value = String(lastValue(input))
    const integer = /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : Number.NaN
    if (integer >= min && integer <= max) return integer
    const tooSmall = { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${min}` }
    const tooLarge = { type: 'less_than_equal', msg: `Input should be less than or equal to ${max}` }
    if (integer < min) return addError(context, value, { ...tooSmall, ctx: { ge: min } })
    if (integer > max) return addError(context, value, { ...tooLarge, ctx: { le: max } })
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    return addError(context, value, { type: 'int_parsing', msg })
  })
