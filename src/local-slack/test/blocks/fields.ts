import { expect, it } from 'vitest'
import { createMany, mrkdwn, plain as plainText, type UnknownObject } from './samples.ts'
import type { Position } from './validate.ts'
import { anyMessageAt, invalid, messageAt, VALID } from './validate.ts'

/** An expected problem, relative to the field. Without a message, any message is accepted. */
type ExpectedProblem = { message?: string; at: string }

/** A sample with one changed field. Slack reports some problems a second time, at `reportedTwiceAt`. */
type FieldCase = {
  at: string
  description: string
  value: unknown
  says: ExpectedProblem[]
  reportedTwiceAt?: string
}

/** Creates the cases for a field from a valid value. */
export type FieldKind = (valid: unknown) => FieldCase[]

export type Field = { presence: 'required' | 'optional' | 'conditional'; kind: FieldKind }
export type Fields = Record<string, Field>

export const required = (kind: FieldKind): Field => ({ presence: 'required', kind })
export const optional = (kind: FieldKind): Field => ({ presence: 'optional', kind })
/** A field that is required or not, depending on other fields. */
export const conditional = (kind: FieldKind): Field => ({ presence: 'conditional', kind })

const passes = (description: string, value: unknown): FieldCase => ({ at: '', description, value, says: [] })
const fails = (description: string, value: unknown, message?: string, at = ''): FieldCase => ({
  at: '',
  description,
  value,
  says: [message === undefined ? { at } : { message, at }],
})
const wrongTypes = (message: string, ...values: unknown[]): FieldCase[] =>
  values.map((value) => fails(`being ${JSON.stringify(value)}`, value, message))

const short = (value: string) => (value.length > 20 ? `${value.slice(0, 20)}...` : value)

/** A string; an emoji counts as one character. */
export const string =
  (max?: number, { min = 0, begin = '' } = {}): FieldKind =>
  () => [
    ...wrongTypes('must provide a string', null, 7),
    ...(max === undefined
      ? []
      : [
          passes(`of ${max} characters`, begin.padEnd(max, 'x')),
          passes(`of ${max} characters that are emoji`, begin + '🎉'.repeat(max - begin.length)),
          fails(
            `of ${max + 1} characters`,
            begin.padEnd(max + 1, 'x'),
            `must be less than ${max + 1} characters`,
          ),
        ]),
    ...(min ? [fails('being empty', '', 'must be more than 0 characters')] : []),
  ]

/** A URL, without the case of emoji. */
export const url =
  (max: number): FieldKind =>
  (valid) =>
    string(max, { begin: 'https://example.com/' })(valid).filter(
      ({ description }) => !description.includes('emoji'),
    )

export const oneOf =
  (...values: string[]): FieldKind =>
  () => [
    ...values.map((value) => passes(`being ${value}`, value)),
    fails('with an unknown value', 'none', 'must be a valid enum value'),
    fails('being empty', '', 'must be a valid enum value'),
    ...wrongTypes('must provide a string', null, 7),
  ]

export const flag: FieldKind = () => [
  passes('being true', true),
  passes('being false', false),
  ...wrongTypes('must be a boolean', null, 'true', 1),
]

/** An integer. Slack's messages name the limit itself. */
export const integer =
  ({ min, max }: { min?: number; max?: number }): FieldKind =>
  () => [
    fails('being null', null),
    fails('being a text', 'five'),
    ...wrongTypes('must provide an integer', 2.5),
    ...(min === undefined
      ? []
      : [passes(`being ${min}`, min), fails(`being ${min - 1}`, min - 1, `must be greater than ${min}`)]),
    ...(max === undefined
      ? []
      : [passes(`being ${max}`, max), fails(`being ${max + 1}`, max + 1, `must be less than ${max}`)]),
  ]

export const number: FieldKind = () => wrongTypes('must provide a number', null, 'five')

/** A string with a format, tested by examples. */
export const examples =
  ({ good, bad, message }: { good: string[]; bad: string[]; message?: string }): FieldKind =>
  () => [
    ...good.map((value) => passes(`being ${short(value)}`, value)),
    ...bad.map((value) => fails(`being ${short(value)}`, value, message)),
    ...wrongTypes('must provide a string', null, 7),
  ]

export const anything: FieldKind = () => []

const inside = (
  key: string | number,
  fieldCases: FieldCase[],
  put: (value: unknown) => unknown,
): FieldCase[] =>
  fieldCases.map((fieldCase) => ({
    ...fieldCase,
    at: `/${key}${fieldCase.at}`,
    value: put(fieldCase.value),
    says: fieldCase.says.map((one) => ({ ...one, at: `/${key}${one.at}` })),
    ...(fieldCase.reportedTwiceAt !== undefined && {
      reportedTwiceAt: `/${key}${fieldCase.reportedTwiceAt}`,
    }),
  }))

const omitField = (key: string, part: UnknownObject) => {
  const { [key]: _, ...rest } = part
  return rest
}

const createMissingFieldCases = (
  key: string,
  presence: Field['presence'],
  part: UnknownObject,
): FieldCase[] => {
  const missing = { message: `missing required field: ${key}`, at: '' }
  const fieldCase = { at: `/${key}`, description: 'missing', value: omitField(key, part) }
  if (presence === 'conditional') return []
  return [{ ...fieldCase, says: presence === 'required' ? [missing] : [] }]
}

export const createFieldCases = (fields: Fields, part: UnknownObject): FieldCase[] => {
  const names = Object.keys(fields).sort()
  const given = Object.keys(part)
    .filter((key) => !(key === 'type' && !fields.type))
    .sort()
  if (names.join() !== given.join()) throw new Error(`a sample has ${given}, but its fields are ${names}`)
  return [
    ...Object.entries(fields).flatMap(([key, { presence, kind }]) => [
      ...inside(key, kind(part[key]), (value) => ({ ...part, [key]: value })),
      ...createMissingFieldCases(key, presence, part),
    ]),
    fails('with an unknown key', { ...part, unknown: 1 }, 'invalid additional property: unknown'),
  ]
}

/** An object whose sample has all fields. */
export const object =
  (fields: Fields): FieldKind =>
  (valid) => [
    ...wrongTypes('must provide an object', null, 'text'),
    ...createFieldCases(fields, valid as UnknownObject),
  ]

/** One of several objects, told apart by `type`. */
export const typed =
  (fields: Fields): FieldKind =>
  (valid) => [
    ...object(fields)(valid),
    fails('without a type', omitField('type', valid as UnknownObject), 'missing required field: type'),
    fails(
      'of an unknown type',
      { ...(valid as UnknownObject), type: 'none' },
      'unsupported type: none',
      '/type',
    ),
  ]

type ListLimits = { min?: number; max?: number; make?: (number: number) => unknown; item?: FieldKind }

/** A list. Only its last item is varied: the first one may be the initial option. */
export const list =
  ({ min, max, make = () => 'x', item = anything }: ListLimits): FieldKind =>
  (valid) => {
    const items = valid as unknown[]
    const last = items.length - 1
    return [
      ...wrongTypes('must provide an array', null, 7, {}),
      ...(min === undefined
        ? []
        : [
            passes(`with ${min} items`, createMany(min, make)),
            fails(`with ${min - 1} items`, createMany(min - 1, make), `must provide at least ${min} items`),
          ]),
      ...(max === undefined
        ? []
        : [
            passes(`with ${max} items`, createMany(max, make)),
            fails(`with ${max + 1} items`, createMany(max + 1, make), `no more than ${max} items allowed`),
          ]),
      ...inside(last, item(items[last]), (value) => items.with(last, value)),
    ]
  }

const textOf = (max: number, more: Fields): Fields => ({
  text: required(string(max, { min: 1 })),
  ...more,
})

/** A text object that is always plain. */
export const plain =
  (max: number): FieldKind =>
  () => {
    const type = required(() => [fails('being mrkdwn', 'mrkdwn', 'must be a valid enum value')])
    return object(textOf(max, { type, emoji: optional(flag) }))(plainText())
  }

/** A text object, plain or mrkdwn. */
export const anyText =
  (max: number): FieldKind =>
  () => [
    ...typed(textOf(max, { emoji: optional(flag) }))(plainText()),
    ...createFieldCases(textOf(max, { verbatim: optional(flag) }), mrkdwn()).map((fieldCase) => ({
      ...fieldCase,
      description: `${fieldCase.description} (mrkdwn)`,
    })),
    fails('plain with verbatim', { ...plainText(), verbatim: true }, 'invalid additional property: verbatim'),
    fails('mrkdwn with emoji', { ...mrkdwn(), emoji: true }, 'invalid additional property: emoji'),
  ]

/** A value that Slack checks against two schemas, so that it may report a problem twice. */
export const reportedTwice =
  (kind: FieldKind): FieldKind =>
  (valid) =>
    kind(valid).map((fieldCase) => ({ ...fieldCase, reportedTwiceAt: '' }))

/** Only the invalid cases: a valid value may conflict with the rest of its sample. */
export const invalidOnly =
  (kind: FieldKind): FieldKind =>
  (valid) =>
    kind(valid).filter(({ says }) => says.length)

/** Tests each field of an object at its limits, with valid values in all other fields. */
export function testFields(
  part: UnknownObject,
  fieldCases: FieldCase[],
  { surface, at: place, validatePart }: Position,
) {
  const messageOf = ({ message, at }: ExpectedProblem) =>
    message === undefined ? anyMessageAt(place + at) : messageAt(message, place + at)
  const outcomeOf = ({ value, reportedTwiceAt }: FieldCase) => {
    const result = validatePart(value)
    if ('valid' in result) return 'passes'
    if (reportedTwiceAt === undefined) return result
    const extra = messageAt('failed to match all allowed schemas', `${place}${reportedTwiceAt}`)
    return { ...result, messages: [...new Set(result.messages)].filter((message) => message !== extra) }
  }

  it('is valid with all its fields', () => {
    expect(validatePart(part)).toEqual(VALID)
  })
  const fields = [...new Set(fieldCases.map(({ at }) => at))].map(
    (at) => [at.slice(1) || 'itself', at] as const,
  )
  it.each(fields)('accepts valid and refuses invalid values of %s', (_name, field) => {
    const ofField = fieldCases.filter(({ at }) => at === field)
    expect(ofField.map((fieldCase) => [fieldCase.description, outcomeOf(fieldCase)])).toEqual(
      ofField.map(({ description, says }) => [
        description,
        says.length ? invalid(surface, says.map(messageOf)) : 'passes',
      ]),
    )
  })
}
