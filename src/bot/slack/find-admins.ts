import type { UsersListResponse, WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import { roleOf } from './role.ts'
import { isSlackFailure } from './slack-errors.ts'

const PAGE_SIZE = 1000
const MAX_ADMINS = 20

/**
 * Returns the ids of the admins named in the settings. If there are none, or all of them are `unsuitable`, adds the
 * workspace's admins. Returns undefined if Slack doesn't list the workspace's admins.
 */
export async function findAdmins(
  { admins, directory, log }: Bot,
  client: WebClient,
  unsuitable: string[] = [],
): Promise<string[] | undefined> {
  if (admins.some((admin) => !unsuitable.includes(admin))) return admins
  try {
    const workspace = await directory.findWorkspace(client)
    const adminIds = [...admins]
    const pages = client.paginate('users.list', { limit: PAGE_SIZE })
    for await (const { members = [] } of pages as AsyncIterable<UsersListResponse>) {
      const found = members.filter((user) => roleOf(user, workspace, []) === 'admin')
      adminIds.push(...found.flatMap(({ id }) => id ?? []))
      if (adminIds.length >= MAX_ADMINS) break
    }
    return [...new Set(adminIds)].slice(0, MAX_ADMINS)
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    log.warn({ err }, "Slack didn't list the workspace's admins")
    return undefined
  }
}
