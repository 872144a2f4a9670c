import { listAuditEntries, listAuditedUsers, MAX_AUDITED_USERS } from '../../slack/audit-store.ts'
import type { Request } from '../../slack/feature.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { isSlackFailure } from '../../slack/slack-errors.ts'

/** Finds people in the audit trail by their name, such as "@ada". */
export async function findPeople(
  { bot, actor }: Request,
  name: string,
): Promise<{ user_ids: string[] } | { error: string }> {
  const { db, directory } = bot
  const { client, team_id } = actor
  // Slack sends mentions in commands as plain names.
  const wanted = name.slice(1).toLowerCase()
  const user_ids = [wanted.toUpperCase()]
  const [entry] = await listAuditEntries(db, { team_id, user_ids }, { offset: 0, limit: 1 })
  if (entry) return { user_ids }
  const lookups = (await listAuditedUsers(db, team_id)).map(async (user_id) => {
    const user = await directory.find({ client, team_id, user_id })
    const names = [user?.name, user?.real_name, user?.profile?.display_name]
    return names.some((known) => known?.toLowerCase().startsWith(wanted)) ? [user_id] : []
  })
  try {
    const matches = (await Promise.all(lookups)).flat()
    if (matches.length) return { user_ids: matches }
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    const error =
      "Slack didn't return everyone's names. Try again in a minute, or type a Slack member ID after the @."
    return { error }
  }
  return {
    error: `No match for "${escapeText(name)}" among the last ${MAX_AUDITED_USERS} people who used Upnext. You can also type a Slack member ID after the @.`,
  }
}
