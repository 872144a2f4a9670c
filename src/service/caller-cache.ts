import type { Runtime } from '../runtime.ts'
import type { Db } from './stores/tables.ts'
import { findMembership, type Membership } from './stores/tokens-store.ts'
import { isId } from './validation/fields.ts'

/** How long a revoked token or a removed role may still work. */
const CALLER_TTL_MS = 1000
const MAX_CACHED_CALLERS = 10_000

type CachedCaller = { membership: Membership; foundAt: number }

/** Finds who sent a request. Callers are remembered, so most requests of a busy client need no query. */
export function createCallerCache(db: Db, now: Runtime['now']) {
  let cachedCallers = new Map<string, CachedCaller>()

  return {
    async find(tokenHash: Buffer, project_id = ''): Promise<Membership | undefined> {
      const key = `${tokenHash.toString('base64')} ${project_id}`
      const time = now().getTime()
      const cached = cachedCallers.get(key)
      if (cached && Math.abs(time - cached.foundAt) < CALLER_TTL_MS) return cached.membership
      if (cachedCallers.size >= MAX_CACHED_CALLERS) cachedCallers.clear()
      cachedCallers.delete(key)
      // If roles change during the query, its outdated result goes into a map that is no longer used.
      const callersBeforeQuery = cachedCallers
      const membership = await findMembership(db, {
        hash: tokenHash,
        project_id: isId(project_id) ? project_id : null,
      })
      // A refusal isn't remembered, so that new access works immediately.
      if (membership && (!project_id || membership.status === 'ACTIVE'))
        callersBeforeQuery.set(key, { membership, foundAt: time })
      return membership
    },
    /** Makes a role change take effect immediately on this instance. */
    forget(): void {
      cachedCallers = new Map()
    },
  }
}
