import type { KnownBlock } from '@slack/types'
import { type Element, findElements, walkBlocks } from './find-elements.ts'
import type { Path, Problem } from './problems.ts'

export type UnknownObject = Record<string, unknown>

/** Checks every block of a type. `check` returns a problem message, or false; `keys` lead to the problem. */
export function checkBlocks(
  blocks: KnownBlock[],
  type: KnownBlock['type'],
  keys: Path,
  check: (block: UnknownObject) => string | false,
): Problem[] {
  return walkBlocks(blocks).flatMap(({ block, path }) => {
    const message = block.type === type && check(block as unknown as UnknownObject)
    return message ? [{ message, path: [...path, ...keys] }] : []
  })
}

/** Checks every interactive element. `check` returns a field and its problem message, or false. */
export function checkElements(
  blocks: KnownBlock[],
  check: (element: Element) => [field: string, message: string] | false,
): Problem[] {
  return findElements(blocks).flatMap(({ element, path }) => {
    const problem = check(element)
    return problem ? [{ message: problem[1], path: [...path, problem[0]] }] : []
  })
}

/** Finds the tables in Markdown by their row of dashes between pipes. */
export const findMarkdownTables = (text: string) => text.match(/^ *\|?( *:?-+:? *\|)+ *:?-* *:? *$/gm) ?? []

export const areSiblings = (a: Path, b: Path) =>
  a.length === b.length && a.slice(0, -1).every((key, index) => key === b[index])

/** Lists every object inside a value, with its path. */
export function findObjects(value: unknown, path: Path = []): { object: UnknownObject; path: Path }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, child]) =>
    findObjects(child, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inside : [{ object: value as UnknownObject, path }, ...inside]
}

export const findDuplicates = (ids: unknown[]): [index: number, id: unknown][] =>
  [...ids.entries()].filter(([index, id]) => id !== undefined && id !== '' && ids.indexOf(id) < index)

/** Compares two numeric fields; a missing field is never greater. */
export const isGreater = (a: unknown, b: unknown) =>
  a !== undefined && b !== undefined && Number(a) > Number(b)

/** JSON that doesn't depend on the order of keys. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })

export const isUrl = (value: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value)

export const countTextCharacters = (value: unknown): number =>
  findObjects(value).reduce(
    (sum, { object }) => sum + (typeof object.text === 'string' ? [...object.text].length : 0),
    0,
  )
