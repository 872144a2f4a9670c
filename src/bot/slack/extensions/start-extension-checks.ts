import { type Poller, startPoller } from '../../../jobs/poller.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../bot.ts'

const CHECK_INTERVAL_MS = 10_000
const REFRESH_INTERVAL_MS = 60 * 60_000
/** When Upnext starts, it waits no longer than this for the service. */
const STARTUP_TIMEOUT_MS = 2000

/** Asks the service for its OpenAPI document until it sends one, and then again every hour. */
export async function startExtensionChecks(bot: Bot): Promise<Poller> {
  const { log, runtime } = bot
  let refreshedAt = (await refreshExtensions(bot, addMs(runtime.now(), STARTUP_TIMEOUT_MS)))
    ? runtime.now().getTime()
    : 0
  return startPoller({
    log,
    runtime,
    name: 'check which extensions the service has',
    intervalMs: CHECK_INTERVAL_MS,
    task: async () => {
      const now = runtime.now().getTime()
      if (now - refreshedAt >= REFRESH_INTERVAL_MS && (await refreshExtensions(bot))) refreshedAt = now
      return false
    },
  })
}

/** Results that don't say which extensions the service has. */
const INCONCLUSIVE_KINDS = ['unreachable', 'server-error', 'rate-limited', 'unclear']

/** Returns whether the service sent its OpenAPI document. */
async function refreshExtensions({ api, extensions }: Bot, deadline?: Date): Promise<boolean> {
  const result = await api.readExtensions({ deadline })
  // Any other result is an answer, even if the service has no OpenAPI document.
  extensions.areKnown ||= !INCONCLUSIVE_KINDS.includes(result.kind)
  if (result.kind !== 'ok' || !result.data) return false
  extensions.current = result.data
  return true
}
