import type { ClientState } from '../protocol.ts'

/** What could be meant by what stands before the caret, and what to put in its place. */
export type Completion = { start: number; insert: string; label: string; hint: string }

const MOST = 8

type Known = Pick<ClientState, 'users' | 'channels'> & Pick<ClientState['app'], 'commands'>

export function completionsFor(text: string, caret: number, seen: Known): Completion[] {
  const before = text.slice(0, caret)
  const command = /^\/\S*$/.exec(before)?.[0]
  if (command)
    return seen.commands
      .filter((one) => one.command.startsWith(command))
      .slice(0, MOST)
      .map(({ command: insert, usage_hint = '', description }) => ({
        start: 0,
        insert: `${insert} `,
        label: `${insert} ${usage_hint}`.trim(),
        hint: description,
      }))
  const [, sign, name = ''] = /(?:^|\s)([@#])([\p{L}\p{N}._-]*)$/u.exec(before) ?? []
  const start = caret - name.length - 1
  const fits = (...names: string[]) => names.some((one) => one.toLowerCase().startsWith(name.toLowerCase()))
  if (sign === '@')
    return seen.users
      .filter((person) => fits(person.handle, person.name))
      .slice(0, MOST)
      .map((person) => ({
        start,
        insert: `@${person.handle} `,
        label: person.name,
        hint: `@${person.handle}`,
      }))
  if (sign === '#')
    return seen.channels
      .filter(({ kind, name: one }) => kind === 'public' && fits(one))
      .slice(0, MOST)
      .map((channel) => ({
        start,
        insert: `#${channel.name} `,
        label: `#${channel.name}`,
        hint: channel.topic,
      }))
  return []
}
