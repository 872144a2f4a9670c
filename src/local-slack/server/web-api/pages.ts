import { type Answer, refuse } from './method.ts'

type Page<Item> = { items: Item[]; next_cursor: string }

/** One page of a list; a cursor says how far the last one went. */
export function pageOf<Item>(
  all: Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Page<Item> | { refusal: Answer } {
  const start = cursor ? Number(Buffer.from(cursor, 'base64').toString().replace('next:', '')) : 0
  if (!Number.isInteger(start) || start < 0) return { refusal: refuse('invalid_cursor') }
  const end = start + limit
  const next_cursor = end < all.length ? Buffer.from(`next:${end}`).toString('base64') : ''
  return { items: all.slice(start, end), next_cursor }
}
