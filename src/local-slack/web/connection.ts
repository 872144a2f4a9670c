import { applyPatch } from '../apply-patch.ts'
import type { ActionRequest, ActionResponse, ClientState, StatePatch, UserActions } from '../protocol.ts'

export type ActionResult<Name extends keyof UserActions> = Awaited<ReturnType<UserActions[Name]>>

/** The WebSocket to the local Slack. It receives the client state, runs user actions and reconnects. */
export type Connection = {
  getState: () => ClientState | undefined
  isOnline: () => boolean
  subscribe: (listener: () => void) => () => void
  /** Unsent text, by channel or thread. */
  drafts: Map<string, string>
  runAction: <Name extends keyof UserActions>(
    action: Name,
    args: Parameters<UserActions[Name]>[1],
  ) => Promise<ActionResult<Name> | { error: string }>
}

const CONNECTION_LOST = { error: 'The connection to this Slack was lost. Try again in a moment.' }
const MIN_RECONNECT_DELAY_MS = 250
const MAX_RECONNECT_DELAY_MS = 4000

export function connect(userHandle: string): Connection {
  const sessionName = readSessionName(userHandle)
  const listeners = new Set<() => void>()
  const pendingActions = new Map<number, (result: unknown) => void>()
  let state: ClientState | undefined
  let socket: WebSocket | undefined
  let isOnline = false
  let reconnectDelay = MIN_RECONNECT_DELAY_MS
  let lastRequestId = 0
  const notifyListeners = () => {
    for (const listener of listeners) listener()
  }

  const openSocket = () => {
    const url = new URL('/page', location.href.replace(/^http/, 'ws'))
    url.searchParams.set('session', sessionName)
    url.searchParams.set('as', userHandle)
    socket = new WebSocket(url)
    socket.onmessage = ({ data }) => {
      const frame: StatePatch | ActionResponse = JSON.parse(data)
      if ('id' in frame) {
        pendingActions.get(frame.id)?.(frame.result)
        pendingActions.delete(frame.id)
        return
      }
      if (frame.type === 'state') {
        isOnline = true
        reconnectDelay = MIN_RECONNECT_DELAY_MS
        state = frame.state
      } else if (state) state = applyPatch(state, frame)
      notifyListeners()
    }
    socket.onclose = () => {
      isOnline = false
      for (const settle of pendingActions.values()) settle(CONNECTION_LOST)
      pendingActions.clear()
      notifyListeners()
      setTimeout(openSocket, reconnectDelay)
      reconnectDelay = Math.min(reconnectDelay * 2, MAX_RECONNECT_DELAY_MS)
    }
  }
  openSocket()

  return {
    getState: () => state,
    isOnline: () => isOnline,
    drafts: new Map(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    runAction: (action, args) =>
      new Promise((resolve) => {
        if (socket?.readyState !== WebSocket.OPEN) return resolve(CONNECTION_LOST)
        const request: ActionRequest = { id: ++lastRequestId, action, args }
        // The server answers each action with that action's own result type.
        pendingActions.set(request.id, resolve as (result: unknown) => void)
        socket.send(JSON.stringify(request))
      }),
  }
}

/** A browser tab keeps its session when it reloads; another tab or another user gets a new one. */
function readSessionName(userHandle: string): string {
  const key = `session of ${userHandle}`
  const name = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, name)
  return name
}

/** Uploads a file and returns its ID. Nobody else sees the file until it is shared. */
export async function uploadFile(file: File, sessionId: string): Promise<string> {
  const response = await fetch(
    `/page/files?${new URLSearchParams({ session: sessionId, name: file.name })}`,
    { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream' } },
  )
  if (!response.ok) throw new Error(`The upload failed with status ${response.status}.`)
  const { id } = await response.json()
  return id
}
