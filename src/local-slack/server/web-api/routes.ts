import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readJson } from '../json.ts'
import { bearerToken } from './bearer.ts'
import { type Performing, perform } from './perform.ts'

/** The Web API over HTTP: a form or JSON in, JSON out. */
export function addApiRoutes(server: FastifyInstance, context: Performing): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/api/:method',
    handler: async (request, reply) => {
      const { method } = request.params as { method: string }
      const read = readArgs(request)
      if (!read) return { ok: false, error: 'invalid_json' }
      const { token, ...args } = { ...(request.query as object), ...read } as Record<string, unknown>
      const type = request.headers['content-type'] ?? ''
      const isJson = type.startsWith('application/json')
      const performed = await perform(context, {
        name: method,
        // Among the arguments it may stand in a form alone.
        token: bearerToken(request.headers) ?? (typeof token === 'string' && !isJson ? token : undefined),
        args: { ...args, ...clientOf(request) },
        missingCharset: isJson && !type.includes('charset'),
      })
      if (performed.lost) return reply.hijack().raw.destroy()
      return reply.code(performed.status).headers(performed.headers).send(performed.body)
    },
  })
}

/** An app may say who it is the way that HTTP has for it. */
function clientOf({ headers }: FastifyRequest): Record<string, string> {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!basic) return {}
  const [client_id = '', client_secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { client_id, client_secret }
}

function readArgs({ headers, body }: FastifyRequest): Record<string, unknown> | undefined {
  const text = body ? String(body) : ''
  if (!headers['content-type']?.startsWith('application/json'))
    return Object.fromEntries(new URLSearchParams(text))
  const args = readJson(text || '{}')
  if (typeof args !== 'object' || args === null) return undefined
  // What is null was not given.
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
