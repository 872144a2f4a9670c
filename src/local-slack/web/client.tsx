import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { ClientChannel, ClientMessage, ClientState, ClientUser } from '../protocol.ts'
import type { Connection } from './connection.ts'

/** What every component can read and do. */
export type Client = {
  state: ClientState
  runAction: Connection['runAction']
  /** Runs an action and shows a toast if it fails. */
  runActionWithToast: Connection['runAction']
  currentUser: ClientUser
  /** The current user's time zone; the page shows all times in it. */
  timeZone: string
  findUser: (id: string) => ClientUser | undefined
  findChannel: (id: string) => ClientChannel | undefined
  /** A direct message is named after the other people in it. */
  channelName: (channel: ClientChannel) => string
  /** Adds the session to a file's URL, because only users who may see a file can load it. */
  fileUrl: (url: string) => string
  /** Unsent text, by channel or thread. */
  drafts: Map<string, string>
  showToast: (text: string) => void
}

/** Replies appear only in their thread, unless they were also sent to the channel. */
export const isShownInChannel = ({ thread_ts, ts, subtype }: ClientMessage): boolean =>
  !thread_ts || thread_ts === ts || subtype === 'thread_broadcast'

const ClientContext = createContext<Client | undefined>(undefined)

export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient needs a ClientProvider above it.')
  return client
}

type Props = {
  connection: Connection
  showToast: (text: string) => void
  /** What to show until the client state has arrived. */
  fallback: ReactNode
  children: ReactNode
}

export function ClientProvider({ connection, showToast, fallback, children }: Props) {
  const state = useSyncExternalStore(connection.subscribe, connection.getState)
  const client = useMemo(
    () => state && createClient(state, connection, showToast),
    [state, connection, showToast],
  )
  return client ? <ClientContext value={client}>{children}</ClientContext> : fallback
}

function createClient(
  state: ClientState,
  { runAction, drafts }: Connection,
  showToast: Client['showToast'],
): Client {
  const users = new Map(state.users.map((user) => [user.id, user]))
  const channels = new Map(state.channels.map((channel) => [channel.id, channel]))
  const currentUser = users.get(state.userId)
  if (!currentUser) throw new Error('The client state does not contain its own user.')
  return {
    state,
    runAction,
    runActionWithToast(action, args) {
      const pendingResult = runAction(action, args)
      void pendingResult.then((result) => {
        if ('error' in result) showToast(result.error)
      })
      return pendingResult
    },
    drafts,
    currentUser,
    timeZone: currentUser.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    findUser: (id) => users.get(id),
    findChannel: (id) => channels.get(id),
    channelName({ kind, name, members }) {
      if (kind !== 'im' && kind !== 'mpim') return name
      const names = members.filter((id) => id !== currentUser.id).map((id) => users.get(id)?.name ?? id)
      return names.join(', ') || `${currentUser.name} (you)`
    },
    fileUrl: (url) => `${url}?${new URLSearchParams({ session: state.sessionId })}`,
    showToast,
  }
}
