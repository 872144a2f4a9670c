import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Request } from './feature.ts'
import { buttons } from './reply.ts'

const Turned = z.object({ words: z.string(), page: z.int().min(0) })

/** Which page of what: as a command asks for it, or as a button holds it. */
export type Turned = z.output<typeof Turned>

type Buttons = Turned & { action_id: string; more: boolean }

/** The way to the pages before and behind; none where there is but one. */
export function pageButtons({ action_id, words, page, more }: Buttons): KnownBlock[] {
  const button = (label: string, to: number, which: string) => ({
    // Two buttons of one block need names of their own.
    action_id: `${action_id}:${which}`,
    label,
    value: JSON.stringify({ words, page: to }),
  })
  return buttons(
    ...(page > 0 ? [button('‹ Back', page - 1, 'back')] : []),
    ...(more ? [button('More ›', page + 1, 'more')] : []),
  )
}

/** The actions of these buttons, for a feature to declare: another page takes the place of the one that is read. */
export function turning(
  action_id: string,
  showPage: (request: Request, turned: Turned) => Promise<void>,
): Record<string, (request: Request) => Promise<void>> {
  const turn = (request: Request) =>
    showPage({ ...request, reply: request.replace }, Turned.parse(JSON.parse(request.words)))
  return { [`${action_id}:back`]: turn, [`${action_id}:more`]: turn }
}
