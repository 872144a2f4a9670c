import type { Refusal } from './reading.ts'

/** A meaning of consecutive tokens. */
export type Meaning = {
  type: string
  value: unknown
  /** The indexes of the first token, and of the one after the last. */
  start: number
  end: number
  /** How unusual this meaning is. Of two meanings of the same tokens, the one with the lower cost is preferred. */
  cost: number
}

/** Makes one meaning from the meanings of consecutive parts. */
export type Rule = {
  type: string
  parts: Part[]
  read: (...values: never[]) => unknown
  cost: number
}

/** The type of a refusal that other words can't override, unlike the reasons of the type `refused`. */
export const PROBLEM = 'problem'

type Part = { types: string[]; isOptional: boolean; hasValue: boolean }

type Split<Pattern extends string> = Pattern extends `${infer First} ${infer Rest}`
  ? [First, ...Split<Rest>]
  : [Pattern]
type OneOf<Values, Names extends string> = Names extends `${infer First}|${infer Rest}`
  ? OneOf<Values, First> | OneOf<Values, Rest>
  : Names extends keyof Values
    ? Values[Names]
    : never
type ValueOf<Values, Word extends string> = Word extends `${infer Names}?`
  ? OneOf<Values, Names> | undefined
  : OneOf<Values, Word>
type Arguments<Values, Words extends string[]> = Words extends [
  infer First extends string,
  ...infer Rest extends string[],
]
  ? Uppercase<First> extends First
    ? Arguments<Values, Rest>
    : [ValueOf<Values, First>, ...Arguments<Values, Rest>]
  : []
type Alternatives<Patterns extends string> = Patterns extends `${infer First}; ${infer Rest}`
  ? First | Alternatives<Rest>
  : Patterns
type Read<Values, Context, Type extends keyof Values, Patterns extends string> = (
  ...values: [...Arguments<Values, Split<Alternatives<Patterns>>>, Context]
) => Values[Type] | Refusal | undefined

/**
 * Returns a function that adds rules to a table: `rule('clock', 'AT? number meridiem', read)`. A part may be optional
 * ("AT?") or have one of several types ("day|date"). Types in capitals are words without a value. Semicolons separate
 * patterns with the same values. A cost may precede the function. A rule that returns undefined doesn't apply.
 */
export const createRuleAdder =
  <Values, Context>(rules: Rule[]) =>
  <Type extends keyof Values & string, const Patterns extends string>(
    type: Type,
    patterns: Patterns,
    ...rest: [Read<Values, Context, Type, Patterns>] | [cost: number, Read<Values, Context, Type, Patterns>]
  ): void => {
    const [cost, read] = rest.length === 2 ? rest : [0, rest[0]]
    for (const pattern of patterns.split('; '))
      rules.push({ type, parts: pattern.split(' ').map(parsePart), read: read as Rule['read'], cost })
  }

function parsePart(word: string): Part {
  const isOptional = word.endsWith('?')
  const types = (isOptional ? word.slice(0, -1) : word).split('|')
  return { types, isOptional, hasValue: word !== word.toUpperCase() }
}

/** For each type, the rules that may begin with it. */
export type Grammar = Map<string, RuleStart[]>

/** A rule and a part that it may begin with: its first part, or one that only optional parts precede. */
type RuleStart = {
  rule: Rule
  firstPart: number
  /** One of these types has to follow. Undefined if the rule may end after this part. */
  nextTypes: string[] | undefined
}

export function compileRules(rules: Rule[]): Grammar {
  const grammar: Grammar = new Map()
  for (const rule of rules)
    for (const [firstPart, part] of rule.parts.entries()) {
      const nextTypes = typesAfter(rule.parts, firstPart)
      for (const type of part.types)
        grammar.set(type, [...(grammar.get(type) ?? []), { rule, firstPart, nextTypes }])
      if (!part.isOptional) break
    }
  return grammar
}

function typesAfter(parts: Part[], index: number): string[] | undefined {
  const following = parts.slice(index + 1)
  const requiredIndex = following.findIndex(({ isOptional }) => !isOptional)
  return requiredIndex < 0 ? undefined : following.slice(0, requiredIndex + 1).flatMap(({ types }) => types)
}

/** For each token, the meanings that begin there, keyed by type. */
export type Chart = Map<string, Meaning[]>[]

/** These limits keep the work proportional to the length of the text. */
const MAX_MEANINGS_PER_TOKEN = 300
const MAX_TOKENS_PER_MEANING = 24
const MAX_SAME_TYPE_MEANINGS = 3

/** Finds the meanings of all phrases in a text, given the meanings of its words. */
export function findMeanings(words: Meaning[][], grammar: Grammar, context: unknown): Chart {
  const chart: Chart = words.map(() => new Map())
  // Goes backwards, so that the other parts of a rule have been found before its first part.
  for (let start = words.length - 1; start >= 0; start--) {
    const agenda = words[start] ?? []
    for (let index = 0; index < agenda.length && index < MAX_MEANINGS_PER_TOKEN; index++) {
      const item = agenda[index] as Meaning
      if (!addMeaning(chart[start], item)) continue
      const after = chart[item.end]
      for (const beginning of grammar.get(item.type) ?? []) {
        const { nextTypes } = beginning
        if (nextTypes && !(after && hasAny(after, nextTypes))) continue
        const search = { chart, context, agenda, rule: beginning.rule, start, values: [] }
        applyRule(search, beginning.firstPart, item)
      }
    }
  }
  return chart
}

function hasAny(meanings: Map<string, Meaning[]>, types: string[]): boolean {
  for (const type of types) if (meanings.has(type)) return true
  return false
}

/** Adds a meaning. If its tokens have enough of its type, it has to be cheaper than those. Returns if it was added. */
function addMeaning(meanings: Map<string, Meaning[]> | undefined, item: Meaning): boolean {
  const others = meanings?.get(item.type)
  let count = 0
  let cheapest = Number.POSITIVE_INFINITY
  for (const { end, cost } of others ?? [])
    if (end === item.end) {
      count++
      cheapest = Math.min(cheapest, cost)
    }
  if (count >= MAX_SAME_TYPE_MEANINGS && item.cost >= cheapest) return false
  if (others) others.push(item)
  else meanings?.set(item.type, [item])
  return true
}

/** The search for the other parts of a rule, once its first part has been found. */
type Search = {
  chart: Chart
  context: unknown
  agenda: Meaning[]
  rule: Rule
  start: number
  values: unknown[]
}

/** Applies a rule at one token, once for each combination of meanings of its other parts. */
function applyRule(search: Search, firstPart: number, first: Meaning): void {
  const { parts, cost } = search.rule
  for (let index = 0; index < firstPart; index++) if (parts[index]?.hasValue) search.values.push(undefined)
  takePart(search, firstPart, first, cost)
}

function takePart(search: Search, index: number, item: Meaning, cost: number): void {
  const { rule, values } = search
  const hasValue = rule.parts[index]?.hasValue
  if (hasValue) values.push(item.value)
  findPart(search, index + 1, item.end, cost + item.cost)
  if (hasValue) values.pop()
}

function findPart(search: Search, index: number, position: number, cost: number): void {
  const part = search.rule.parts[index]
  if (!part) {
    addResult(search, position, cost)
    return
  }
  const meanings = search.chart[position]
  if (meanings)
    for (const type of part.types) {
      const items = meanings.get(type)
      if (items) for (const item of items) takePart(search, index, item, cost)
    }
  if (!part.isOptional) return
  if (part.hasValue) search.values.push(undefined)
  findPart(search, index + 1, position, cost)
  if (part.hasValue) search.values.pop()
}

function addResult({ rule, values, context, agenda, start }: Search, end: number, cost: number): void {
  if (end - start > MAX_TOKENS_PER_MEANING) return
  const value = rule.read(...(values as never[]), context as never)
  if (value === undefined) return
  agenda.push({ type: typeOfValue(rule.type, value), value, start, end, cost })
}

/** Returns `PROBLEM` for a refusal, and the type of the rule for any other value. */
export const typeOfValue = (type: string, value: unknown): string =>
  typeof value === 'object' && value !== null && 'reason' in value ? PROBLEM : type
