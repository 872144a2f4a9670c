import type { RichTextElement } from '@slack/types'
import { personByHandle } from '../workspace/people.ts'
import type { Slack } from '../workspace/slack.ts'

/** What a person types, as Slack keeps it: people, channels and links marked, the rest harmless. */
export function markWords(slack: Slack, typed: string): string {
  return wordsIn(slack, typed)
    .map((word) => {
      if (word.type === 'user') return `<@${word.user_id}>`
      if (word.type === 'channel') return `<#${word.channel_id}>`
      if (word.type === 'broadcast') return `<!${word.range}>`
      if (word.type === 'link') return `<${escapeText(word.url)}>`
      return word.type === 'text' ? escapeText(word.text) : ''
    })
    .join('')
}

/** For a command that asks for it: with the names beside the ids. */
export function escapeForCommand(slack: Slack, typed: string): string {
  return wordsIn(slack, typed)
    .map((word) => {
      if (word.type === 'user') return `<@${word.user_id}|${slack.people.get(word.user_id)?.handle}>`
      if (word.type === 'channel') return `<#${word.channel_id}|${slack.channels.get(word.channel_id)?.name}>`
      if (word.type === 'link') return `<${word.url}>`
      return word.type === 'text' ? word.text : word.type === 'broadcast' ? `<!${word.range}>` : ''
    })
    .join('')
}

/** As a rich text block's elements, which is how Slack's own messages come. */
export function wordsIn(slack: Slack, typed: string): RichTextElement[] {
  const words: RichTextElement[] = []
  let plain = ''
  const flush = () => {
    if (plain) words.push({ type: 'text', text: plain })
    plain = ''
  }
  for (const part of typed.split(/(@[\p{L}\p{N}._-]+|#[\p{L}\p{N}_-]+|https?:\/\/[^\s<>|]+)/u)) {
    const word = readWord(slack, part)
    if (word) {
      flush()
      words.push(word)
    } else plain += part
  }
  flush()
  return words
}

function readWord(slack: Slack, part: string): RichTextElement | undefined {
  if (/^https?:\/\/./.test(part)) return { type: 'link', url: part }
  const name = part.slice(1)
  if (part.startsWith('@')) {
    if (name === 'here' || name === 'channel' || name === 'everyone')
      return { type: 'broadcast', range: name }
    const person = personByHandle(slack, name)
    return person && { type: 'user', user_id: person.id }
  }
  const channel =
    part.startsWith('#') &&
    [...slack.channels.values()].find((one) => one.kind === 'public' && one.name === name)
  return channel ? { type: 'channel', channel_id: channel.id } : undefined
}

export const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
