import { faultOf, pointer } from '../../blocks/fault-words.ts'
import type { Judge } from '../../blocks/judge.ts'
import { note } from '../workspace/sent.ts'
import type { Slack } from '../workspace/slack.ts'
import { bearerOf } from './bearer.ts'
import { type Answer, type Caller, type Method, refuse, refuseArguments } from './method.ts'
import { methods } from './methods.ts'
import { takeMischief, wait } from './mischief.ts'
import type { RateLimits } from './rate-limits.ts'

export type Performing = { slack: Slack; judge: Judge; rateLimits: RateLimits }

export type Request = {
  name: string
  token: string | undefined
  args: Record<string, unknown>
  /** JSON without a charset: Slack takes it, and grumbles. */
  missingCharset: boolean
}

export type Performed = { status: number; headers: Record<string, string>; body: Answer; lost?: boolean }

const byName = new Map(methods.map((method) => [method.name, method]))

/** The way of every call: is the method known, the caller let in and not too eager, then the method's own answer. */
export async function perform(context: Performing, request: Request): Promise<Performed> {
  const { slack } = context
  const mischief = takeMischief(slack, request.name)
  if (mischief?.delay_ms) await wait(slack, mischief.delay_ms)
  const performed = mischief?.status || mischief?.error ? failAs(mischief) : await answer(context, request)
  noteCall(slack, request, performed.body)
  if (request.missingCharset) warnOfCharset(performed.body)
  return { ...performed, ...(mischief?.lose_answer && { lost: true }) }
}

/** These carry what must not lie about. */
const SECRETIVE = ['oauth.v2.access', 'apps.uninstall', 'apps.connections.open']

function noteCall(slack: Slack, { name, args }: Request, answer: Answer): void {
  const hidden = SECRETIVE.includes(name)
  const { messages = [] } = (answer.response_metadata ?? {}) as { messages?: string[] }
  note(slack, {
    via: 'web-api',
    what: name,
    body: hidden ? {} : args,
    answer: hidden ? { ok: answer.ok, error: answer.error } : answer,
    faults: answer.ok ? [] : [String(answer.error), ...messages.map((one) => one.replace('[ERROR] ', ''))],
  })
}

async function answer({ slack, judge, rateLimits }: Performing, request: Request): Promise<Performed> {
  const { name, token, args } = request
  const method = byName.get(name)
  if (!method) return plain(refuse('unknown_method', { req_method: name }))
  const caller = findCaller(slack, method, token)
  if ('error' in caller) return plain(refuse(caller.error))
  const retryAfter = rateLimits.wait(method, caller.token, args.channel)
  if (retryAfter) return tooMany(retryAfter)
  const headers = {
    'x-oauth-scopes': caller.scopes.join(','),
    'x-accepted-oauth-scopes': method.scopes.join(','),
  }
  const lacking = method.scopes.length > 0 && !method.scopes.some((scope) => caller.scopes.includes(scope))
  if (lacking)
    return plain(
      refuse('missing_scope', { needed: neededFor(method), provided: caller.scopes.join(',') }),
      headers,
    )
  const { data, error } = method.args.safeParse(args)
  if (error) {
    const named = method.faults[String(error.issues[0]?.path[0])]
    if (named) return plain(refuse(named), headers)
    const faults = error.issues.flatMap((issue) => faultOf(issue, args))
    const messages = faults.map(({ message, path }) =>
      path.length ? `${message} [json-pointer:${pointer(path)}]` : message,
    )
    return plain(refuseArguments({ error: 'invalid_arguments', messages }), headers)
  }
  return plain(await method.run({ slack, judge, caller, args: data }), headers)
}

/** Slack names the older scope where it misses chat:write. */
const neededFor = ({ scopes }: Method) =>
  scopes.map((scope) => (scope === 'chat:write' ? 'chat:write:bot' : scope)).join(',')

const plain = (body: Answer, headers: Record<string, string> = {}): Performed => ({
  status: 200,
  headers,
  body,
})

const tooMany = (retryAfter: number): Performed => ({
  status: 429,
  headers: { 'retry-after': String(retryAfter) },
  body: refuse('ratelimited'),
})

function failAs({
  error,
  status = 200,
  retry_after,
}: NonNullable<ReturnType<typeof takeMischief>>): Performed {
  if (status === 429 || error === 'ratelimited') return tooMany(retry_after ?? 1)
  return { status, headers: {}, body: refuse(error ?? 'internal_error') }
}

const NOBODY: Caller = { kind: 'app', user: '', scopes: [], token: '' }

function findCaller({ app }: Slack, method: Method, token: string | undefined): Caller | { error: string } {
  if (method.token === 'none') return { ...NOBODY, token: token ?? '' }
  if (!token) return { error: 'not_authed' }
  const caller = bearerOf(app, token)
  if (!caller) return { error: app.revoked.get(token) ?? 'invalid_auth' }
  return method.token.includes(caller.kind) ? caller : { error: 'not_allowed_token_type' }
}

function warnOfCharset(body: Answer): void {
  const metadata = (body.response_metadata ?? {}) as Record<string, unknown>
  body.warning = 'missing_charset'
  body.response_metadata = { ...metadata, warnings: ['missing_charset'] }
}
