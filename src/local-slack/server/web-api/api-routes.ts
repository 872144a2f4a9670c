import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readJson } from '../json.ts'
import { type CallContext, callMethod } from './call-method.ts'
import { readBearerToken } from './tokens.ts'

/** Serves the Web API. */
export function addApiRoutes(server: FastifyInstance, context: CallContext): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/api/:method',
    handler: async (request, reply) => {
      const { method } = request.params as { method: string }
      const bodyArgs = readBodyArgs(request)
      if (!bodyArgs) return { ok: false, error: 'invalid_json' }
      const { token, ...args } = { ...(request.query as object), ...bodyArgs } as Record<string, unknown>
      const contentType = request.headers['content-type'] ?? ''
      const isJson = contentType.startsWith('application/json')
      const result = await callMethod(context, {
        name: method,
        // A form can carry the token as an argument; JSON cannot.
        token: readBearerToken(request.headers) ?? (typeof token === 'string' && !isJson ? token : undefined),
        args: { ...args, ...readClientCredentials(request) },
        isCharsetMissing: isJson && !contentType.includes('charset'),
      })
      if (result.isResponseDropped) return reply.hijack().raw.destroy()
      return reply.code(result.status).headers(result.headers).send(result.body)
    },
  })
}

/** Reads client_id and client_secret from an HTTP Basic authorization header. */
function readClientCredentials({ headers }: FastifyRequest): Record<string, string> {
  const credentials = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!credentials) return {}
  const [client_id = '', client_secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  return { client_id, client_secret }
}

function readBodyArgs({ headers, body }: FastifyRequest): Record<string, unknown> | undefined {
  const text = body ? String(body) : ''
  if (!headers['content-type']?.startsWith('application/json'))
    return Object.fromEntries(new URLSearchParams(text))
  const args = readJson(text || '{}')
  if (typeof args !== 'object' || args === null) return undefined
  // Slack treats null as a missing argument.
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
