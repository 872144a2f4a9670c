import type { MessageShortcut } from '@slack/bolt'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'

const USER_MENTION = /<@(\w+)(?:\|[^<>]*)?>/g
/** Each name may take a request to Slack. */
const MAX_NAMES = 20

/** The text of a Slack message as people read it. */
export async function readMessageText(
  { directory }: Bot,
  { client, team_id }: Actor,
  { text = '' }: MessageShortcut['message'],
): Promise<string> {
  const userIds = new Set([...text.matchAll(USER_MENTION)].map(([, id = '']) => id))
  const names = await Promise.all(
    [...userIds].slice(0, MAX_NAMES).map(async (user_id) => {
      const user = await directory.find({ client, team_id, user_id }).catch(() => undefined)
      return [user_id, user?.real_name ?? UNKNOWN_USER] as const
    }),
  )
  return removeMarkup(text, new Map(names))
}

const UNKNOWN_USER = 'someone'

function removeMarkup(markup: string, userNames: Map<string, string>): string {
  return markup
    .replace(USER_MENTION, (_match, id) => userNames.get(id) ?? UNKNOWN_USER)
    .replace(/<#\w+\|([^<>]+)>/g, '#$1')
    .replace(/<#\w+\|?>/g, '#channel')
    .replace(/<!subteam\^\w+(?:\|([^<>]*))?>/g, (_match, label) => label ?? '@team')
    .replace(/<!date\^[^<>|]*\|([^<>]*)>/g, '$1')
    .replace(/<!(\w+)(?:\|[^<>]*)?>/g, '@$1')
    .replace(/<([^<>|]+)(?:\|[^<>]*)?>/g, (_match, link) => link.replace(/^mailto:/, ''))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
