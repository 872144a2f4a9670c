import type { Runtime } from '../../../runtime.ts'

type FetchOptions = {
  url: string
  botToken: string
  /** The only origin that is ever asked: the bot's token goes with the request. */
  allowedOrigin: string
  maxBytes: number
  signal: AbortSignal
}

type FetchedFile =
  | { kind: 'ok'; chunks: AsyncIterable<Uint8Array> }
  /** Slack asked to sign in: the bot lacks the scope, or may not see this file. */
  | { kind: 'no access' }
  | { kind: 'too large' }
  | { kind: 'failed' }

/** The stream contains more bytes than a file may have. */
export class FileTooLargeError extends Error {}

/** Opens a file of Slack as a stream. Redirects aren't followed, because they may lead anywhere. */
export async function fetchSlackFile(
  { nodeFetch }: Pick<Runtime, 'nodeFetch'>,
  { url, botToken, allowedOrigin, maxBytes, signal }: FetchOptions,
): Promise<FetchedFile> {
  if (!URL.canParse(url) || new URL(url).origin !== allowedOrigin) return { kind: 'no access' }
  const headers = { authorization: `Bearer ${botToken}` }
  const response = await nodeFetch(url, { headers, signal, redirect: 'manual' }).catch(() => undefined)
  if (!response) return { kind: 'failed' }
  const { status, body } = response
  const discard = async (kind: 'no access' | 'too large' | 'failed') => {
    await body?.cancel().catch(() => {})
    return { kind }
  }
  const isSignInPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if ([301, 302, 303, 307, 308, 401, 403, 404].includes(status) || isSignInPage) return discard('no access')
  if (!response.ok || !body) return discard('failed')
  if (Number(response.headers.get('content-length')) > maxBytes) return discard('too large')
  return { kind: 'ok', chunks: limitSize(body, maxBytes) }
}

async function* limitSize(body: ReadableStream<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new FileTooLargeError(`The file has more than ${maxBytes} bytes.`)
    yield chunk
  }
}
