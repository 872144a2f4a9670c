import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Control } from './control.ts'

const Mischief = z.strictObject({
  method: z.string().min(1),
  times: z.int().min(1).optional(),
  error: z.string().optional(),
  status: z.int().min(200).max(599).optional(),
  retry_after: z.number().positive().optional(),
  delay_ms: z.number().positive().optional(),
  lose_answer: z.boolean().optional(),
})

const Sockets = z.strictObject({ how: z.enum(['warning', 'refresh_requested', 'link_disabled', 'cut']) })
const Move = z.strictObject({ seconds: z.number().positive() })

const help = {
  'GET /control': 'this list',
  'POST /control/mischief':
    '{"method": "views.open", "times": 2, "error": "ratelimited"}: the next calls fail so; also status, retry_after, delay_ms, lose_answer; method * is any',
  'DELETE /control/mischief': 'no more of it',
  'GET /control/sent':
    'all that the app sent, with what is wrong with it; ?what=chat.postMessage for one kind',
  'DELETE /control/sent': 'forgets it',
  'GET /control/clock': 'what time it is here',
  'POST /control/clock': '{"seconds": 3600}: an hour later',
  'GET /control/sockets': 'how many connections the app has',
  'POST /control/sockets': '{"how": "warning" | "refresh_requested" | "link_disabled" | "cut"}: drops them',
  'POST /control/triggers/expire': 'all trigger ids are too old now',
  'POST /control/verify': "sends the challenge to the address for the app's events",
}

/** The control over HTTP. */
export function addControlRoutes(server: FastifyInstance, control: Control): void {
  const read = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> =>
    schema.parse(JSON.parse(String(body || '{}')))

  server.get('/control', async () => help)
  server.post('/control/mischief', async ({ body }) => {
    control.misbehave(read(Mischief, body))
    return { ok: true }
  })
  server.delete('/control/mischief', async () => {
    control.behave()
    return { ok: true }
  })
  server.get('/control/sent', async ({ query }) => {
    const { what } = query as { what?: string }
    return { ok: true, sent: control.sent().filter((one) => !what || one.what === what) }
  })
  server.delete('/control/sent', async () => {
    control.forgetSent()
    return { ok: true }
  })
  server.get('/control/clock', async () => ({ ok: true, now: control.now().toISOString() }))
  server.post('/control/clock', async ({ body }) => {
    control.moveClock(read(Move, body))
    return { ok: true, now: control.now().toISOString() }
  })
  server.get('/control/sockets', async () => ({ ok: true, connections: control.connections() }))
  server.post('/control/sockets', async ({ body }) => ({
    ok: true,
    dropped: control.dropSockets(read(Sockets, body).how),
  }))
  server.post('/control/triggers/expire', async () => {
    control.expireTriggers()
    return { ok: true }
  })
  server.post('/control/verify', async () => {
    const fault = await control.verifyUrl()
    return fault ? { ok: false, error: fault } : { ok: true }
  })
}
