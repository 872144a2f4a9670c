import { Agent, request } from 'node:http'

export type HttpInput = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })
const TIMEOUT_MS = 20_000

/** Unlike `fetch`, sends every method and leaves the path as it is. Resolves with the status. */
export function sendRequest(url: string, { method, path, headers, body }: HttpInput): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = { 'content-length': String(body.length) }
    const options = {
      agent,
      hostname,
      port,
      method,
      path,
      headers: { ...headers, ...length },
      timeout: TIMEOUT_MS,
    }
    const outgoing = request(options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No response in ${TIMEOUT_MS / 1000} s`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const MAX_PRINTED_LENGTH = 200_000

export function describeRequest({ method, path, headers, body }: HttpInput): string {
  const text = body.toString('latin1')
  const cut =
    text.length > MAX_PRINTED_LENGTH ? `${text.slice(0, MAX_PRINTED_LENGTH)}… (${text.length} bytes)` : text
  return `${method} ${path.slice(0, MAX_PRINTED_LENGTH)} ${JSON.stringify(headers).slice(0, MAX_PRINTED_LENGTH)} ${JSON.stringify(cut)}`
}
