import { type Logger as BoltLogger, LogLevel } from '@slack/bolt'
import type { Logger } from 'pino'

export function toBoltLogger(log: Logger): BoltLogger {
  const join = (messages: unknown[]) => messages.map(String).join(' ')
  return {
    debug() {},
    info() {},
    warn: (...messages) => log.warn({ source: 'bolt' }, join(messages)),
    error: (...messages) => log.error({ source: 'bolt' }, join(messages)),
    setLevel() {},
    getLevel: () => LogLevel.ERROR,
    setName() {},
  }
}
