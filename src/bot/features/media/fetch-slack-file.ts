import type { Runtime } from '../../../runtime.ts'
import { MediaError, type MediaProblem } from './media-problems.ts'

type FetchOptions = {
  url: string
  botToken: string
  /** The only origin that requests may go to, because they contain the bot's token. */
  allowedOrigin: string
  maxBytes: number
  signal: AbortSignal
}

/** Opens a Slack file as a stream. Redirects aren't followed, because they may lead to any server. */
export async function fetchSlackFile(
  { nodeFetch }: Pick<Runtime, 'nodeFetch'>,
  { url, botToken, allowedOrigin, maxBytes, signal }: FetchOptions,
): Promise<AsyncGenerator<Uint8Array> | MediaProblem> {
  if (!URL.canParse(url) || new URL(url).origin !== allowedOrigin) return 'no access'
  const headers = { authorization: `Bearer ${botToken}` }
  const response = await nodeFetch(url, { headers, signal, redirect: 'manual' }).catch(() => undefined)
  if (!response) return 'unreachable'
  const { status, body } = response
  const discard = async (problem: MediaProblem) => {
    await body?.cancel().catch(() => {})
    return problem
  }
  // Slack responds with a sign-in page if the bot lacks the scope or may not see this file.
  const isSignInPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if ([301, 302, 303, 307, 308, 401, 403, 404].includes(status) || isSignInPage) return discard('no access')
  if (!response.ok || !body) return discard('unreachable')
  if (Number(response.headers.get('content-length')) > maxBytes) return discard('too large')
  return limitSize(body, maxBytes)
}

/** Yields the content. Throws a MediaError if it exceeds `maxBytes` or breaks off. */
export async function* limitSize(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of content) {
      size += chunk.byteLength
      if (size > maxBytes) throw new MediaError('too large')
      yield chunk
    }
  } catch (error) {
    throw error instanceof MediaError ? error : new MediaError('unreachable', { cause: error })
  }
}
