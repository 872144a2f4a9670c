import type { MessageShortcut } from '@slack/bolt'
import type { Asker, Bot } from './bot.ts'

/** A message's text as people read it, and the way back to it: for a post that begins with it. */
export async function wordsOf({ directory }: Bot, asker: Asker, shortcut: MessageShortcut): Promise<string> {
  const { client, team_id } = asker
  const { text = '', ts } = shortcut.message
  const mentioned = [...text.matchAll(/<@(\w+)(?:\|[^>]*)?>/g)].map(([, id = '']) => id)
  const [permalink, ...names] = await Promise.all([
    // Not to be had where this app is not in the channel; the text is what counts.
    client.chat
      .getPermalink({ channel: shortcut.channel.id, message_ts: ts })
      .then((answer) => answer.permalink)
      .catch(() => undefined),
    ...mentioned.map(async (user_id) => {
      const user = await directory.find({ client, team_id, user_id }).catch(() => undefined)
      return [user_id, user?.real_name ?? 'somebody'] as const
    }),
  ])
  return [plainWords(text, new Map(names)), permalink].filter(Boolean).join('\n')
}

/** Slack's markup, as what it stands for. */
function plainWords(markup: string, names: Map<string, string>): string {
  return markup
    .replace(/<@(\w+)(?:\|[^>]*)?>/g, (_all, id) => names.get(id) ?? 'somebody')
    .replace(/<#\w+\|([^>]+)>/g, '#$1')
    .replace(/<#\w+\|?>/g, '#channel')
    .replace(/<!subteam\^\w+(?:\|([^>]*))?>/g, (_all, label) => label ?? '@team')
    .replace(/<!date\^[^>|]*\|([^>]*)>/g, '$1')
    .replace(/<!(\w+)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<([^>|]+)(?:\|[^>]*)?>/g, (_all, address) => address.replace(/^mailto:/, ''))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
