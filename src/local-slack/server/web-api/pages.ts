import { type Answer, refuse } from './method.ts'

type Page<Item> = { items: Item[]; next_cursor: string }

type Wish = { limit: number; cursor?: string | undefined }

/**
 * One page of a list. A cursor names what comes next, so that nothing is seen twice when something is added meanwhile;
 * where things have no name of their own, it is their place.
 */
export function pageOf<Item>(
  all: Item[],
  { limit, cursor }: Wish,
  nameOf: (item: Item, place: number) => string = (_item, place) => String(place),
): Page<Item> | { refusal: Answer } {
  const start = cursor ? all.findIndex((item, place) => encode(nameOf(item, place)) === cursor) : 0
  if (start < 0) return { refusal: refuse('invalid_cursor') }
  const next = all[start + limit]
  return {
    items: all.slice(start, start + limit),
    next_cursor: next === undefined ? '' : encode(nameOf(next, start + limit)),
  }
}

const encode = (name: string) => Buffer.from(`next:${name}`).toString('base64')
