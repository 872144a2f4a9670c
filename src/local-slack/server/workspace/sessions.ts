import type { Session } from './entities.ts'
import type { Slack } from './slack.ts'
import { closeAllViews } from './views.ts'

/** A page that reloads finds its session again within this time. */
const CLOSED_SESSION_TTL_MS = 10 * 60_000

type SessionOptions = { name: string; user: string; isUnrestricted?: boolean }

/** Returns the user's session of that name, or creates it. */
export function openSession(slack: Slack, { name, user, isUnrestricted = false }: SessionOptions): Session {
  const id = `${user}.${name}`
  const session = slack.sessions.get(id) ?? {
    id,
    user,
    isUnrestricted,
    viewIds: [],
    suggestedOptions: new Map(),
    openPages: 0,
  }
  slack.sessions.set(id, session)
  return session
}

/** Counts an open page of the session. Returns a function to call when the page closes. */
export function trackOpenPage(slack: Slack, session: Session): () => void {
  session.openPages += 1
  return () => {
    session.openPages -= 1
    slack.clock.after(CLOSED_SESSION_TTL_MS, () => {
      if (session.openPages > 0) return
      closeAllViews(slack, session)
      slack.sessions.delete(session.id)
    })
  }
}
