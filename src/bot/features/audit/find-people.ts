import { listAuditEntries, listAuditedUsers, MAX_AUDITED_USERS } from '../../slack/audit-store.ts'
import type { Request } from '../../slack/feature.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { isSlackFailure } from '../../slack/slack-errors.ts'

/** Finds the people who did something from Slack and have this name, such as "@ada". */
export async function findPeople(
  request: Request,
  name: string,
): Promise<{ user_ids: string[] } | { error: string }> {
  const user_ids = await findByName(request, name.slice(1))
  if (!user_ids)
    return {
      error: "Slack didn't return everyone's names. Try again in a minute, or type the Slack ID after the @.",
    }
  if (!user_ids.length)
    return {
      error: `None of the latest ${MAX_AUDITED_USERS} people who used Upnext matches ${escapeText(name)}. You can also type a Slack member ID after the @.`,
    }
  return { user_ids }
}

/** Slack sends mentions in commands as plain names. Returns undefined if Slack fails to return someone's name. */
async function findByName({ bot, actor }: Request, name: string): Promise<string[] | undefined> {
  const { db, directory } = bot
  const { client, team_id } = actor
  const wanted = name.toLowerCase()
  const user_id = name.toUpperCase()
  const [entry] = await listAuditEntries(db, { team_id, user_ids: [user_id] }, { offset: 0, limit: 1 })
  if (entry) return [user_id]
  const user_ids = await listAuditedUsers(db, team_id)
  try {
    const matches = await Promise.all(
      user_ids.map(async (user_id) => {
        const user = await directory.find({ client, team_id, user_id })
        const names = [user?.name, user?.real_name, user?.profile?.display_name]
        return names.some((known) => known?.toLowerCase().startsWith(wanted)) ? [user_id] : []
      }),
    )
    return matches.flat()
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    return undefined
  }
}
