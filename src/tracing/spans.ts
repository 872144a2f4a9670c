import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Until `startTracing` has run, these functions trace nothing and only do the given work. Spans contain no user input,
 * personal names or secrets. Error messages may contain such data, so a span has only the error's code or class.
 */

type TraceOptions = { kind: keyof typeof KINDS; attributes?: Attributes; traceparent?: string | undefined }

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER }

/** Starts a trace, or continues the one that a `traceparent` names. The span ends with the work. */
export const withTrace = <Result>(
  name: string,
  { kind, attributes = {}, traceparent }: TraceOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent })
  return withSpan(name, { kind: KINDS[kind], attributes }, parent, work)
}

export const isTraced = (): boolean => trace.getActiveSpan() !== undefined

/** Traces a call to another system if a span is open. */
export const traceCall = <Result>(
  name: string,
  attributes: Attributes,
  call: (span: Span) => Promise<Result>,
): Promise<Result> =>
  isTraced() ? withSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active(), call) : call(NO_SPAN)

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

async function withSpan<Result>(
  name: string,
  options: SpanOptions,
  parent: Context,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = trace.getTracer('upnext').startSpan(name, options, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (error) {
    failSpan(error, span)
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed, by default the active one. An error that reaches `withSpan` does this automatically. */
export function failSpan(error: unknown, span = trace.getActiveSpan()): void {
  span?.setAttribute('error.type', errorType(error))
  span?.setStatus({ code: SpanStatusCode.ERROR })
}

function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  // A DOMException has a number as its code.
  return String(typeof code === 'string' ? code : (name ?? 'unknown'))
}

/** Returns the `traceparent` of the active span, for a request or a job that continues its trace elsewhere. */
export function readTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** Lets operators find the trace of a log line. */
export const readTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId
