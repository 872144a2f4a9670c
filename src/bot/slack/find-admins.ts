import type { WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import { roleOf } from './role.ts'
import { isSlackFailure } from './slack-errors.ts'

const PAGE_SIZE = 1000
const MAX_PAGES = 10
const MAX_ADMINS = 20

/** The ids of the admins named in the settings or, if none are, of the workspace's. Undefined if Slack doesn't answer. */
export async function findAdmins(
  { admins, directory, log }: Bot,
  client: WebClient,
): Promise<string[] | undefined> {
  if (admins.length) return admins
  try {
    const workspace = await directory.findWorkspace(client)
    const found: string[] = []
    let cursor = ''
    for (let page = 0; page < MAX_PAGES && found.length < MAX_ADMINS; page++) {
      const { members = [], response_metadata } = await client.users.list({ limit: PAGE_SIZE, cursor })
      const isAdmin = (user: (typeof members)[number]) => roleOf(user, workspace, []) === 'admin'
      found.push(...members.filter(isAdmin).flatMap(({ id }) => id ?? []))
      cursor = response_metadata?.next_cursor ?? ''
      if (!cursor) break
    }
    return found.slice(0, MAX_ADMINS)
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    log.warn({ err }, "Slack didn't list the workspace's admins")
    return undefined
  }
}
