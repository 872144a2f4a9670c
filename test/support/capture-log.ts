import type { Logger } from 'pino'
import { createLog } from '../../src/log.ts'

export type LogEntry = {
  msg: string
  reason?: string
  job?: string
  request?: string
  reqId?: string
  err?: { message: string }
}

/** A log whose entries a test can read. */
export function captureLog(): { log: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = []
  return { log: createLog('info', { write: (line) => void entries.push(JSON.parse(line)) }), entries }
}
