import type { FastifyInstance } from 'fastify'
import type { Reading } from './given/message.ts'
import { readJson } from './json.ts'
import { answerWithMessage } from './respond.ts'
import { spendResponseUrl } from './workspace/response-urls.ts'

/** Where the app may answer what a person did. */
export function addResponseUrlRoutes(server: FastifyInstance, reading: Reading): void {
  for (const kind of ['commands', 'actions'])
    server.post(`/${kind}/:team/:number/:secret`, async (request, reply) => {
      const spent = spendResponseUrl(reading.slack, request.url)
      if ('refusal' in spent) return reply.code(404).send({ ok: false, error: spent.refusal })
      const given = readJson(String(request.body ?? ''))
      if (given === undefined) return reply.code(400).type('text/plain').send('invalid_payload')
      const answered = await answerWithMessage(reading, spent.place, given, 'response_url')
      if ('error' in answered) return reply.code(400).type('text/plain').send(answered.error)
      return reply.type('text/plain').send('ok')
    })
}
