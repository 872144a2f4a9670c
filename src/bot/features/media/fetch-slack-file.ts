import type { Runtime } from '../../../runtime.ts'
import { MediaError, type MediaProblem } from './media-problems.ts'

type FetchOptions = {
  url: string
  botToken: string
  /** The only origin that is ever asked: the bot's token goes with the request. */
  allowedOrigin: string
  maxBytes: number
  signal: AbortSignal
}

/** Opens a file of Slack as a stream. Redirects aren't followed, because they may lead anywhere. */
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
  // Slack asks to sign in if the bot lacks the scope, or may not see this file.
  const isSignInPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if ([301, 302, 303, 307, 308, 401, 403, 404].includes(status) || isSignInPage) return discard('no access')
  if (!response.ok || !body) return discard('unreachable')
  if (Number(response.headers.get('content-length')) > maxBytes) return discard('too large')
  return limitSize(body, maxBytes)
}

/** Throws a MediaError when there is too much, or when the content breaks off. */
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
