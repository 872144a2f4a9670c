import { pino } from 'pino'
import { startTracing } from '../../src/tracing/start-tracing.ts'
import { startHttpServer } from './servers.ts'

/** Names of the people in tests with traces, and tokens. None may be in a trace. */
export const NAMES_AND_TOKENS = [/mara/i, /yuki/i, /acme/i, /123456:/, /xoxb/, /Bearer/i, /hooks/]

/** Sends traces to a collector. The returned function stops that, and resolves with the bodies of its requests. */
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
