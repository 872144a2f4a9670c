import type { KnownBlock } from '@slack/types'
import type { Path } from './fault-words.ts'

export type Standing = { block: KnownBlock; path: Path }

/** Every block with the way to it: those that stand in a container or a carousel, too. */
export function walkBlocks(blocks: KnownBlock[], path: Path = []): Standing[] {
  return blocks.flatMap((block, index) => {
    const here = [...path, index]
    const inside =
      block.type === 'container' ? 'child_blocks' : block.type === 'carousel' ? 'elements' : undefined
    if (!inside) return [{ block, path: here }]
    // Both hold blocks, a carousel nothing but cards.
    const held = (block as unknown as Record<typeof inside, KnownBlock[]>)[inside]
    return [{ block, path: here }, ...walkBlocks(held, [...here, inside])]
  })
}
