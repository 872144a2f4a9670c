import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { explainListenError, formatUrl } from '../listen-address.ts'
import type { Metrics } from './metrics.ts'

type ServerOptions = { metrics: Metrics; log: Logger; host: string; port: number }

/** Prometheus gives up after ten seconds. */
const COLLECT_TIMEOUT_MS = 5000

/** Serves metrics on a separate port, so that they needn't be public. */
export async function serveMetrics({ metrics, log, host, port }: ServerOptions) {
  const { registry, collectors } = metrics
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics')
      return void response.writeHead(404).end()
    const collected = collectors.map(async (collect) => collect())
    const results = Promise.allSettled(collected).then((settled) => {
      for (const result of settled)
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'Failed to collect metrics')
    })
    // Metrics that can't be collected in time are missing or outdated. The others matter most when something hangs.
    await Promise.race([results, new Promise((resolve) => setTimeout(resolve, COLLECT_TIMEOUT_MS).unref())])
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw explainListenError(error, { host, port, setting: 'METRICS_PORT' })
  })
  return {
    url: `${formatUrl(host, (server.address() as AddressInfo).port)}/metrics`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
