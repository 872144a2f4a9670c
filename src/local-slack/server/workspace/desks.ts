import type { Option } from '@slack/types'
import type { Slack } from './slack.ts'

/** One open window of one person. Two windows can be two people, or the same one twice. */
export type Desk = {
  id: string
  user: string
  /** The modals that lie on each other here, the topmost last. */
  stack: string[]
  /** The options that the app suggested here last, by action. */
  suggested: Map<string, Option[]>
}

export function sitDown(slack: Slack, { id, user }: Pick<Desk, 'id' | 'user'>): Desk {
  const there = slack.desks.get(id)
  if (there && there.user === user) return there
  const desk: Desk = { id, user, stack: [], suggested: new Map() }
  slack.desks.set(id, desk)
  return desk
}
