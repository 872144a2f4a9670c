import type { z } from 'zod'

export type Path = PropertyKey[]

/** What is wrong, and where: the keys that lead there from the outermost object. */
export type Fault = { message: string; path: Path }

type Issue = z.core.$ZodIssue

/** A schema's complaint in the words that Slack has for it. */
export function faultOf(issue: Issue, input: unknown): Fault[] {
  const { path } = issue
  const at = (message: string, where: Path = path) => [{ message, path: where }]
  const given = valueAt(input, path)
  switch (issue.code) {
    case 'invalid_type':
      return given === undefined
        ? missing(path)
        : at(
            issue.message.startsWith('must ')
              ? issue.message
              : (typeWords[issue.expected] ?? `must be a ${issue.expected}`),
          )
    case 'invalid_value':
      return given === undefined ? missing(path) : at(valueWords(issue.values, given))
    case 'invalid_union': // All of ours are told apart by their `type`, to which the path leads.
      return given === undefined ? missing(path) : at(`unsupported type: ${String(given)}`)
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => at(`invalid additional property: ${key}`))
    case 'too_big':
      return at(mostWords(issue.origin, Number(issue.maximum)))
    case 'too_small':
      return at(leastWords(issue.origin, Number(issue.minimum)))
    case 'invalid_format':
      return at(
        issue.format === 'regex'
          ? `input must match regex pattern: ${bare(issue.pattern)}`
          : `input must be a valid: ${issue.format}`,
      )
    default:
      return at(issue.message)
  }
}

const missing = (path: Path): Fault[] => [
  { message: `missing required field: ${String(path.at(-1))}`, path: path.slice(0, -1) },
]

const typeWords: Record<string, string> = {
  string: 'must provide a string',
  object: 'must provide an object',
  array: 'must provide an array',
  number: 'must provide a number',
  int: 'must provide an integer',
  boolean: 'must be a boolean',
}

const valueWords = (values: unknown[], given: unknown) =>
  typeof given !== 'string' && typeof values[0] === 'string'
    ? 'must provide a string'
    : 'must be a valid enum value'

const mostWords = (origin: string, most: number) => {
  if (origin === 'string') return `must be less than ${most + 1} characters`
  return origin === 'array' ? `no more than ${most} items allowed` : `must be less than ${most}`
}

const leastWords = (origin: string, least: number) => {
  if (origin === 'string') return `must be more than ${least - 1} characters`
  return origin === 'array' ? `must provide at least ${least} items` : `must be greater than ${least}`
}

const bare = (pattern: string | undefined) => pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? ''

export const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )

export const pointer = (path: Path) => path.map((key) => `/${String(key)}`).join('')
