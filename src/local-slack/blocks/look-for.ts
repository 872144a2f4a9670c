import type { KnownBlock } from '@slack/types'
import { type Element, elementsIn } from './elements-in.ts'
import type { Fault, Path } from './fault-words.ts'
import { walkBlocks } from './walk-blocks.ts'

// How the rules look for what they forbid.

export type Part = Record<string, unknown>

export function inBlocks(
  blocks: KnownBlock[],
  type: KnownBlock['type'],
  at: Path,
  complaint: (block: Part) => string | false,
): Fault[] {
  return walkBlocks(blocks).flatMap(({ block, path }) => {
    const message = block.type === type && complaint(block as unknown as Part)
    return message ? [{ message, path: [...path, ...at] }] : []
  })
}

export function inElements(
  blocks: KnownBlock[],
  complaint: (element: Element) => [string, string] | false,
): Fault[] {
  return elementsIn(blocks).flatMap(({ element, path }) => {
    const found = complaint(element)
    return found ? [{ message: found[1], path: [...path, found[0]] }] : []
  })
}

/** A row of dashes between bars makes a table of the lines around it. */
export const pipeTables = (text: string) => text.match(/^ *\|?( *:?-+:? *\|)+ *:?-* *:? *$/gm) ?? []

export const isBeside = (one: Path, other: Path) =>
  one.length === other.length && one.slice(0, -1).every((key, index) => key === other[index])

export const isSame = (one: Element, other: Element) =>
  Boolean(one.action_id) && one.action_id === other.action_id

/** Every object anywhere in it, with the way to it. */
export function everyPart(value: unknown, path: Path = []): { part: Part; path: Path }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    everyPart(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inside : [{ part: value as Part, path }, ...inside]
}

export const doubles = (ids: unknown[]): [number, unknown][] =>
  [...ids.entries()].filter(([index, id]) => id !== undefined && id !== '' && ids.indexOf(id) < index)

export const above = (least: unknown, most: unknown) =>
  least !== undefined && most !== undefined && Number(least) > Number(most)

/** The same however its keys are ordered. */
export const canonical = (option: unknown): string =>
  JSON.stringify(option, (_key, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  })

export const isUrl = (value: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value)

export const textLength = (value: unknown): number =>
  everyPart(value).reduce(
    (sum, { part }) => sum + (typeof part.text === 'string' ? [...part.text].length : 0),
    0,
  )
