import { type ApiResponse, errorResponse } from './method.ts'

type Page<Item> = { items: Item[]; next_cursor: string }

/**
 * Cuts one page out of a list. The cursor holds the key of the next item, so that a new item doesn't shift the pages.
 * Items without a key of their own use their index.
 */
export function takePage<Item>(
  allItems: Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  keyOf: (item: Item, index: number) => string = (_item, index) => String(index),
): Page<Item> | { errorResponse: ApiResponse } {
  const start = cursor ? allItems.findIndex((item, index) => encodeCursor(keyOf(item, index)) === cursor) : 0
  if (start < 0) return { errorResponse: errorResponse('invalid_cursor') }
  const end = start + limit
  const nextItem = allItems[end]
  return {
    items: allItems.slice(start, end),
    next_cursor: nextItem === undefined ? '' : encodeCursor(keyOf(nextItem, end)),
  }
}

const encodeCursor = (key: string) => Buffer.from(`next:${key}`).toString('base64')
