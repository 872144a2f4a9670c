import type { Runtime } from '../runtime.ts'
import type { Db } from './stores/tables.ts'
import { findMembership, type Membership } from './stores/tokens-store.ts'
import { isId } from './validation/fields.ts'

/** How long a revoked token or a removed role may still work. */
const CALLER_TTL_MS = 1000
const MAX_CALLERS = 10_000

type Known = { membership: Membership; foundAt: number }

/** Finds who sent a request. Callers are remembered, so most requests of a busy client need no query. */
export function createCallerCache(db: Db, now: Runtime['now']) {
  let known = new Map<string, Known>()

  return {
    async find(tokenHash: Buffer, project_id = ''): Promise<Membership | undefined> {
      const key = `${tokenHash.toString('base64')} ${project_id}`
      const time = now().getTime()
      const current = known.get(key)
      if (current && Math.abs(time - current.foundAt) < CALLER_TTL_MS) return current.membership
      if (known.size >= MAX_CALLERS) known.clear()
      known.delete(key)
      // If roles change during the query, its outdated answer goes into a map that is no longer used.
      const answers = known
      const membership = await findMembership(db, {
        hash: tokenHash,
        project_id: isId(project_id) ? project_id : null,
      })
      // A refusal isn't remembered, so that new access works immediately.
      if (membership && (!project_id || membership.status === 'ACTIVE'))
        answers.set(key, { membership, foundAt: time })
      return membership
    },
    /** Makes a role change take effect immediately on this instance. */
    forget(): void {
      known = new Map()
    },
  }
}
