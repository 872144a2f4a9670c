import { pino } from 'pino'
import { startTracing } from '../../src/tracing/start-tracing.ts'
import { startHttpServer } from './servers.ts'

/** Names and tokens of the workspace in the tests. None may be in a trace. */
export const NAMES_AND_TOKENS = [/mara/i, /yuki/i, /acme/i, /123456:/, /xoxb/, /Bearer/i, /hooks/]

/** Starts tracing to a collector. Returns a function that stops it, and returns what the collector received. */
export async function collectTraces(): Promise<() => Promise<string[]>> {
  const collector = await startHttpServer((_, response) => response.end('{}'))
  const endpoint = collector.url.replace(/\/$/, '')
  const stopTracing = await startTracing({ endpoint, serviceName: 'upnext' }, pino({ level: 'silent' }))
  return async () => {
    await stopTracing()
    await collector.close()
    return collector.received.map(({ body }) => body)
  }
}
