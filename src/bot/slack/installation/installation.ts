import type { Uninstallation, WorkerContext } from '../feature.ts'
import { isAccessLost, isSlackFailure } from '../slack-errors.ts'
import {
  claimDatabase,
  deleteWorkspace,
  findInstalledWorkspace,
  forgetUninstallation,
  isAnyWorkspaceUninstalled,
  listWorkspacesToDelete,
  recordUninstallation,
} from './installation-store.ts'
import { OtherWorkspaceError } from './other-workspace.ts'

/** The app in its workspace. */
export type InstalledApp = Pick<WorkerContext, 'bot' | 'client' | 'modules' | 'workspaceTables'>

/** Records the uninstallation and notifies the modules. Deletes the workspace's data if the retention is 0 days. */
export async function handleUninstallation(
  installed: InstalledApp,
  { team_id, reason }: Uninstallation,
): Promise<void> {
  const { bot, modules } = installed
  const { db, runtime, uninstallRetentionDays } = bot
  // One transaction, so that a reinstallation can't be noticed before the modules have reacted.
  await db.transaction().execute(async (transaction) => {
    await recordUninstallation(transaction, team_id)
    for (const { onUninstalled } of modules)
      await onUninstalled?.(transaction, { team_id, reason }, runtime.now())
  })
  // A revoked token may just be getting replaced. The app may already be installed again, so Slack is asked first.
  if (uninstallRetentionDays === 0 && reason === 'app_uninstalled') await checkUninstallations(installed)
}

/** After a reinstallation, notifies the modules. Rejects if Slack doesn't confirm that the app has access. */
export async function resumeInstallation(
  { bot, client, modules }: InstalledApp,
  { claimsDatabase = false } = {},
) {
  const { db, log, runtime } = bot
  const { team_id = '', is_enterprise_install = false } = await client.auth.test()
  if (claimsDatabase) await claimDatabase(db, team_id)
  const owner = (await findInstalledWorkspace(db)) ?? team_id
  if (owner !== team_id) throw new OtherWorkspaceError(owner, team_id)
  await db.transaction().execute(async (transaction) => {
    if (!(await forgetUninstallation(transaction, team_id))) return
    for (const { onReinstalled } of modules) await onReinstalled?.(transaction, team_id, runtime.now())
    log.info({ team_id }, 'The app is installed again')
  })
  return { isOrgWide: is_enterprise_install }
}

/** Asks Slack whether the app was installed again. If it wasn't, the workspace's data is deleted once the retention has passed. */
export async function checkUninstallations(installed: InstalledApp): Promise<void> {
  const { bot, workspaceTables } = installed
  const { db, log, uninstallRetentionDays } = bot
  if (!(await isAnyWorkspaceUninstalled(db))) return
  try {
    const { isOrgWide } = await resumeInstallation(installed)
    // If the app is installed for a whole organization, it may still have access to the workspace, so the workspace's data
    // stays.
    if (isOrgWide) return
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    // Other failures don't show whether the app is installed, so the data stays until the next check.
    if (!isAccessLost(err)) return
  }
  for (const team_id of await listWorkspacesToDelete(db, uninstallRetentionDays)) {
    await deleteWorkspace(db, team_id, workspaceTables)
    log.info({ team_id }, 'Deleted the data of a workspace that uninstalled the app')
  }
}
