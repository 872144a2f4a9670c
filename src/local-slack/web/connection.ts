import type { ActionRequest, ActionResponse, ClientState, StatePatch, UserActions } from '../protocol.ts'

export type Result<Name extends keyof UserActions> = Awaited<ReturnType<UserActions[Name]>>

/** The page's one connection: what it sees, and what can be done. It comes back by itself when it breaks. */
export type Connection = {
  seen: () => ClientState | undefined
  online: () => boolean
  subscribe: (listener: () => void) => () => void
  /** What was begun and not sent, by channel or thread. */
  drafts: Map<string, string>
  act: <Name extends keyof UserActions>(
    action: Name,
    args: Parameters<UserActions[Name]>[1],
  ) => Promise<Result<Name> | { error: string }>
}

const LOST = { error: 'The connection to this Slack was lost. Try again in a moment.' }
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 4000

export function connect(as: string): Connection {
  const desk = deskFor(as)
  const listeners = new Set<() => void>()
  const waiting = new Map<number, (result: unknown) => void>()
  let seen: ClientState | undefined
  let socket: WebSocket | undefined
  let online = false
  let wait = FIRST_WAIT_MS
  let count = 0
  const tell = () => {
    for (const listener of listeners) listener()
  }

  const open = () => {
    const address = new URL('/page', location.href.replace(/^http/, 'ws'))
    address.searchParams.set('session', desk)
    address.searchParams.set('as', as)
    socket = new WebSocket(address)
    socket.onmessage = ({ data }) => {
      const frame: StatePatch | ActionResponse = JSON.parse(data)
      if ('id' in frame) {
        waiting.get(frame.id)?.(frame.result)
        waiting.delete(frame.id)
        return
      }
      if (frame.type === 'state') {
        online = true
        wait = FIRST_WAIT_MS
      }
      seen = learn(seen, frame)
      tell()
    }
    socket.onclose = () => {
      online = false
      for (const settle of waiting.values()) settle(LOST)
      waiting.clear()
      tell()
      setTimeout(open, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
  }
  open()

  return {
    seen: () => seen,
    online: () => online,
    drafts: new Map(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    act: (action, args) =>
      new Promise((resolve) => {
        if (!socket || socket.readyState !== WebSocket.OPEN) return resolve(LOST)
        const asked: ActionRequest = { id: ++count, action, args }
        // The server answers each action with its own result.
        waiting.set(asked.id, resolve as (result: unknown) => void)
        socket.send(JSON.stringify(asked))
      }),
  }
}

/** A window keeps its desk over a reload; another window, or another person, has another. */
function deskFor(as: string): string {
  const key = `desk of ${as}`
  const desk = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, desk)
  return desk
}

function learn(seen: ClientState | undefined, news: StatePatch): ClientState | undefined {
  if (news.type === 'state') return news.state
  if (!seen) return seen
  if (news.type === 'views') return { ...seen, views: news.views }
  if (news.type === 'home') return { ...seen, home: news.home }
  const channel = news.type === 'message_deleted' ? news.channel : news.message.channel
  const ts = news.type === 'message_deleted' ? news.ts : news.message.ts
  const before = seen.messages[channel] ?? []
  const others = before.filter((message) => message.ts !== ts)
  const after =
    news.type === 'message_deleted'
      ? others
      : [...others, news.message].sort((one, other) => (one.ts < other.ts ? -1 : 1))
  return { ...seen, messages: { ...seen.messages, [channel]: after } }
}
