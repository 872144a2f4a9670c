import { type Poller, startPoller } from '../../../jobs/poller.ts'
import { isSlackFailure, isTokenRejected } from '../slack-errors.ts'
import { type InstalledApp, resumeInstallation } from './installation.ts'
import { OtherWorkspaceError } from './other-workspace.ts'

type ConfirmOptions = {
  claimsDatabase: boolean
  onOtherWorkspace: (error: OtherWorkspaceError) => void
}

const RETRY_INTERVAL_MS = 10_000

/**
 * Asks Slack to confirm that the app is installed. If Slack is down, the bot starts anyway, because posts must go out,
 * and the returned poller keeps asking. Throws if the token isn't valid or another workspace owns the database.
 */
export async function confirmInstallation(
  installed: InstalledApp,
  { claimsDatabase, onOtherWorkspace }: ConfirmOptions,
): Promise<Poller | undefined> {
  const { log, runtime } = installed.bot
  try {
    await resumeInstallation(installed, { claimsDatabase })
    return undefined
  } catch (err) {
    if (err instanceof OtherWorkspaceError || isTokenRejected(err)) throw err
    log.warn(
      { err },
      "Slack didn't confirm that the app is installed. Upnext starts anyway and keeps checking",
    )
  }
  const poller = startPoller({
    log,
    runtime,
    name: 'confirm the installation',
    intervalMs: RETRY_INTERVAL_MS,
    async task() {
      try {
        await resumeInstallation(installed, { claimsDatabase })
      } catch (err) {
        if (isSlackFailure(err)) return false
        if (!(err instanceof OtherWorkspaceError)) throw err
        onOtherWorkspace(err)
      }
      void poller.stop()
      return false
    },
  })
  return poller
}
