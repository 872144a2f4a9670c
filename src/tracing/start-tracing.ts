import { hostname } from 'node:os'
import { context, diag, propagation, trace } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { VERSION } from '../version.ts'

/**
 * Exports traces to `endpoint` over OTLP/HTTP. The SDK itself reads OTEL_TRACES_SAMPLER and OTEL_EXPORTER_OTLP_HEADERS
 * from the environment. Returns a function that sends the remaining spans and stops tracing.
 */
export async function startTracing(
  { endpoint, serviceName }: { endpoint: string; serviceName: string },
  log: Logger,
): Promise<() => Promise<void>> {
  // Imported here, so that the SDK isn't loaded if there is no endpoint.
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const warn = (reason: string) => log.warn({ reason }, 'OpenTelemetry reported a problem')
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} })
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return async () => {
    await provider.shutdown().catch(() => {})
    for (const api of [trace, context, propagation, diag]) api.disable()
  }
}
