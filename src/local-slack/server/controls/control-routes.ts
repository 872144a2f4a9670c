import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isTimeZone } from '../../seed.ts'
import type { Controls } from './controls.ts'

const FaultBody = z.strictObject({
  method: z.string().min(1),
  times: z.int().min(1).optional(),
  error: z.string().optional(),
  status: z.int().min(200).max(599).optional(),
  retry_after: z.number().positive().optional(),
  delay_ms: z.number().positive().optional(),
  response_delay_ms: z.number().positive().optional(),
  drop_response: z.boolean().optional(),
})
const UserBody = z.strictObject({
  user: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'guest', 'single_channel_guest']).optional(),
  deactivated: z.boolean().optional(),
})
const NewUserBody = z.strictObject({
  handle: z.string().regex(/^[a-z0-9._-]{1,21}$/),
  name: z.string().min(1).max(80),
  tz: z.string().refine(isTimeZone, 'unknown time zone').optional(),
})
const DisconnectBody = z.strictObject({
  reason: z.enum(['warning', 'refresh_requested', 'link_disabled', 'cut']),
})
const ClockBody = z.strictObject({ seconds: z.number().positive() })

const HELP = {
  'GET /control': 'List these routes',
  'POST /control/users':
    '{"user": "noor", "role": "admin", "deactivated": true}: change the role of a user (owner, admin, member, guest or single_channel_guest), or deactivate or reactivate a user',
  'PUT /control/users': '{"handle": "kim", "name": "Kim Sato"}: add a member, which sends team_join',
  'POST /control/faults':
    '{"method": "views.open", "times": 2, "error": "ratelimited"}: make the next calls fail. Other fields: status, retry_after, delay_ms, response_delay_ms, drop_response. The method * stands for any method',
  'DELETE /control/faults': 'Remove all injected faults',
  'GET /control/payloads':
    'List everything that the app sent, with its errors. Filter with ?name=chat.postMessage',
  'DELETE /control/payloads': 'Clear the list of payloads',
  'GET /control/clock': "Show the local Slack's current time",
  'POST /control/clock': '{"seconds": 3600}: advance the clock',
  'GET /control/sockets': "Count the app's Socket Mode connections",
  'POST /control/sockets':
    '{"reason": "warning" | "refresh_requested" | "link_disabled" | "cut"}: close the connections',
  'POST /control/triggers/expire': 'Expire all trigger ids',
  'POST /control/verify': 'Send the url_verification challenge to the events URL',
}

/** Makes the controls available over HTTP. */
export function addControlRoutes(server: FastifyInstance, controls: Controls): void {
  const parseBody = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> =>
    schema.parse(JSON.parse(String(body || '{}')))

  server.get('/control', async () => HELP)
  server.post('/control/users', async ({ body }) => {
    controls.updateUser(parseBody(UserBody, body))
    return { ok: true }
  })
  server.put('/control/users', async ({ body }) => {
    controls.addUser(parseBody(NewUserBody, body))
    return { ok: true }
  })
  server.post('/control/faults', async ({ body }) => {
    controls.injectFault(parseBody(FaultBody, body))
    return { ok: true }
  })
  server.delete('/control/faults', async () => {
    controls.clearFaults()
    return { ok: true }
  })
  server.get('/control/payloads', async ({ query }) => {
    const { name } = query as { name?: string }
    return { ok: true, payloads: controls.appPayloads().filter((payload) => !name || payload.name === name) }
  })
  server.delete('/control/payloads', async () => {
    controls.clearAppPayloads()
    return { ok: true }
  })
  server.get('/control/clock', async () => ({ ok: true, now: controls.now().toISOString() }))
  server.post('/control/clock', async ({ body }) => {
    controls.advanceClock(parseBody(ClockBody, body))
    return { ok: true, now: controls.now().toISOString() }
  })
  server.get('/control/sockets', async () => ({ ok: true, connections: controls.socketCount() }))
  server.post('/control/sockets', async ({ body }) => {
    const { reason } = parseBody(DisconnectBody, body)
    return { ok: true, closed: controls.disconnectSockets(reason) }
  })
  server.post('/control/triggers/expire', async () => {
    controls.expireTriggers()
    return { ok: true }
  })
  server.post('/control/verify', async () => {
    const error = await controls.verifyUrl()
    return error ? { ok: false, error } : { ok: true }
  })
}
