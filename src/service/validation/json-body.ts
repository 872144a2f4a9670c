import { isUtf8 } from 'node:buffer'
import {
  createValidationError,
  missingField,
  NOT_AN_OBJECT_DETAILS,
  RequestError,
  validationFailed,
} from './errors.ts'

/** How deeply lists and objects may be nested in a body. */
const MAX_JSON_DEPTH = 20

/** Accepts a JSON object whose content type is JSON or missing, like FastAPI before version 0.132. */
export function parseJsonBody(contentType: string | undefined, body: Buffer): Record<string, unknown> {
  if (!body.length) throw validationFailed(missingField(['body'], null))
  if (!isUtf8(body)) throw new RequestError(400, 'There was an error parsing the body: invalid UTF-8.')
  const text = new TextDecoder().decode(body)
  const value = !contentType || JSON_TYPE.test(contentType) ? parseJson(text) : text
  if (isDeeperThan(MAX_JSON_DEPTH, value))
    throw new RequestError(
      400,
      `There was an error parsing the body: more than ${MAX_JSON_DEPTH} levels of nesting.`,
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validationFailed(createValidationError(NOT_AN_OBJECT_DETAILS, ['body'], value))
  return value as Record<string, unknown>
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const details = { type: 'json_invalid', msg: 'JSON decode error', ctx: { error: 'Invalid JSON' } }
    throw validationFailed(createValidationError(details, ['body', 0], {}))
  }
}
