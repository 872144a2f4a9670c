import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { ClientChannel, ClientMessage, ClientState, ClientUser } from '../protocol.ts'
import type { Connection } from './connection.ts'

/** What every part of the page can see and do. */
export type Slack = {
  seen: ClientState
  act: Connection['act']
  desk: string
  me: ClientUser
  /** The reader's time zone: all times are shown in it. */
  zone: string
  person: (id: string) => ClientUser | undefined
  channel: (id: string) => ClientChannel | undefined
  /** What a conversation is called for the one who looks at it. */
  nameOf: (channel: ClientChannel) => string
  fileAddress: (address: string) => string
  /** What was begun and not sent, by channel or thread. */
  drafts: Map<string, string>
  /** Says something in passing. */
  say: (text: string) => void
}

/** Replies stand in their thread, unless they were meant for the channel, too. */
export const standsInChannel = ({ thread_ts, ts, subtype }: ClientMessage): boolean =>
  !thread_ts || thread_ts === ts || subtype === 'thread_broadcast'

const Context = createContext<Slack | undefined>(undefined)

export function useSlack(): Slack {
  const slack = useContext(Context)
  if (!slack) throw new Error('This stands outside of the page.')
  return slack
}

type Props = { connection: Connection; say: (text: string) => void; waiting: ReactNode; children: ReactNode }

export function SlackProvider({ connection, say, waiting, children }: Props) {
  const seen = useSyncExternalStore(connection.subscribe, connection.seen)
  const slack = useMemo(() => seen && makeSlack(seen, connection, say), [seen, connection, say])
  return slack ? <Context value={slack}>{children}</Context> : waiting
}

function makeSlack(seen: ClientState, { act, drafts }: Connection, say: Slack['say']): Slack {
  const people = new Map(seen.users.map((person) => [person.id, person]))
  const channels = new Map(seen.channels.map((channel) => [channel.id, channel]))
  const me = people.get(seen.userId)
  if (!me) throw new Error('Nobody sits at this desk.')
  const others = ({ members }: ClientChannel) => {
    const names = members.filter((id) => id !== me.id).map((id) => people.get(id)?.name ?? id)
    return names.length ? names.join(', ') : `${me.name} (you)`
  }
  return {
    seen,
    act,
    drafts,
    desk: seen.sessionId,
    me,
    zone: me.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    person: (id) => people.get(id),
    channel: (id) => channels.get(id),
    nameOf: (channel) => (channel.kind === 'im' || channel.kind === 'mpim' ? others(channel) : channel.name),
    fileAddress: (address) => `${address}?${new URLSearchParams({ session: seen.sessionId })}`,
    say,
  }
}
