/** One thing the app is to hear of. */
export type Envelope = {
  type: 'slash_commands' | 'interactive' | 'events_api'
  payload: Record<string, unknown>
  retry?: { attempt: number; reason: string }
}

/** How that went. What the app answered in time is as yet unread. */
export type Carried =
  | { answer: unknown }
  | {
      failure: 'operation_timeout' | 'dispatch_failed' | 'http_error' | 'not_interactive' | 'app_gone'
      status?: number
      noMore?: boolean
    }

/** The way to the app: Socket Mode or HTTP. */
export type Carrier = {
  carry: (envelope: Envelope) => Promise<Carried>
  stop: () => void
}

/** Slack waits this long for the app, whatever it is that the app is asked. */
export const PATIENCE_MS = 3000
