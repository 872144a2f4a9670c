import { systemRuntime } from '../../src/runtime.ts'
import { startHttpServer } from './servers.ts'

/** What becomes of a request that creates something. */
export type Fate = 'created' | 'answer lost' | 'request lost'

/** If something is lost, fails as a connection does that is closed before the answer. */
export async function sendWithFate(request: Request, fate: Fate): Promise<Response> {
  if (fate !== 'request lost') {
    const response = await systemRuntime.fetch(request)
    if (fate === 'created') return response
  }
  const server = await startHttpServer((_, response) => void response.destroy())
  return fetch(server.url, { method: 'POST' }).finally(() => server.close())
}
