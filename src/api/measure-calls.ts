import type { Metrics } from '../metrics/metrics.ts'
import { failSpan, readTraceparent, traceCall } from '../tracing/spans.ts'

/** The words in the service's paths. Everything else in a path is an id. */
const PATH_WORDS = new Set(
  'api extensions v1 projects posts users invite prompts templates sources logs dashboard upnext-post webhook common file results publications accounts check staged-file openapi.json'.split(
    ' ',
  ),
)

/** "/api/v1/projects/{id}/posts" */
const routeOf = ({ pathname }: URL): string =>
  pathname
    .replace(/^.*?(?=\/(api|extensions)\/v1\/)/, '')
    .split('/')
    .slice(0, 9)
    .map((segment) => (segment === '' || PATH_WORDS.has(segment) ? segment : '{id}'))
    .join('/')

export const measureServiceCalls =
  ({ serviceCalls }: Metrics, send: typeof fetch): typeof fetch =>
  (input, init) => {
    const { method = 'GET', url } = input instanceof Request ? input : { ...init, url: input }
    const call = { http_request_method: method, http_route: routeOf(new URL(url)) }
    const attributes = { 'http.request.method': method, 'http.route': call.http_route }
    const observe = serviceCalls.startTimer(call)
    return traceCall(`${method} ${call.http_route}`, attributes, async (span) => {
      const traceparent = readTraceparent()
      if (traceparent && input instanceof Request) input.headers.set('traceparent', traceparent)
      try {
        const response = await send(input, init)
        span.setAttributes({ 'http.response.status_code': response.status })
        if (response.status >= 500) failSpan({ code: String(response.status) }, span)
        observe({
          outcome: response.status === 429 ? 'rate limited' : `${Math.floor(response.status / 100)}xx`,
        })
        return response
      } catch (error) {
        observe({ outcome: 'unreachable' })
        throw error
      }
    })
  }
