import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { OtherWorkspaceError } from '../bot/slack/installation/other-workspace.ts'
import type { Config } from '../config.ts'
import { formatUrl } from '../listen-address.ts'
import type { Runtime } from '../runtime.ts'
import { type Check, fail, ok, warn } from './check.ts'

const TIMEOUT_MS = 10_000
const DEFAULT_API_URL = 'https://slack.com/api/'

type SlackRuntime = Pick<Runtime, 'fetch' | 'now'>

/** Checks the tokens, the workspace, the scopes, how Slack's requests arrive, and the clock. */
export async function checkSlack(
  config: Config,
  runtime: SlackRuntime,
  { manifest, workspace }: { manifest: string; workspace: string | undefined },
): Promise<Check[]> {
  const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN, SLACK_API_URL = DEFAULT_API_URL } = config
  const call = (method: string, token: string) => callSlack(runtime, SLACK_API_URL, method, token)
  const auth = await call('auth.test', SLACK_BOT_TOKEN)
  if ('problem' in auth) return [fail('slack', auth.problem)]
  const { data, scopes, date } = auth
  if (!data.ok)
    return [
      fail(
        'slack',
        explainRejection(
          'SLACK_BOT_TOKEN',
          data.error,
          'Install the app, then copy the bot token from its "OAuth & Permissions" page.',
        ),
      ),
    ]
  return [
    ok('slack', `${SLACK_API_URL} accepts the bot token for the workspace ${data.team ?? data.team_id}.`),
    ...checkWorkspace(data.team_id, workspace),
    await checkScopes(scopes, manifest),
    SLACK_APP_TOKEN ? await checkSocketMode(call, SLACK_APP_TOKEN) : await checkRequestUrl(config, runtime),
    ...(date ? [checkSlackClock(date, runtime.now())] : []),
  ]
}

function checkWorkspace(team_id: unknown, owner: string | undefined): Check[] {
  if (!owner || !team_id || team_id === owner) return []
  return [fail('workspace', new OtherWorkspaceError(owner, String(team_id)).message)]
}

type SlackResponse =
  /** There was no response in Slack's format. */
  | { problem: string }
  | { data: { ok: boolean } & Record<string, unknown>; scopes: string[] | undefined; date: Date | undefined }

const SlackData = z.looseObject({ ok: z.boolean() })

async function callSlack(
  runtime: SlackRuntime,
  apiUrl: string,
  method: string,
  token: string,
): Promise<SlackResponse> {
  let response: Response
  try {
    response = await runtime.fetch(new URL(method, apiUrl.replace(/\/?$/, '/')), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    return { problem: `${apiUrl} can't be reached. Check the network and SLACK_API_URL.` }
  }
  const { data } = SlackData.safeParse(await response.json().catch(() => undefined))
  if (!data)
    return {
      problem: `${apiUrl} didn't respond like Slack (status ${response.status}). Check SLACK_API_URL.`,
    }
  const date = response.headers.get('date')
  const scopes = response.headers.get('x-oauth-scopes')?.split(/\s*,\s*/)
  return { data, scopes, date: date ? new Date(date) : undefined }
}

const REJECTED_CODES = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'not_allowed_token_type',
]

function explainRejection(name: string, code: unknown, advice: string): string {
  return REJECTED_CODES.includes(String(code))
    ? `Slack rejected ${name} (${code}). ${advice}`
    : `Slack has a problem (${code}). Try again in a minute.`
}

/** The limitation that each missing optional scope causes. */
const LIMITATIONS_BY_SCOPE: Record<string, string> = {
  'files:read': "people can't upload images or videos",
  'usergroups:read': "user groups can't approve posts",
}

async function checkScopes(scopes: string[] | undefined, manifest: string): Promise<Check> {
  if (!scopes) return warn('scopes', "Slack didn't say which scopes the token has.")
  const { bot: wanted, bot_optional: optional }: Record<'bot' | 'bot_optional', string[]> = parse(
    await readFile(manifest, 'utf8'),
  ).oauth_config.scopes
  const absent = wanted.filter((scope) => !scopes.includes(scope))
  const missingRequired = absent.filter((scope) => !optional.includes(scope))
  if (missingRequired.length)
    return fail(
      'scopes',
      `The token lacks ${missingRequired.join(', ')}. Add them under "OAuth & Permissions", or update the app from manifest.yml, and reinstall it.`,
    )
  if (absent.length)
    return warn(
      'scopes',
      `The token lacks ${absent.join(' and ')}, so ${absent.map((scope) => LIMITATIONS_BY_SCOPE[scope]).join(', and ')}. Reinstall the app with ${absent.length > 1 ? 'these scopes' : 'this scope'} to allow this.`,
    )
  const extra = scopes.filter((scope) => !wanted.includes(scope))
  if (!extra.length) return ok('scopes', 'The token has exactly the scopes in the manifest.')
  return warn('scopes', `The token has scopes that Upnext doesn't use. Remove them: ${extra.join(', ')}.`)
}

type SlackCall = (method: string, token: string) => Promise<SlackResponse>

async function checkSocketMode(call: SlackCall, appToken: string): Promise<Check> {
  const response = await call('apps.connections.open', appToken)
  if ('problem' in response) return fail('socket mode', response.problem)
  if (response.data.ok) return ok('socket mode', 'Slack accepts the app-level token.')
  return fail(
    'socket mode',
    explainRejection(
      'SLACK_APP_TOKEN',
      response.data.error,
      'Create an app-level token with the scope connections:write under "Basic Information", and turn on Socket Mode.',
    ),
  )
}

/** Sends the bot a request that is signed like Slack's own requests. */
async function checkRequestUrl(
  { SLACK_SIGNING_SECRET = '', HOST, PORT }: Config,
  runtime: SlackRuntime,
): Promise<Check> {
  const url = `${formatUrl(HOST, PORT)}/slack/events`
  const body = JSON.stringify({ type: 'url_verification', challenge: 'upnext-doctor' })
  const timestamp = Math.floor(runtime.now().getTime() / 1000)
  const signature = createHmac('sha256', SLACK_SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${signature}`,
  }
  const advice = `The request URL in the app's settings must point to this port.`
  try {
    const response = await runtime.fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = await response.text()
    if (response.ok && answer.includes('upnext-doctor'))
      return ok('request URL', `${url} answers signed requests.`, [advice])
    return fail(
      'request URL',
      `${url} answered a signed request with status ${response.status}. Set the same SLACK_SIGNING_SECRET for the bot, or stop the other program on this port.`,
    )
  } catch {
    return warn('request URL', `Nothing answers at ${url}. Check again while Upnext is running. ${advice}`)
  }
}

const MAX_SKEW_SECONDS = 60

/** HTTP headers have no milliseconds, so only large differences count. */
function checkSlackClock(slackTime: Date, now: Date): Check {
  const seconds = Math.round((now.getTime() - slackTime.getTime()) / 1000)
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS)
    return ok('slack clock', `Within ${MAX_SKEW_SECONDS} s of this machine's clock.`)
  const difference = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} Slack's`
  return fail(
    'slack clock',
    `This machine's clock is ${difference}. Synchronize it (NTP). Otherwise requests from Slack are rejected and, with the embedded database, digests appear at the wrong time.`,
  )
}
