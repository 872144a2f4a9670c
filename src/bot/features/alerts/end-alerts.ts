import { addNotification } from '../../outbox/add-notification.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { findAdmins } from '../../slack/find-admins.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { removeAlertChannel } from './alert-store.ts'
import type { Alert } from './tables.ts'

const MAX_LINES = 10

/** Turns off a channel's alerts, and notifies the admins. Returns false if Slack doesn't list the admins. */
export async function endAlerts(
  { bot, client }: WorkerContext,
  { id, team_id, project_id, project_name, recipient: channel_id, ts, problems }: Alert,
  code: string,
): Promise<boolean> {
  const admins = await findAdmins(bot, client)
  if (!admins) return false
  const lines = [problems[0]?.subject ?? '', ...problems.slice(0, MAX_LINES).map(({ line }) => line)]
  const missed = ts ? '' : `\nNot posted in the channel: ${lines.join('\n')}`
  const message = `<#${channel_id}> no longer gets alerts about ${escapeText(project_name)}. When Upnext is in the channel, turn them on again with \`/upnext alerts here\`.${missed}`
  bot.log.warn({ channel: channel_id, code }, 'The alerts of a channel have ended')
  await bot.db.transaction().execute(async (transaction) => {
    const removed = await removeAlertChannel(transaction, { team_id, channel_id, project_id })
    // Someone may have turned off the channel's alerts.
    if (!removed.length) return
    for (const user_id of admins)
      await addNotification(transaction, `${id} ${user_id}`, { team_id, user_id, message }, bot.runtime.now())
  })
  return true
}
