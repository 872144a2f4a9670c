import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Request } from './feature.ts'
import { buttons } from './reply.ts'

const Turned = z.object({ words: z.string(), page: z.int().min(0), project_id: z.string().optional() })

/** Which page of what: as a command asks for it, or as a button holds it. */
export type Turned = z.output<typeof Turned>

type Buttons = Turned & { action_id: string; more: boolean }

/** A button holds 2,000 characters in all. */
const LONGEST_WORDS = 1000

/** Where a list begins. */
export const firstPage = (words: string): Turned => ({ words: words.slice(0, LONGEST_WORDS), page: 0 })

/** The way to the pages before and behind; none where there is but one. */
export function pageButtons({ action_id, words, page, project_id, more }: Buttons): KnownBlock[] {
  const button = (label: string, to: number, which: string) => ({
    // Two buttons of one block need names of their own.
    action_id: `${action_id}:${which}`,
    label,
    value: JSON.stringify({ words, page: to, project_id }),
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
