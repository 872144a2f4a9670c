import type { Api } from '../../api/client.ts'
import type { Account } from '../../api/records.ts'
import type { Runtime } from '../../runtime.ts'

const MAX_AGE_MS = 60_000
const MAX_PROJECTS = 1000

/** Other accounts can be connected, because the operator gave them to the project. */
export const isConnected = ({ State }: Account): boolean => State !== 'AVAILABLE'

type Connections = {
  platforms: string[]
  /** Whether the service rejects posts for platforms without a connected account. */
  areRequired: boolean
}

export type ConnectedPlatforms = ReturnType<typeof createConnectedPlatforms>

/** Remembers which platforms of a project have an account, so that forms show it immediately. */
export function createConnectedPlatforms({ accounts }: Pick<Api, 'accounts'>, now: Runtime['now']) {
  const known = new Map<string, { connected: Connections | undefined; askedAt: number }>()

  async function load(project_id: string): Promise<void> {
    const connected = known.get(project_id)?.connected
    if (known.size >= MAX_PROJECTS) known.clear()
    const entry = { connected, askedAt: now().getTime() }
    known.set(project_id, entry)
    const result = await accounts.list(project_id)
    if (result.kind !== 'ok') return
    const { items, areRequired } = result.data
    const platforms = items.filter(isConnected).flatMap(({ Platform }) => Platform ?? [])
    entry.connected = { platforms, areRequired }
  }

  return {
    /** Returns undefined until the service has answered. Asks it again if the answer is older than a minute. */
    recall(project_id: string): Connections | undefined {
      const entry = known.get(project_id)
      if (!entry || Math.abs(now().getTime() - entry.askedAt) > MAX_AGE_MS) void load(project_id)
      return known.get(project_id)?.connected
    },
  }
}
