import type { ClientState } from '../protocol.ts'

/** A command, user or channel that completes the word before the caret; it replaces the text from `start`. */
export type Suggestion = { start: number; insert: string; label: string; hint: string }

const MAX_SUGGESTIONS = 8

type Source = Pick<ClientState, 'users' | 'channels'> & Pick<ClientState['app'], 'commands'>

export function findSuggestions(
  text: string,
  caret: number,
  { users, channels, commands }: Source,
): Suggestion[] {
  const textBeforeCaret = text.slice(0, caret)
  const commandPrefix = /^\/\S*$/.exec(textBeforeCaret)?.[0]
  if (commandPrefix)
    return commands
      .filter(({ command }) => command.startsWith(commandPrefix))
      .slice(0, MAX_SUGGESTIONS)
      .map(({ command, usage_hint = '', description }) => ({
        start: 0,
        insert: `${command} `,
        label: `${command} ${usage_hint}`.trim(),
        hint: description,
      }))
  const [, sign, prefix = ''] = /(?:^|\s)([@#])([\p{L}\p{N}._-]*)$/u.exec(textBeforeCaret) ?? []
  const start = caret - prefix.length - 1
  const hasPrefix = (name: string) => name.toLowerCase().startsWith(prefix.toLowerCase())
  if (sign === '@')
    return users
      .filter(({ handle, name, isDeactivated }) => !isDeactivated && (hasPrefix(handle) || hasPrefix(name)))
      .slice(0, MAX_SUGGESTIONS)
      .map(({ handle, name }) => ({ start, insert: `@${handle} `, label: name, hint: `@${handle}` }))
  if (sign === '#')
    return channels
      .filter(({ kind, name }) => kind === 'public' && hasPrefix(name))
      .slice(0, MAX_SUGGESTIONS)
      .map(({ name, topic }) => ({ start, insert: `#${name} `, label: `#${name}`, hint: topic }))
  return []
}
