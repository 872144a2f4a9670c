import type { WebSocket } from 'ws'

/** One request to the app. */
export type Envelope = {
  type: 'slash_commands' | 'interactive' | 'events_api'
  payload: Record<string, unknown>
  retry?: { attempt: number; reason: string }
}

export type DeliveryFailure = {
  failure: 'operation_timeout' | 'dispatch_failed' | 'http_error' | 'not_interactive' | 'app_gone'
  status?: number
  /** The app asked not to get this event again. */
  noRetry?: boolean
}

/** The app's acknowledgement, not yet validated, or the failure. */
export type DeliveryResult = { acknowledgement: unknown } | DeliveryFailure

/** Socket Mode or HTTP. */
export type Transport = {
  send: (envelope: Envelope) => Promise<DeliveryResult>
  stop: () => void
}

export type SocketMode = Transport & {
  /** Returns a URL with which the app can open one connection. */
  createSocketUrl: () => string
  acceptTicket: (ticket: string) => boolean
  addSocket: (socket: WebSocket) => void
  countSockets: () => number
  /** Asks the app to reconnect, or cuts its connections without notice. Returns their number. */
  disconnectSockets: (reason: DisconnectReason) => number
}

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'cut'
