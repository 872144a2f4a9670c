import { NO_EXTENSIONS } from '../../../api/service-extensions.ts'
import { type Poller, startPoller } from '../../../jobs/poller.ts'
import type { Bot } from '../bot.ts'
import { findExtensions, saveExtensions } from './extension-store.ts'

const CHECK_INTERVAL_MS = 60_000
const REFRESH_INTERVAL_MS = 60 * 60_000
/** A start doesn't wait longer for the service. */
const FIRST_DEADLINE_MS = 2000

/** Asks the service now and every hour. If it doesn't answer, the bot uses the service's last known answer. */
export async function startExtensionChecks(bot: Bot): Promise<Poller> {
  const { api, db, extensions, log, runtime } = bot
  extensions.current = (await findExtensions(db, api.baseUrl)) ?? NO_EXTENSIONS
  let refreshedAt = (await refreshExtensions(bot, FIRST_DEADLINE_MS)) ? runtime.now().getTime() : 0
  return startPoller({
    log,
    runtime,
    name: 'Asking what the service offers',
    intervalMs: CHECK_INTERVAL_MS,
    task: async () => {
      const now = runtime.now().getTime()
      if (now - refreshedAt >= REFRESH_INTERVAL_MS && (await refreshExtensions(bot))) refreshedAt = now
      return false
    },
  })
}

/** Returns whether the service answered. */
async function refreshExtensions({ api, db, extensions }: Bot, deadlineMs?: number): Promise<boolean> {
  const result = await api.readExtensions({ deadlineMs })
  if (result.kind !== 'ok' || !result.data) return false
  extensions.current = result.data
  await saveExtensions(db, api.baseUrl, result.data)
  return true
}
