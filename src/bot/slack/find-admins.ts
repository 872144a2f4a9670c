import type { UsersListResponse, WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import { roleOf } from './role.ts'
import { isSlackFailure } from './slack-errors.ts'

const PAGE_SIZE = 1000
const MAX_ADMINS = 20

/**
 * Returns the ids of the admins named in the settings. If none are named, returns the ids of the workspace's admins, or
 * undefined if Slack doesn't answer.
 */
export async function findAdmins(
  { admins, directory, log }: Bot,
  client: WebClient,
): Promise<string[] | undefined> {
  if (admins.length) return admins
  try {
    const workspace = await directory.findWorkspace(client)
    const adminIds: string[] = []
    const pages = client.paginate('users.list', { limit: PAGE_SIZE })
    for await (const { members = [] } of pages as AsyncIterable<UsersListResponse>) {
      const admins = members.filter((user) => roleOf(user, workspace, []) === 'admin')
      adminIds.push(...admins.flatMap(({ id }) => id ?? []))
      if (adminIds.length >= MAX_ADMINS) break
    }
    return adminIds.slice(0, MAX_ADMINS)
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    log.warn({ err }, "Slack didn't list the workspace's admins")
    return undefined
  }
}
