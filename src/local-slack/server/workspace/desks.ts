import type { Option } from '@slack/types'
import type { Slack } from './slack.ts'
import { clearViews } from './views.ts'

/** One open window of one person. Two windows can be two people, or the same one twice. */
export type Desk = {
  id: string
  user: string
  /** The modals that lie on each other here, the topmost last. */
  stack: string[]
  /** By message or view: the options that the app ever suggested in it. */
  suggested: Map<string, Map<string, Option>>
  /** How many pages are open at it. */
  pages: number
}

/** A window that was closed may be a window that is being reloaded: its desk stays for a while. */
const PATIENCE_MS = 10 * 60_000

/** The desk of that name, if it is this person's, or a new one. */
export function sitDown(slack: Slack, { name, user }: { name: string; user: string }): Desk {
  const id = `${user}.${name}`
  const desk = slack.desks.get(id) ?? { id, user, stack: [], suggested: new Map(), pages: 0 }
  slack.desks.set(id, desk)
  return desk
}

/** Keeps a desk while a page is open at it; what it returns lets go. */
export function keepDesk(slack: Slack, desk: Desk): () => void {
  desk.pages += 1
  return () => {
    desk.pages -= 1
    slack.clock.after(PATIENCE_MS, () => {
      if (desk.pages > 0) return
      clearViews(slack, desk)
      slack.desks.delete(desk.id)
    })
  }
}
