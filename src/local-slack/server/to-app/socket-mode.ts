import type { WebSocket } from 'ws'
import type { Slack } from '../workspace/slack.ts'
import { type Carried, type Carrier, type Envelope, PATIENCE_MS } from './carrier.ts'

export type SocketMode = Carrier & {
  /** An address at which one connection can be opened, once. */
  makeAddress: () => string
  admit: (ticket: string) => boolean
  connect: (socket: WebSocket) => void
  connections: () => number
  /** Asks the app to come back over another connection, or breaks off without a word. */
  drop: (how: 'warning' | 'refresh_requested' | 'link_disabled' | 'cut') => number
}

/** What is on its way to the app: over which connection, unless that one broke. */
type Pending = { frame: string; socket: WebSocket | undefined; settle: (carried: Carried) => void }

const MOST_CONNECTIONS = 10
const PING_MS = 10_000
const GRACE_MS = 10_000
const TICKET_LIFE_MS = 30_000

export function createSocketMode(slack: Slack): SocketMode {
  const sockets: WebSocket[] = []
  const tickets = new Set<string>()
  const pending = new Map<string, Pending>()
  let turn = 0

  const nextSocket = () => sockets[turn++ % sockets.length]

  /** What was on its way over a connection that is gone goes over another, as soon as there is one. */
  const sendAnew = () => {
    for (const letter of pending.values()) {
      if (letter.socket) continue
      letter.socket = nextSocket()
      letter.socket?.send(letter.frame)
    }
  }

  const leave = (socket: WebSocket) => {
    const index = sockets.indexOf(socket)
    if (index >= 0) sockets.splice(index, 1)
    for (const letter of pending.values()) if (letter.socket === socket) letter.socket = undefined
    sendAnew()
  }

  const hear = (frame: string) => {
    const heard = readFrame(frame)
    if (!heard) return
    pending.get(heard.envelope_id)?.settle({ answer: heard.payload })
  }

  return {
    makeAddress() {
      const ticket = slack.ids.secret()
      tickets.add(ticket)
      slack.clock.after(TICKET_LIFE_MS, () => tickets.delete(ticket))
      return `${slack.url.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${slack.app.id}`
    },
    admit: (ticket) => sockets.length < MOST_CONNECTIONS && tickets.delete(ticket),
    connect(socket) {
      sockets.push(socket)
      const ping = setInterval(() => socket.ping(`Ping from Slack ${sockets.length}`), PING_MS)
      socket.on('message', (data) => hear(String(data)))
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        clearInterval(ping)
        leave(socket)
      })
      socket.send(JSON.stringify(helloFor(slack, sockets.length)))
      sendAnew()
    },
    connections: () => sockets.length,
    drop(how) {
      const dropped = [...sockets]
      for (const socket of dropped) {
        if (how === 'cut') socket.terminate()
        else {
          socket.send(JSON.stringify({ type: 'disconnect', reason: how, debug_info: debugInfo }))
          slack.clock.after(GRACE_MS, () => socket.close())
        }
      }
      return dropped.length
    },
    carry(envelope) {
      const socket = nextSocket()
      if (!socket) return Promise.resolve({ failure: 'dispatch_failed' })
      const id = slack.ids.uuid()
      const frame = JSON.stringify(frameOf(id, envelope))
      return new Promise((resolve) => {
        const settle = (carried: Carried) => {
          if (pending.delete(id)) resolve(carried)
          giveUp()
        }
        const giveUp = slack.clock.after(PATIENCE_MS, () => settle({ failure: 'operation_timeout' }))
        pending.set(id, { frame, socket, settle })
        socket.send(frame)
      })
    },
    stop() {
      for (const letter of [...pending.values()]) letter.settle({ failure: 'dispatch_failed' })
    },
  }
}

const debugInfo = { host: 'local-slack' }

const helloFor = ({ app }: Slack, connections: number) => ({
  type: 'hello',
  num_connections: connections,
  debug_info: { ...debugInfo, build_number: 1, approximate_connection_time: 18_060 },
  connection_info: { app_id: app.id },
})

/** Slack reads what these are acknowledged with; from the others it takes no more than that they were heard. */
const ANSWERED = ['view_submission', 'block_suggestion']

const frameOf = (envelope_id: string, { type, payload, retry }: Envelope) => ({
  envelope_id,
  type,
  accepts_response_payload: type === 'slash_commands' || ANSWERED.includes(String(payload.type)),
  payload,
  ...(type === 'events_api' && {
    retry_attempt: retry?.attempt ?? 0,
    retry_reason: retry?.reason.replace('http_', '') ?? '',
  }),
})

function readFrame(frame: string): { envelope_id: string; payload: unknown } | undefined {
  try {
    const { envelope_id, payload } = JSON.parse(frame)
    return typeof envelope_id === 'string' ? { envelope_id, payload } : undefined
  } catch {
    return undefined // Slack, too, drops what it cannot read.
  }
}
