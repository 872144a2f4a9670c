import {
  type Attributes,
  context,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Until `startTracing` has run, these functions only call their arguments. Spans contain no user input, personal names or
 * secrets. Error messages may contain such data, so a span has only the error's code or class.
 */

/** An open span. */
export type Span = {
  setAttributes: (attributes: Attributes) => void
  fail: (error: unknown) => void
}

type TraceOptions = { kind: 'server' | 'consumer'; attributes?: Attributes; traceparent?: string | undefined }

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

/** Starts a trace, or continues the one that a `traceparent` names. The span ends with the work. */
export const withTrace = <Result>(
  name: string,
  { kind, attributes = {}, traceparent }: TraceOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> =>
  withSpan(name, { kind, attributes, parent: propagation.extract(ROOT_CONTEXT, { traceparent }) }, work)

export const isTraced = (): boolean => trace.getActiveSpan() !== undefined

/** Traces a call to another system if a span is open. */
export const traceCall = <Result>(
  name: string,
  attributes: Attributes,
  call: (span: Span) => Promise<Result>,
): Promise<Result> =>
  isTraced() ? withSpan(name, { kind: 'client', attributes, parent: context.active() }, call) : call(NO_SPAN)

const NO_SPAN: Span = { setAttributes: () => {}, fail: () => {} }

type SpanOptions = { kind: keyof typeof KINDS; attributes: Attributes; parent: typeof ROOT_CONTEXT }

async function withSpan<Result>(
  name: string,
  { kind, attributes, parent }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = trace.getTracer('upnext').startSpan(name, { kind: KINDS[kind], attributes }, parent)
  const fail = (error: unknown) => failSpan(span, error)
  const setAttributes = (attributes: Attributes) => void span.setAttributes(attributes)
  try {
    return await context.with(trace.setSpan(parent, span), () => work({ setAttributes, fail }))
  } catch (error) {
    fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** For an error that doesn't reach the function that opened the span. */
export function failActiveSpan(error: unknown): void {
  const span = trace.getActiveSpan()
  if (span) failSpan(span, error)
}

function failSpan(span: OtelSpan, error: unknown): void {
  span.setAttribute('error.type', errorType(error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  // A DOMException has a number as its code.
  return String(typeof code === 'string' ? code : (name ?? 'unknown'))
}

/** Names the open span, for a request or a job that continues its trace elsewhere. */
export function readTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** Lets operators find the trace of a log line. */
export const readTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId
