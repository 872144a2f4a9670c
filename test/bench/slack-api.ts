import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The smallest Web API with which a bot can open a view, so that the benchmark measures the bot. */
export async function startSlackApi() {
  const openings = new Map<string, (at: number) => void>()
  const settings = { latencyMs: 0 }
  let lookups = 0
  let lastOpening = ''
  const user = { id: 'U1', team_id: 'T1', tz: 'Europe/Berlin', locale: 'en-US', is_admin: true }
  const answers: Record<string, object> = {
    'auth.test': { ok: true, user_id: 'U0', bot_id: 'B0', team_id: 'T1', url: 'https://bench.slack.com/' },
    'users.info': { ok: true, user },
    'views.open': { ok: true, view: { id: 'V1', hash: '1' } },
    'views.update': { ok: true, view: { id: 'V1', hash: '2' } },
  }
  const server = createServer((request, response) => {
    const method = request.url?.split('/').at(-1) ?? ''
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', async () => {
      const arrivedAt = performance.now()
      if (method === 'users.info' || method === 'auth.test') lookups++
      if (method === 'views.open') {
        // Decoding the whole body would delay the next calls.
        const [, trigger_id = ''] = /(?:^|&)trigger_id=([^&]*)/.exec(body) ?? []
        openings.get(trigger_id)?.(arrivedAt)
        openings.delete(trigger_id)
        lastOpening = body
      }
      if (settings.latencyMs) await sleep(settings.latencyMs)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answers[method] ?? { ok: false, error: 'unknown_method' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/`,
    /** Resolves with the time at which the trigger's view is opened. */
    whenOpened: (trigger_id: string) =>
      new Promise<number>((resolve) => {
        openings.set(trigger_id, resolve)
      }),
    /** `latencyMs` delays each answer. */
    settings,
    /** As JSON. */
    readLastView() {
      const view = new URLSearchParams(lastOpening).get('view')
      if (!view) throw new Error('No view has been opened.')
      return view
    },
    /** How often Slack was asked for a user or the workspace. */
    countLookups: () => lookups,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
