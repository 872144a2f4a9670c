import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { startTcpServer, type TestServer } from './servers.ts'

// Shared by the fakes of Telegram and Postiz.

/** An accident that a test plans for a request. */
export type Fault =
  /** Nothing is done, and the response has this status. `body` can also be an HTML page, or empty. */
  | {
      kind: 'status'
      status: number
      description?: string
      retryAfter?: number
      body?: string
      contentType?: string
    }
  /** The request has its effect, then the connection closes without a response. */
  | { kind: 'lost' }
  /** The connection closes before the request has an effect. */
  | { kind: 'dropped' }
  /** The response never comes. Each fake documents when the request has its effect. */
  | { kind: 'hang' }
  /** Status 307, with which a client repeats the request at `to`. */
  | { kind: 'redirect'; to: string }

export type BytesRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: Buffer }

/** Like `startHttpServer`, but passes on the body's bytes, because an upload isn't text. */
export function startBytesServer(
  respond: (request: BytesRequest, response: ServerResponse) => Promise<void>,
): Promise<TestServer> {
  const server = createHttpServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', headers } = incoming
    const url = new URL(`http://${headers.host}${incoming.url}`)
    await respond({ method, url, headers, body: Buffer.concat(chunks) }, response)
  })
  return startTcpServer((socket) => void server.emit('connection', socket))
}

/** Resolves to nothing if the body isn't valid for its content type. */
export const readForm = ({ headers, body }: BytesRequest): Promise<FormData | undefined> =>
  new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } })
    .formData()
    .catch(() => undefined)

type ImageType = 'png' | 'jpg' | 'webp' | 'gif' | 'bmp' | 'tiff' | 'avif'

/** The type that the first bytes of a file show. */
export function sniffType(bytes: Uint8Array): ImageType | 'mp4' | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(start)) return 'webp'
  if (/^.{4}ftypavi[fs]/s.test(start)) return 'avif'
  if (/^.{4}ftyp(?!qt {2}|M4[AV] )/s.test(start)) return 'mp4'
  if (/^(II\*\0|MM\0\*)/.test(start)) return 'tiff'
  if (start.startsWith('BM') && bytes.length > 14) return 'bmp'
  return undefined
}
