import { isUtf8 } from 'node:buffer'
import { MAX_JSON_DEPTH } from '../values-and-limits.ts'
import { createError, missingField, NOT_AN_OBJECT_DETAILS, RequestError, validationFailed } from './errors.ts'

/** Like FastAPI, accepts a JSON object whose content type is JSON or missing. */
export function parseJsonBody(contentType: string | undefined, body: Buffer): Record<string, unknown> {
  if (!body.length) throw validationFailed(missingField(['body'], null))
  if (!isUtf8(body)) throw new RequestError(400, 'There was an error parsing the body: invalid UTF-8.')
  const text = new TextDecoder().decode(body)
  const value = !contentType || JSON_TYPE.test(contentType) ? parseJson(text) : text
  if (isDeeperThan(MAX_JSON_DEPTH, value))
    throw new RequestError(400, `There was an error parsing the body: more than ${MAX_JSON_DEPTH} levels.`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validationFailed(createError(NOT_AN_OBJECT_DETAILS, ['body'], value))
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
    return rejectJson(text)
  }
}

const SPACE = /[ \t\n\r]*/y
const BRACKET = /[{}[\]]/y
const COLON = /:/y
const COMMA = /,/y
const QUOTE = /"/y
const LITERAL = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y

/** Finds the first error in invalid JSON and words it like Python's JSON parser, as FastAPI's responses do. */
function rejectJson(text: string): never {
  let position = 0
  /** What closes the objects and lists around the position. */
  const closingBrackets: string[] = []

  const fail = (error: string, at = position): never => {
    const details = { type: 'json_invalid', msg: 'JSON decode error', ctx: { error } }
    throw validationFailed(createError(details, ['body', at], {}))
  }

  /** Skips the pattern and the space after it. Returns false if the text doesn't continue with the pattern. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = position
    if (!pattern.test(text)) return false
    SPACE.lastIndex = pattern.lastIndex
    SPACE.test(text)
    position = SPACE.lastIndex
    return true
  }

  const skipString = () => {
    STRING_START.lastIndex = position
    STRING_START.test(text)
    const end = STRING_START.lastIndex
    const [char = '', escaped = ''] = text.slice(end, end + 2)
    if (char && char < ' ') fail('Invalid control character at', end)
    if (char === '\\' && escaped === 'u') fail('Invalid \\uXXXX escape', end + 1)
    if (char === '\\' && escaped) fail('Invalid \\escape', end)
    if (char !== '"') fail('Unterminated string starting at')
    position = end
    skip(QUOTE)
  }

  skip(SPACE)
  for (;;) {
    if (closingBrackets.at(-1) === '}') {
      if (text[position] !== '"') fail('Expecting property name enclosed in double quotes')
      skipString()
      if (!skip(COLON)) fail("Expecting ':' delimiter")
    }
    const char = text[position]
    if (char === '"') skipString()
    else if (char === '{' || char === '[') {
      closingBrackets.push(char === '{' ? '}' : ']')
      skip(BRACKET)
      if (text[position] !== closingBrackets.at(-1)) continue
    } else if (!skip(LITERAL)) fail('Expecting value')

    while (closingBrackets.length && text[position] === closingBrackets.at(-1)) {
      closingBrackets.pop()
      skip(BRACKET)
    }
    if (!closingBrackets.length) fail('Extra data')
    if (!skip(COMMA)) fail("Expecting ',' delimiter")
  }
}
