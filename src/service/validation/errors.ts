import type { z } from 'zod'

const MAX_VALIDATION_ERRORS = 100
/** The longest input, measured as JSON, that a validation error repeats. */
const MAX_ERROR_INPUT_LENGTH = 1_000

/** One problem with a request, in the format of FastAPI and Pydantic 2. */
export type ValidationError = {
  type: string
  loc: (string | number)[]
  msg: string
  input?: unknown
  ctx?: Record<string, unknown> | undefined
}

/** Ends a request with an error response. */
export class RequestError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 412 | 422 | 428 | 429
  readonly detail: string | ValidationError[]

  constructor(status: RequestError['status'], detail: RequestError['detail']) {
    super(typeof detail === 'string' ? detail : 'The request is invalid.')
    this.status = status
    this.detail = detail
  }
}

export const notFound = (detail = 'Not Found') => new RequestError(404, detail)
export const validationFailed = (...errors: ValidationError[]) =>
  new RequestError(422, errors.slice(0, MAX_VALIDATION_ERRORS).map(omitLongInput))

/** Each error can repeat the whole body, so without a limit the response would be many times as long as the request. */
function omitLongInput({ input, ...error }: ValidationError): ValidationError {
  const isLong = (JSON.stringify(input)?.length ?? 0) > MAX_ERROR_INPUT_LENGTH
  return isLong ? error : { ...error, input }
}

/** The part of a validation error that doesn't depend on the field. Custom zod issues carry it as `params`. */
export type ErrorDetails = Pick<ValidationError, 'type' | 'msg' | 'ctx'>

type Location = ValidationError['loc']

export function createValidationError({ type, msg, ctx }: ErrorDetails, loc: Location, input: unknown) {
  return { type, loc, msg, input, ctx }
}

export const missingField = (loc: Location, input: unknown): ValidationError =>
  createValidationError({ type: 'missing', msg: 'Field required' }, loc, input)

export const valueErrorDetails = (reason: string): ErrorDetails => ({
  type: 'value_error',
  msg: `Value error, ${reason}`,
  ctx: { error: reason },
})

/** Reports that a value breaks a rule that its type can't express. A field without a location is in the body. */
export const valueError = (field: string | Location, reason: string, input: unknown): ValidationError =>
  createValidationError(valueErrorDetails(reason), Array.isArray(field) ? field : ['body', field], input)

export function toValidationError(issue: z.core.$ZodIssue, fieldLoc: Location, wholeInput: unknown) {
  const loc = [...fieldLoc, ...(issue.path as Location)]
  const isMissing = issue.input === undefined && ['invalid_type', 'invalid_value'].includes(issue.code)
  if (isMissing) return missingField(loc, wholeInput)
  // The response, in UTF-8, can't contain a string that isn't well-formed Unicode.
  const isEncodable = typeof issue.input !== 'string' || issue.input.isWellFormed()
  return createValidationError(describeIssue(issue), loc, isEncodable ? issue.input : null)
}

function describeIssue(issue: z.core.$ZodIssue): ErrorDetails {
  switch (issue.code) {
    case 'invalid_type':
      return WRONG_TYPE_DETAILS[issue.expected] ?? { type: issue.expected, msg: issue.message }
    case 'too_big':
      return {
        type: 'string_too_long',
        msg: `String should have at most ${issue.maximum} characters`,
        ctx: { max_length: issue.maximum },
      }
    case 'invalid_value': {
      const expected = LIST_FORMAT.format(issue.values.map((value) => `'${String(value)}'`))
      return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'custom':
      return issue.params as ErrorDetails
    default:
      return valueErrorDetails(issue.message)
  }
}

/** Pydantic, like British English, has no comma before "or". */
const LIST_FORMAT = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const NOT_AN_OBJECT_DETAILS: ErrorDetails = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
}

const WRONG_TYPE_DETAILS: Record<string, ErrorDetails> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: NOT_AN_OBJECT_DETAILS,
}
