import type { WebSocket } from 'ws'
import { readJson } from '../json.ts'
import type { Slack } from '../workspace/slack.ts'
import type { DeliveryResult, Envelope, SocketMode } from './transport.ts'

/** An envelope without an acknowledgement yet. `socket` is undefined if its connection closed. */
type PendingEnvelope = {
  frame: string
  socket: WebSocket | undefined
  settle: (result: DeliveryResult) => void
}

const MAX_SOCKETS = 10
const PING_INTERVAL_MS = 10_000
const RECONNECT_GRACE_MS = 10_000
const TICKET_TTL_MS = 30_000
const DEBUG_INFO = { host: 'local-slack' }

export function createSocketMode(slack: Slack): SocketMode {
  const sockets: WebSocket[] = []
  const tickets = new Set<string>()
  const pendingEnvelopes = new Map<string, PendingEnvelope>()
  let sendCount = 0

  const nextSocket = () => sockets[sendCount++ % sockets.length]

  /** Sends the envelopes whose connection closed over another connection, if there is one. */
  const resendPending = () => {
    for (const pending of pendingEnvelopes.values()) {
      if (pending.socket) continue
      pending.socket = nextSocket()
      pending.socket?.send(pending.frame)
    }
  }

  const removeSocket = (socket: WebSocket) => {
    const index = sockets.indexOf(socket)
    if (index >= 0) sockets.splice(index, 1)
    for (const pending of pendingEnvelopes.values()) if (pending.socket === socket) pending.socket = undefined
    resendPending()
  }

  return {
    createSocketUrl() {
      const ticket = slack.ids.secret()
      tickets.add(ticket)
      slack.clock.after(TICKET_TTL_MS, () => tickets.delete(ticket))
      return `${slack.url.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${slack.app.id}`
    },
    acceptTicket: (ticket) => sockets.length < MAX_SOCKETS && tickets.delete(ticket),
    addSocket(socket) {
      sockets.push(socket)
      const pingTimer = setInterval(() => socket.ping(`Ping from Slack ${sockets.length}`), PING_INTERVAL_MS)
      socket.on('message', (data) => {
        // Like Slack, this ignores frames that it cannot read.
        const { envelope_id, payload } = Object(readJson(String(data)))
        pendingEnvelopes.get(envelope_id)?.settle({ acknowledgement: payload })
      })
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        clearInterval(pingTimer)
        removeSocket(socket)
      })
      socket.send(JSON.stringify(createHello(slack, sockets.length)))
      resendPending()
    },
    countSockets: () => sockets.length,
    disconnectSockets(reason) {
      const openSockets = [...sockets]
      for (const socket of openSockets) {
        if (reason === 'cut') socket.terminate()
        else {
          socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: DEBUG_INFO }))
          slack.clock.after(RECONNECT_GRACE_MS, () => socket.close())
        }
      }
      return openSockets.length
    },
    send(envelope) {
      const socket = nextSocket()
      if (!socket) return Promise.resolve({ failure: 'dispatch_failed' })
      const id = slack.ids.uuid()
      const frame = JSON.stringify(createFrame(id, envelope))
      return new Promise((resolve) => {
        const settle = (result: DeliveryResult) => {
          if (pendingEnvelopes.delete(id)) resolve(result)
          cancelTimeout()
        }
        const cancelTimeout = slack.clock.after(slack.timeLimitMs, () =>
          settle({ failure: 'operation_timeout' }),
        )
        pendingEnvelopes.set(id, { frame, socket, settle })
        socket.send(frame)
      })
    },
    stop() {
      for (const pending of [...pendingEnvelopes.values()]) pending.settle({ failure: 'dispatch_failed' })
    },
  }
}

const createHello = ({ app }: Slack, socketCount: number) => ({
  type: 'hello',
  num_connections: socketCount,
  debug_info: { ...DEBUG_INFO, build_number: 1, approximate_connection_time: 18_060 },
  connection_info: { app_id: app.id },
})

/** Slack reads the payload of an acknowledgement only for commands and for these types. */
const TYPES_WITH_RESPONSE = ['view_submission', 'block_suggestion']

const createFrame = (envelope_id: string, { type, payload, retry }: Envelope) => ({
  envelope_id,
  type,
  accepts_response_payload: type === 'slash_commands' || TYPES_WITH_RESPONSE.includes(String(payload.type)),
  payload,
  ...(type === 'events_api' && {
    retry_attempt: retry?.attempt ?? 0,
    retry_reason: retry?.reason.replace('http_', '') ?? '',
  }),
})
