import { createError, missingField, NOT_AN_OBJECT_DETAILS, type ValidationError } from './validation-error.ts'

type JsonBody = { fields: Record<string, unknown> } | { error: ValidationError } | { isInvalidUtf8: true }

/** Like FastAPI, accepts a JSON object whose content type is JSON or missing. */
export function parseJsonBody(contentType: string | undefined, body: Buffer | undefined): JsonBody {
  if (!body?.length) return { error: missingField(['body'], null) }
  const text = decodeUtf8(body)
  if (text === undefined) return { isInvalidUtf8: true }
  if (contentType && !isJsonType(contentType)) return { error: notAnObject(text) }
  const json = parseJson(text)
  if ('error' in json) return { error: json.error }
  const { value } = json
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { error: notAnObject(value) }
  return { fields: value as Record<string, unknown> }
}

const isJsonType = (contentType: string) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)

function decodeUtf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parseJson(text: string): { value: unknown } | { error: ValidationError } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const { position, error } = findJsonError(text)
    const details = { type: 'json_invalid', msg: 'JSON decode error', ctx: { error } }
    return { error: createError(details, ['body', position], {}) }
  }
}

const notAnObject = (input: unknown) => createError(NOT_AN_OBJECT_DETAILS, ['body'], input)

type JsonError = { position: number; error: string }

/**
 * Finds the first error in invalid JSON and words it like Python's JSON parser, as FastAPI's responses do.
 */
function findJsonError(text: string): JsonError {
  let position = 0
  const errorAt = (error: string, at = position): JsonError => ({ position: at, error })
  const skipSpace = () => {
    while (/[ \t\n\r]/.test(text[position] ?? '')) position++
  }

  const readValue = (): JsonError | undefined => {
    const char = text[position]
    if (char === '{') return readItems('}', readMember)
    if (char === '[') return readItems(']', readValue)
    if (char === '"') return readString()
    const literal = /(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
    literal.lastIndex = position
    const match = literal.exec(text)
    if (!match) return errorAt('Expecting value')
    position += match[0].length
    return undefined
  }

  const readItems = (end: string, readItem: () => JsonError | undefined): JsonError | undefined => {
    position++
    skipSpace()
    if (text[position] === end) {
      position++
      return undefined
    }
    for (;;) {
      const error = readItem()
      if (error) return error
      skipSpace()
      const separator = text[position++]
      if (separator === end) return undefined
      if (separator !== ',') return errorAt("Expecting ',' delimiter", position - 1)
      skipSpace()
    }
  }

  const readMember = (): JsonError | undefined => {
    if (text[position] !== '"') return errorAt('Expecting property name enclosed in double quotes')
    const error = readString()
    if (error) return error
    skipSpace()
    if (text[position] !== ':') return errorAt("Expecting ':' delimiter")
    position++
    skipSpace()
    return readValue()
  }

  const readString = (): JsonError | undefined => {
    const start = position++
    for (; position < text.length; position++) {
      const char = text[position] as string
      if (char === '"') {
        position++
        return undefined
      }
      if (char < ' ') return errorAt('Invalid control character at')
      if (char !== '\\') continue
      position++
      const escaped = text[position] ?? ''
      if (escaped === 'u' && !/^[\da-f]{4}$/i.test(text.slice(position + 1, position + 5)))
        return errorAt('Invalid \\uXXXX escape', position + 1)
      if (!'"\\/bfnrtu'.includes(escaped)) return errorAt('Invalid \\escape', position - 1)
    }
    return errorAt('Unterminated string starting at', start)
  }

  skipSpace()
  const error = readValue()
  if (error) return error
  skipSpace()
  return errorAt('Extra data')
}
