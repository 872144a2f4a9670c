import type { MessageShortcut } from '@slack/bolt'
import type { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types'
import { type Actor, isChannelId } from './actor.ts'
import type { Bot } from './bot.ts'
import { replaceEmojiNames, toEmoji } from './emoji-names.ts'

/**
 * Slack doesn't escape the text of commands and inputs, so "&amp;" or "@acme" in it was typed by the author and is
 * kept. "@acme" may be an account on a platform.
 */
export const readTypedText = (text: string): string => replaceEmojiNames(text)

/** Returns the text of a message as Slack shows it, but URLs replace their labels, and mentions have no "@". */
export async function readMessageText(
  bot: Bot,
  actor: Actor,
  { text = '', blocks }: MessageShortcut['message'],
): Promise<string> {
  const pieces = isRichText(blocks) ? readRichText(blocks) : readMrkdwn(text)
  const names = await findNames(bot, actor, pieces)
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return names.get(piece.id) ?? (isChannelId(piece.id) ? 'private channel' : 'someone')
    })
    .join('')
}

/** A user or a channel. */
type Mention = { id: string }
type Piece = string | Mention

/** Each name may take a request to Slack. */
const MAX_NAMES = 20

async function findNames(bot: Bot, actor: Actor, pieces: Piece[]): Promise<Map<string, string | undefined>> {
  const ids = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.id])))
  const names = [...ids].slice(0, MAX_NAMES).map(async (id) => {
    const find = isChannelId(id) ? findChannelName : findUserName
    return [id, await find(bot, actor, id).catch(() => undefined)] as const
  })
  return new Map(await Promise.all(names))
}

async function findUserName({ directory }: Bot, { client, team_id }: Actor, user_id: string) {
  const user = await directory.find({ client, team_id, user_id })
  return user?.real_name && withoutAt(user.real_name)
}

/** Returns undefined for a private channel, because its name must not be shown to people outside the channel. */
async function findChannelName(_bot: Bot, { client }: Actor, id: string) {
  const { channel } = await client.conversations.info({ channel: id })
  return channel?.name && !channel.is_private ? `#${channel.name}` : undefined
}

/** In a post, "@" followed by the name would mention an unrelated account. */
const withoutAt = (name: string): string => name.replace(/^@/, '')

const withoutScheme = (url: string): string => url.replace(/^(?:mailto|tel):/, '')

const GROUP_PLACEHOLDER = 'team'

/** Slack turns what people write into rich text. Messages of apps may have other blocks, which their text summarizes. */
const isRichText = (blocks: unknown): blocks is RichTextBlock[] =>
  Array.isArray(blocks) && blocks.length > 0 && blocks.every(({ type }) => type === 'rich_text')

const readRichText = (blocks: RichTextBlock[]): Piece[] =>
  joinLines(blocks.flatMap(({ elements }) => elements.flatMap(readLines)))

function readLines(element: RichTextBlockElement): Piece[][] {
  if (element.type !== 'rich_text_list') return [element.elements.map(readElement)]
  const { style, indent = 0, elements } = element
  const offset = 'offset' in element ? Number(element.offset) : 0
  return elements.map((item, index) => {
    const sign = style === 'ordered' ? `${offset + index + 1}.` : '•'
    return [`${'    '.repeat(indent)}${sign} `, ...item.elements.map(readElement)]
  })
}

/** Text before a list already ends with a line break. */
const joinLines = (lines: Piece[][]): Piece[] =>
  lines.flatMap((pieces, index) => {
    const last = lines[index - 1]?.at(-1)
    const hasLineBreak = index === 0 || (typeof last === 'string' && last.endsWith('\n'))
    return hasLineBreak ? pieces : ['\n', ...pieces]
  })

function readElement(element: RichTextElement): Piece {
  switch (element.type) {
    case 'text':
      return element.text
    case 'emoji':
      return element.unicode ? toEmoji(element.unicode) : replaceEmojiNames(`:${element.name}:`)
    case 'link':
      return withoutScheme(element.url)
    case 'user':
      return { id: element.user_id }
    case 'channel':
      return { id: element.channel_id }
    case 'broadcast':
      return element.range
    case 'usergroup':
      return GROUP_PLACEHOLDER
    case 'date':
      return element.fallback ?? ''
    case 'color':
      return element.value
    default:
      return ''
  }
}

const readMrkdwn = (text: string): Piece[] =>
  text
    .split(/(<[^<>]+>)/)
    .map((part, index) =>
      index % 2 ? readReference(part.slice(1, -1)) : replaceEmojiNames(unescapeText(part)),
    )

/** The part between "<" and ">", such as "https://acme.example|our site". */
function readReference(reference: string): Piece {
  const [target = '', label] = reference.split('|').map(unescapeText)
  const [, sign = '', id = ''] = /^([@#!]?)([^^]+)/.exec(target) ?? []
  if (sign === '@') return { id }
  if (sign === '#') return label ? `#${label}` : { id }
  if (sign === '!') return withoutAt(label ?? (id === 'subteam' ? GROUP_PLACEHOLDER : id))
  return withoutScheme(target)
}

const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
