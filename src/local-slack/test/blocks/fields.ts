import { expect, it } from 'vitest'
import type { Place } from './places.ts'
import { mrkdwn, numbered, type Part, plain as plainText } from './samples.ts'
import { passed, refused, said, saidOf } from './validate.ts'

/** What Slack says to a value, seen from the field; without a message, nobody knows in which words. */
type Said = { message?: string; at: string }

/** A field's value, changed in one thing. What is held against two schemas has a line more at its place. */
type Trial = { at: string; how: string; value: unknown; says: Said[]; heldTwiceAt?: string }

/** Tries a field's limits one by one, beginning with a value that passes. */
export type Kind = (valid: unknown) => Trial[]

export type Field = { presence: 'required' | 'optional' | 'one of several'; kind: Kind }
export type Fields = Record<string, Field>

export const required = (kind: Kind): Field => ({ presence: 'required', kind })
export const optional = (kind: Kind): Field => ({ presence: 'optional', kind })
/** Whether it may be left out depends on other fields. */
export const oneOfSeveral = (kind: Kind): Field => ({ presence: 'one of several', kind })

const passes = (how: string, value: unknown): Trial => ({ at: '', how, value, says: [] })
const fails = (how: string, value: unknown, message?: string, at = ''): Trial => ({
  at: '',
  how,
  value,
  says: [message === undefined ? { at } : { message, at }],
})
const wrongTypes = (message: string, ...values: unknown[]): Trial[] =>
  values.map((value) => fails(`being ${JSON.stringify(value)}`, value, message))

const short = (value: string) => (value.length > 20 ? `${value.slice(0, 20)}...` : value)

/** A text; an emoji counts as one character. */
export const string =
  (most?: number, { least = 0, begin = '' } = {}): Kind =>
  () => [
    ...wrongTypes('must provide a string', null, 7),
    ...(most === undefined
      ? []
      : [
          passes(`of ${most} characters`, begin.padEnd(most, 'x')),
          passes(`of ${most} characters that are emoji`, begin + '🎉'.repeat(most - begin.length)),
          fails(
            `of ${most + 1} characters`,
            begin.padEnd(most + 1, 'x'),
            `must be less than ${most + 1} characters`,
          ),
        ]),
    ...(least ? [fails('being empty', '', 'must be more than 0 characters')] : []),
  ]

/** An address; emoji do not stand in one. */
export const url =
  (most: number): Kind =>
  (valid) =>
    string(most, { begin: 'https://example.com/' })(valid).filter(({ how }) => !how.includes('emoji'))

export const oneOf =
  (...values: string[]): Kind =>
  () => [
    ...values.map((value) => passes(`being ${value}`, value)),
    fails('being none of these', 'none', 'must be a valid enum value'),
    fails('being empty', '', 'must be a valid enum value'),
    ...wrongTypes('must provide a string', null, 7),
  ]

export const flag: Kind = () => [
  passes('being true', true),
  passes('being false', false),
  ...wrongTypes('must be a boolean', null, 'true', 1),
]

/** A bound is named as it is, not as the first number beyond. */
export const integer =
  ({ least, most }: { least?: number; most?: number }): Kind =>
  () => [
    fails('being null', null),
    fails('being a text', 'five'),
    ...wrongTypes('must provide an integer', 2.5),
    ...(least === undefined
      ? []
      : [
          passes(`being ${least}`, least),
          fails(`being ${least - 1}`, least - 1, `must be greater than ${least}`),
        ]),
    ...(most === undefined
      ? []
      : [passes(`being ${most}`, most), fails(`being ${most + 1}`, most + 1, `must be less than ${most}`)]),
  ]

export const number: Kind = () => wrongTypes('must provide a number', null, 'five')

/** Examples of what has a form of its own. */
export const examples =
  ({ good, bad, message }: { good: string[]; bad: string[]; message?: string }): Kind =>
  () => [
    ...good.map((value) => passes(`being ${short(value)}`, value)),
    ...bad.map((value) => fails(`being ${short(value)}`, value, message)),
    ...wrongTypes('must provide a string', null, 7),
  ]

export const anything: Kind = () => []

const inside = (key: string | number, trials: Trial[], put: (value: unknown) => unknown): Trial[] =>
  trials.map((trial) => ({
    ...trial,
    at: `/${key}${trial.at}`,
    value: put(trial.value),
    says: trial.says.map((one) => ({ ...one, at: `/${key}${one.at}` })),
    ...(trial.heldTwiceAt !== undefined && { heldTwiceAt: `/${key}${trial.heldTwiceAt}` }),
  }))

const without = (key: string, part: Part) => {
  const { [key]: _, ...rest } = part
  return rest
}

const leftOut = (key: string, presence: Field['presence'], part: Part): Trial[] => {
  const missing = { message: `missing required field: ${key}`, at: '' }
  const trial = { at: `/${key}`, how: 'left out', value: without(key, part) }
  if (presence === 'one of several') return []
  return [{ ...trial, says: presence === 'required' ? [missing] : [] }]
}

export const trialsIn = (fields: Fields, part: Part): Trial[] => {
  const names = Object.keys(fields).sort()
  const given = Object.keys(part)
    .filter((key) => !(key === 'type' && !fields.type))
    .sort()
  if (names.join() !== given.join()) throw new Error(`a sample has ${given}, but its fields are ${names}`)
  return [
    ...Object.entries(fields).flatMap(([key, { presence, kind }]) => [
      ...inside(key, kind(part[key]), (value) => ({ ...part, [key]: value })),
      ...leftOut(key, presence, part),
    ]),
    fails(
      'with a key that it does not have',
      { ...part, unknown: 1 },
      'invalid additional property: unknown',
    ),
  ]
}

/** An object; its sample has each of the fields. */
export const object =
  (fields: Fields): Kind =>
  (valid) => [...wrongTypes('must provide an object', null, 'text'), ...trialsIn(fields, valid as Part)]

/** One of several objects, told from the others by its type. */
export const typed =
  (fields: Fields): Kind =>
  (valid) => [
    ...object(fields)(valid),
    fails('without a type', without('type', valid as Part), 'missing required field: type'),
    fails('of no known type', { ...(valid as Part), type: 'none' }, 'unsupported type: none', '/type'),
  ]

type ListLimits = { least?: number; most?: number; make?: (number: number) => unknown; item?: Kind }

/** Its last item is looked at closely: its first one may be what is chosen at first. */
export const list =
  ({ least, most, make = () => 'x', item = anything }: ListLimits): Kind =>
  (valid) => {
    const items = valid as unknown[]
    const last = items.length - 1
    return [
      ...wrongTypes('must provide an array', null, 7, {}),
      ...(least === undefined
        ? []
        : [
            passes(`with ${least} items`, numbered(least, make)),
            fails(
              `with ${least - 1} items`,
              numbered(least - 1, make),
              `must provide at least ${least} items`,
            ),
          ]),
      ...(most === undefined
        ? []
        : [
            passes(`with ${most} items`, numbered(most, make)),
            fails(`with ${most + 1} items`, numbered(most + 1, make), `no more than ${most} items allowed`),
          ]),
      ...inside(last, item(items[last]), (value) => items.with(last, value)),
    ]
  }

const textOf = (most: number, more: Fields): Fields => ({
  text: required(string(most, { least: 1 })),
  ...more,
})

/** A text object that is always plain. */
export const plain =
  (most: number): Kind =>
  () => {
    const type = required(() => [fails('being mrkdwn', 'mrkdwn', 'must be a valid enum value')])
    return object(textOf(most, { type, emoji: optional(flag) }))(plainText())
  }

/** A text object, plain or mrkdwn. */
export const anyText =
  (most: number): Kind =>
  () => [
    ...typed(textOf(most, { emoji: optional(flag) }))(plainText()),
    ...trialsIn(textOf(most, { verbatim: optional(flag) }), mrkdwn()).map((trial) => ({
      ...trial,
      how: `${trial.how} (mrkdwn)`,
    })),
    fails('plain with verbatim', { ...plainText(), verbatim: true }, 'invalid additional property: verbatim'),
    fails('mrkdwn with emoji', { ...mrkdwn(), emoji: true }, 'invalid additional property: emoji'),
  ]

/** A text that Slack holds against two schemas, and may complain of twice: whole answers have tests of their own. */
export const heldTwice =
  (kind: Kind): Kind =>
  (valid) =>
    kind(valid).map((trial) => ({ ...trial, heldTwiceAt: '' }))

/** Only what is refused: a value that passes by itself may not go with the rest of its sample. */
export const refusalsOf =
  (kind: Kind): Kind =>
  (valid) =>
    kind(valid).filter(({ says }) => says.length)

/** A test for each of its fields, on both sides of each limit, where all else is good. */
export function tryEach(part: Part, trials: Trial[], { surface, at: place, verdictOn }: Place) {
  const messageOf = ({ message, at }: Said) =>
    message === undefined ? saidOf(place + at) : said(message, place + at)
  const outcomeOf = ({ value, heldTwiceAt }: Trial) => {
    const verdict = verdictOn(value)
    if ('valid' in verdict) return 'passes'
    if (heldTwiceAt === undefined) return verdict
    const extra = said('failed to match all allowed schemas', `${place}${heldTwiceAt}`)
    return { ...verdict, messages: [...new Set(verdict.messages)].filter((message) => message !== extra) }
  }

  it('passes with all its fields', () => {
    expect(verdictOn(part)).toEqual(passed)
  })
  const fields = [...new Set(trials.map(({ at }) => at))].map((at) => [at.slice(1) || 'itself', at] as const)
  it.each(fields)('passes and is refused as Slack says: %s', (_name, field) => {
    const ofField = trials.filter(({ at }) => at === field)
    expect(ofField.map((trial) => [trial.how, outcomeOf(trial)])).toEqual(
      ofField.map(({ how, says }) => [how, says.length ? refused(surface, says.map(messageOf)) : 'passes']),
    )
  })
}
