import type { Runtime } from '../runtime.ts'
import type { Db } from './stores/tables.ts'
import { findCaller, type Membership } from './stores/tokens-store.ts'
import { isId } from './validation/fields.ts'

/** How long a revoked token or a removed role may still work. */
const TTL_MS = 1000
const MAX_CALLERS = 10_000

type Known = { membership: Promise<Membership | undefined>; foundAt: number }

/** Finds who sent a request. Clients send several requests a second, so most of them need no query. */
export function createCallers(db: Db, now: Runtime['now']) {
  const known = new Map<string, Known>()
  const isCurrent = ({ foundAt }: Known) => Math.abs(now().getTime() - foundAt) < TTL_MS

  return {
    async find(tokenHash: Buffer, project_id = ''): Promise<Membership | undefined> {
      const key = `${tokenHash.toString('base64')} ${project_id}`
      const current = known.get(key)
      if (current && isCurrent(current)) return current.membership
      if (known.size >= MAX_CALLERS) known.clear()
      const membership = findCaller(db, {
        hash: tokenHash,
        project_id: isId(project_id) ? project_id : null,
      })
      known.set(key, { membership, foundAt: now().getTime() })
      const forgetLookup = () => {
        if (known.get(key)?.membership === membership) known.delete(key)
      }
      try {
        const found = await membership
        const isAllowed = project_id ? found?.status === 'ACTIVE' : found
        // A refusal isn't remembered, so that new access works at once.
        if (!isAllowed) forgetLookup()
        return found
      } catch (error) {
        forgetLookup()
        throw error
      }
    },
    /** Makes a change of roles work at once on this instance. */
    forget: () => known.clear(),
  }
}
