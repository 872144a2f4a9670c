import type { RichTextElement, RichTextEmoji } from '@slack/types'
import { findEmoji, findEmojiName, fromCodePoints, splitEmojiNames, toCodePoints } from '../../emoji.ts'
import type { Slack } from '../workspace/slack.ts'
import { findUserByHandle } from '../workspace/users.ts'

/** Turns entered text into mrkdwn: marks users, channels and links, and escapes the rest. */
export function toMrkdwn(slack: Slack, text: string): string {
  return toRichText(slack, text)
    .map((element) => {
      if (element.type === 'user') return `<@${element.user_id}>`
      if (element.type === 'channel') return `<#${element.channel_id}>`
      if (element.type === 'broadcast') return `<!${element.range}>`
      if (element.type === 'link') return `<${escapeText(element.url)}>`
      if (element.type === 'emoji') return toEmojiCode(element)
      return element.type === 'text' ? escapeText(element.text) : ''
    })
    .join('')
}

/** Turns entered text into the text of a command with `should_escape`, in which mentions carry the name beside the id: `<@U123|name>`. */
export function toCommandText(slack: Slack, text: string): string {
  return toRichText(slack, text)
    .map((element) => {
      if (element.type === 'user') return `<@${element.user_id}|${slack.users.get(element.user_id)?.handle}>`
      if (element.type === 'channel')
        return `<#${element.channel_id}|${slack.channels.get(element.channel_id)?.name}>`
      if (element.type === 'link') return `<${element.url}>`
      if (element.type === 'emoji') return toEmojiCode(element)
      return element.type === 'text'
        ? element.text
        : element.type === 'broadcast'
          ? `<!${element.range}>`
          : ''
    })
    .join('')
}

/** Turns entered text into the elements of a rich text block. */
export function toRichText(slack: Slack, text: string): RichTextElement[] {
  const elements: RichTextElement[] = []
  let plainText = ''
  const addPlainText = () => {
    elements.push(...toTextAndEmoji(plainText))
    plainText = ''
  }
  for (const token of text.split(/(@[\p{L}\p{N}._-]+|#[\p{L}\p{N}_-]+|https?:\/\/[^\s<>|]+)/u)) {
    const element = parseToken(slack, token)
    if (element) {
      addPlainText()
      elements.push(element)
    } else plainText += token
  }
  addPlainText()
  return elements
}

// Comparing a character with all emoji is slow, so a lookahead first excludes characters that begin none. Compiling takes
// 20 ms, so it's done once. The flag "v" is newer than the syntax that the compiler accepts.
const ANY_EMOJI = String.raw`(?=[\p{Emoji}--[0-9#*]]|[0-9#*]\u{fe0f})(\p{RGI_Emoji})`
const EMOJI = new RegExp(ANY_EMOJI, 'gv')

/** In messages and commands, Slack replaces an emoji by its name: ":tada:" */
export const nameEmoji = (text: string): string =>
  text.replace(EMOJI, (emoji) => {
    const name = findEmojiName(emoji)
    return name ? `:${name}:` : emoji
  })

const toTextAndEmoji = (text: string): RichTextElement[] =>
  text.split(EMOJI).flatMap((part, index) => {
    const name = index % 2 ? findEmojiName(part) : undefined
    return name ? toEmojiElement(name) : splitEmojiNames(part).map(toTextOrEmoji)
  })

const toTextOrEmoji = (part: string | { name: string }): RichTextElement =>
  typeof part === 'string' ? { type: 'text', text: part } : toEmojiElement(part.name)

const toEmojiElement = (name: string): RichTextEmoji => ({
  type: 'emoji',
  name: name.split('::')[0] ?? name,
  unicode: toCodePoints(findEmoji(name) ?? ''),
})

const toEmojiCode = ({ unicode = '' }: RichTextEmoji): string => nameEmoji(fromCodePoints(unicode))

function parseToken(slack: Slack, token: string): RichTextElement | undefined {
  if (/^https?:\/\/./.test(token)) return { type: 'link', url: token }
  const name = token.slice(1)
  if (token.startsWith('@')) {
    if (name === 'here' || name === 'channel' || name === 'everyone')
      return { type: 'broadcast', range: name }
    const user = findUserByHandle(slack, name)
    return user && { type: 'user', user_id: user.id }
  }
  if (!token.startsWith('#')) return undefined
  const channel = [...slack.channels.values()].find(
    (candidate) => candidate.kind === 'public' && candidate.name === name,
  )
  return channel && { type: 'channel', channel_id: channel.id }
}

export const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
