import type { HttpTransport } from '../delivery/http-transport.ts'
import type { DisconnectReason } from '../delivery/transport.ts'
import type { FaultInjection } from '../web-api/fault-injection.ts'
import type { AppPayload } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { expireTriggers } from '../workspace/triggers.ts'

/** What a test can do to the local Slack beyond what its users can do. */
export type Controls = {
  /** Makes the next calls of a method fail, take longer, or lose their response. */
  injectFault: (fault: Omit<FaultInjection, 'times'> & { times?: number | undefined }) => void
  clearFaults: () => void
  /** Everything that the app sent, with its errors. */
  appPayloads: () => AppPayload[]
  clearAppPayloads: () => void
  advanceClock: (by: { seconds: number }) => void
  now: () => Date
  /** Closes the app's Socket Mode connections and returns how many there were. */
  disconnectSockets: (reason: DisconnectReason) => number
  socketCount: () => number
  expireTriggers: () => void
  /** Sends the url_verification challenge to the events URL. Returns what went wrong, if anything did. */
  verifyUrl: () => Promise<string | undefined>
}

export function createControls(slack: Slack, http: HttpTransport | undefined): Controls {
  return {
    injectFault({ times = 1, ...fault }) {
      slack.injectedFaults.push({ ...fault, times })
    },
    clearFaults() {
      slack.injectedFaults = []
    },
    appPayloads: () => slack.appPayloads,
    clearAppPayloads() {
      slack.appPayloads = []
    },
    advanceClock: ({ seconds }) => slack.clock.moveBy(seconds * 1000),
    now: slack.clock.now,
    disconnectSockets: (reason) => slack.socketMode?.disconnectSockets(reason) ?? 0,
    socketCount: () => slack.socketMode?.countSockets() ?? 0,
    expireTriggers: () => expireTriggers(slack),
    verifyUrl: async () => (http ? http.verifyUrl() : 'the app uses Socket Mode'),
  }
}
