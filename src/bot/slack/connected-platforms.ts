import type { Api } from '../../api/client.ts'
import type { Account } from '../../api/records.ts'
import type { Runtime } from '../../runtime.ts'

const MAX_AGE_MS = 60_000
const MAX_PROJECTS = 1000

/** An available account isn't connected yet, but can be, because the operator gave it to the project. */
export const isConnected = ({ State }: Account): boolean => State !== 'AVAILABLE'

type Connections = {
  platforms: string[]
  /** Whether the service rejects posts for platforms without a connected account. */
  areRequired: boolean
}

export type ConnectedPlatforms = ReturnType<typeof createConnectedPlatforms>

/** Remembers which platforms of a project have an account, so that forms show them immediately. */
export function createConnectedPlatforms({ accounts }: Pick<Api, 'accounts'>, now: Runtime['now']) {
  const cache = new Map<string, { connections: Connections | undefined; askedAt: number }>()

  async function load(project_id: string): Promise<void> {
    const connections = cache.get(project_id)?.connections
    if (cache.size >= MAX_PROJECTS) cache.clear()
    const entry = { connections, askedAt: now().getTime() }
    cache.set(project_id, entry)
    const result = await accounts.list(project_id)
    if (result.kind !== 'ok') return
    const { items, areRequired } = result.data
    const platforms = items.filter(isConnected).flatMap(({ Platform }) => Platform ?? [])
    entry.connections = { platforms, areRequired }
  }

  return {
    load,
    /** Returns undefined until the service has answered. Asks it again if the answer is older than a minute. */
    recall(project_id: string): Connections | undefined {
      const entry = cache.get(project_id)
      if (!entry || Math.abs(now().getTime() - entry.askedAt) > MAX_AGE_MS) void load(project_id)
      return cache.get(project_id)?.connections
    },
  }
}
