import { type Chart, type Meaning, PROBLEM } from './chart.ts'
import type { Token } from './tokens.ts'

/** Meanings in the order of the text, and the indexes of the other tokens, except filler and marks without meaning. */
export type Cover = { items: Meaning[]; unparsed: number[] }

const UNPARSED_COST = 3
const UNPARSED_NUMBER_COST = 4
const MARK_COST = 0.05
const FILLER_COST = 0.4
const MEANING_COST = 1
const PROBLEM_COST = 1.3

/** Covers the text at the lowest cost with meanings of these types, filler and unparsed tokens. */
export function findCover(chart: Chart, tokens: Token[], types: string[]): Cover {
  type Step = { cost: number; item: Meaning | undefined; next: number }
  const steps: Step[] = []
  const typesAndFiller = [...types, 'FILLER']
  const count = tokens.length
  steps[count] = { cost: 0, item: undefined, next: count }
  for (let start = count - 1; start >= 0; start--) {
    const token = tokens[start] as Token
    const isFiller = chart[start]?.has('FILLER')
    const skipCost =
      token.kind === 'mark' ? MARK_COST : token.kind === 'digits' ? UNPARSED_NUMBER_COST : UNPARSED_COST
    let best: Step = {
      cost: (steps[start + 1]?.cost ?? 0) + (isFiller ? FILLER_COST : skipCost),
      item: undefined,
      next: start + 1,
    }
    for (const type of typesAndFiller)
      for (const item of chart[start]?.get(type) ?? []) {
        const base = type === 'FILLER' ? FILLER_COST : type === PROBLEM ? PROBLEM_COST : MEANING_COST
        const cost = base + item.cost + (steps[item.end]?.cost ?? 0)
        if (cost < best.cost) best = { cost, item, next: item.end }
      }
    steps[start] = best
  }
  const items: Meaning[] = []
  const unparsed: number[] = []
  for (let position = 0; position < count; ) {
    const { item, next } = steps[position] as Step
    if (item && item.type !== 'FILLER') items.push(item)
    else if (!item && !chart[position]?.has('FILLER') && isMeaningful(tokens, position))
      unparsed.push(position)
    position = next
  }
  return { items, unparsed }
}

/** The values of all meanings that have this type. */
export const valuesOf = <Value>({ items }: Pick<Cover, 'items'>, wantedType: string): Value[] =>
  items.filter(({ type }) => type === wantedType).map(({ value }) => value as Value)

/** Marks that can't be ignored next to a number: "-2 hours", "$9" */
const SIGN = /[-+$€£%=/<>~^*]/

function isMeaningful(tokens: Token[], position: number): boolean {
  const [before, token, after] = [tokens[position - 1], tokens[position], tokens[position + 1]]
  if (token?.kind !== 'mark') return true
  const isNextToNumber =
    (after?.kind === 'digits' && after.isJoined) || (before?.kind === 'digits' && token.isJoined)
  return isNextToNumber && SIGN.test(token.word)
}
