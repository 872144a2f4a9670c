import { describeIssue, toJsonPointer } from '../../blocks/problems.ts'
import { recordAppPayload } from '../workspace/app-payloads.ts'
import type { Slack } from '../workspace/slack.ts'
import { type FaultInjection, takeFault } from './fault-injection.ts'
import {
  type ApiResponse,
  type Caller,
  errorResponse,
  invalidArgumentsResponse,
  type Method,
  missingScopeResponse,
} from './method.ts'
import { methods } from './methods.ts'
import type { RateLimits } from './rate-limits.ts'
import { findTokenOwner } from './tokens.ts'

export type CallContext = { slack: Slack; rateLimits: RateLimits }

type CallRequest = {
  name: string
  token: string | undefined
  args: Record<string, unknown>
  /** Slack accepts JSON without a charset, but adds a warning. */
  isCharsetMissing: boolean
}

type CallResult = {
  status: number
  headers: Record<string, string>
  body: ApiResponse
  isResponseDropped?: boolean
}

const methodsByName = new Map(methods.map((method) => [method.name, method]))

/** Runs a Web API call, with the faults that a test injected. */
export async function callMethod(context: CallContext, request: CallRequest): Promise<CallResult> {
  const { slack } = context
  const fault = takeFault(slack.injectedFaults, request.name)
  if (fault?.delay_ms) await waitOnClock(slack, fault.delay_ms)
  const result = fault?.status || fault?.error ? createFaultResult(fault) : await runMethod(context, request)
  recordCall(slack, request, result.body)
  if (fault?.response_delay_ms) await waitOnClock(slack, fault.response_delay_ms)
  if (request.isCharsetMissing) addCharsetWarning(result.body)
  return { ...result, isResponseDropped: fault?.drop_response ?? false }
}

const waitOnClock = ({ clock }: Slack, ms: number) =>
  new Promise<void>((resolve) => {
    clock.after(ms, resolve)
  })

/** Calls with secrets in their arguments or responses, which are not recorded. */
const SECRET_METHODS = ['oauth.v2.access', 'apps.uninstall', 'apps.connections.open']

/** A conflict is the answer to a race, and no error in the payload. */
const isAccepted = ({ ok, error }: ApiResponse): boolean => ok || error === 'hash_conflict'

function recordCall(slack: Slack, { name, args }: CallRequest, response: ApiResponse): void {
  const isSecret = SECRET_METHODS.includes(name)
  const { messages = [] } = (response.response_metadata ?? {}) as { messages?: string[] }
  recordAppPayload(slack, {
    source: 'web-api',
    name,
    body: isSecret ? {} : args,
    response: isSecret ? { ok: response.ok, error: response.error } : response,
    problems: isAccepted(response)
      ? []
      : [String(response.error), ...messages.map((message) => message.replace('[ERROR] ', ''))],
  })
}

async function runMethod({ slack, rateLimits }: CallContext, request: CallRequest): Promise<CallResult> {
  const { name, token, args } = request
  const method = methodsByName.get(name)
  if (!method) return createResult(errorResponse('unknown_method', { req_method: name }))
  const caller = findCaller(slack, method, token)
  if ('error' in caller) return createResult(errorResponse(caller.error))
  const retryAfter = rateLimits.takeCall(method, caller.token, args.channel)
  if (retryAfter) return createRateLimitResult(retryAfter)
  const headers = {
    'x-oauth-scopes': caller.scopes.join(','),
    'x-accepted-oauth-scopes': method.scopes.join(','),
  }
  const hasScope = !method.scopes.length || method.scopes.some((scope) => caller.scopes.includes(scope))
  if (!hasScope) return createResult(missingScopeResponse(neededScopes(method), caller), headers)
  const { data, error } = method.args.safeParse(args)
  if (error) {
    const argError = method.argErrors[String(error.issues[0]?.path[0])]
    if (argError) return createResult(errorResponse(argError), headers)
    const messages = error.issues
      .flatMap((issue) => describeIssue(issue, args))
      .map(({ message, path }) =>
        path.length ? `${message} [json-pointer:${toJsonPointer(path)}]` : message,
      )
    return createResult(invalidArgumentsResponse({ error: 'invalid_arguments', messages }), headers)
  }
  return createResult(await method.run({ slack, caller, args: data }), headers)
}

/** For chat:write, Slack names the older scope. */
const neededScopes = ({ scopes }: Method) =>
  scopes.map((scope) => (scope === 'chat:write' ? 'chat:write:bot' : scope)).join(',')

const createResult = (body: ApiResponse, headers: Record<string, string> = {}): CallResult => ({
  status: 200,
  headers,
  body,
})

const createRateLimitResult = (retryAfter: number): CallResult => ({
  status: 429,
  headers: { 'retry-after': String(retryAfter) },
  body: errorResponse('ratelimited'),
})

function createFaultResult({ error, status = 200, retry_after }: FaultInjection): CallResult {
  if (status === 429 || error === 'ratelimited') return createRateLimitResult(retry_after ?? 1)
  return { status, headers: {}, body: errorResponse(error ?? 'internal_error') }
}

function findCaller({ app }: Slack, method: Method, token: string | undefined): Caller | { error: string } {
  if (method.allowedTokens === 'none') return { kind: 'app', user: '', scopes: [], token: token ?? '' }
  if (!token) return { error: 'not_authed' }
  const caller = findTokenOwner(app, token)
  if (!caller) return { error: app.revoked.get(token) ?? 'invalid_auth' }
  return method.allowedTokens.includes(caller.kind) ? caller : { error: 'not_allowed_token_type' }
}

function addCharsetWarning(body: ApiResponse): void {
  const metadata = (body.response_metadata ?? {}) as Record<string, unknown>
  body.warning = 'missing_charset'
  body.response_metadata = { ...metadata, warnings: ['missing_charset'] }
}
