import type { z } from 'zod'

export type Path = PropertyKey[]

/** A validation problem. The path holds the keys from the outermost object to the invalid value. */
export type Problem = { message: string; path: Path }

type Issue = z.core.$ZodIssue

/** Translates a zod issue into Slack's error messages. */
export function describeIssue(issue: Issue, input: unknown): Problem[] {
  const { path } = issue
  const problem = (message: string) => [{ message, path }]
  const value = valueAt(input, path)
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? describeMissing(path)
        : problem(
            issue.message.startsWith('must ')
              ? issue.message
              : (TYPE_MESSAGES[issue.expected] ?? `must be a ${issue.expected}`),
          )
    case 'invalid_value':
      return value === undefined ? describeMissing(path) : problem(describeInvalidValue(issue.values, value))
    case 'invalid_union': // Every union in these schemas is discriminated by `type`, and the path ends there.
      return value === undefined ? describeMissing(path) : problem(`unsupported type: ${String(value)}`)
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => problem(`invalid additional property: ${key}`))
    case 'too_big':
      return problem(describeTooBig(issue.origin, Number(issue.maximum)))
    case 'too_small':
      return problem(describeTooSmall(issue.origin, Number(issue.minimum)))
    case 'invalid_format':
      return problem(
        issue.format === 'regex'
          ? `input must match regex pattern: ${stripSlashes(issue.pattern)}`
          : `input must be a valid: ${issue.format}`,
      )
    default:
      return problem(issue.message)
  }
}

const describeMissing = (path: Path): Problem[] => [
  { message: `missing required field: ${String(path.at(-1))}`, path: path.slice(0, -1) },
]

const TYPE_MESSAGES: Record<string, string> = {
  string: 'must provide a string',
  object: 'must provide an object',
  array: 'must provide an array',
  number: 'must provide a number',
  int: 'must provide an integer',
  boolean: 'must be a boolean',
}

const describeInvalidValue = (values: unknown[], value: unknown) =>
  typeof value !== 'string' && typeof values[0] === 'string'
    ? 'must provide a string'
    : 'must be a valid enum value'

const describeTooBig = (origin: string, maximum: number) => {
  if (origin === 'string') return `must be less than ${maximum + 1} characters`
  return origin === 'array' ? `no more than ${maximum} items allowed` : `must be less than ${maximum}`
}

const describeTooSmall = (origin: string, minimum: number) => {
  if (origin === 'string') return `must be more than ${minimum - 1} characters`
  return origin === 'array' ? `must provide at least ${minimum} items` : `must be greater than ${minimum}`
}

const stripSlashes = (pattern: string | undefined) => pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? ''

export const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )

export const toJsonPointer = (path: Path) => path.map((key) => `/${String(key)}`).join('')
