import type { MessageShortcut } from '@slack/bolt'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'

/** The text of a Slack message as people read it, followed by a link to the message. */
export async function readMessageText(
  { directory }: Bot,
  actor: Actor,
  shortcut: MessageShortcut,
): Promise<string> {
  const { client, team_id } = actor
  const { text = '', ts } = shortcut.message
  const userIds = [...text.matchAll(/<@(\w+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id)
  const [permalink, ...names] = await Promise.all([
    // Slack gives no link if the bot isn't in the channel. The text matters more.
    client.chat
      .getPermalink({ channel: shortcut.channel.id, message_ts: ts })
      .then((response) => response.permalink)
      .catch(() => undefined),
    ...userIds.map(async (user_id) => {
      const user = await directory.find({ client, team_id, user_id }).catch(() => undefined)
      return [user_id, user?.real_name ?? UNKNOWN_USER] as const
    }),
  ])
  return [removeMarkup(text, new Map(names)), permalink].filter(Boolean).join('\n')
}

const UNKNOWN_USER = 'someone'

function removeMarkup(markup: string, userNames: Map<string, string>): string {
  return markup
    .replace(/<@(\w+)(?:\|[^<>]*)?>/g, (_match, id) => userNames.get(id) ?? UNKNOWN_USER)
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
