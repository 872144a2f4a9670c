import type { KnownBlock } from '@slack/types'
import { z } from 'zod'

const Turned = z.object({ words: z.string(), page: z.int().min(0) })

/** Which page of what: as a command asks for it, or as a button holds it. */
export type Turned = z.output<typeof Turned>

export const readTurned = (value: string): Turned => Turned.parse(JSON.parse(value))

type Buttons = Turned & { action_id: string; more: boolean }

/** The way to the pages before and behind; none where there is but one. */
export function pageButtons({ action_id, words, page, more }: Buttons): KnownBlock[] {
  const button = (label: string, to: number, which: string) => ({
    type: 'button' as const,
    // Two buttons of one block need names of their own.
    action_id: `${action_id}:${which}`,
    text: { type: 'plain_text' as const, text: label },
    value: JSON.stringify({ words, page: to }),
  })
  const elements = [
    ...(page > 0 ? [button('‹ Back', page - 1, 'back')] : []),
    ...(more ? [button('More ›', page + 1, 'more')] : []),
  ]
  return elements.length ? [{ type: 'actions', elements }] : []
}

/** The actions of these buttons, for a feature to declare. */
export const turning = <Run>(action_id: string, run: Run): Record<string, Run> => ({
  [`${action_id}:back`]: run,
  [`${action_id}:more`]: run,
})
