import { z } from 'zod'
import type { Slack } from '../workspace/slack.ts'
import type { Tier } from './rate-limits.ts'

/** The owner of a token: the bot, a user who installed the app, or the app itself (to open a connection). */
export type Caller = { kind: 'bot' | 'user' | 'app'; user: string; scopes: string[]; token: string }

export type Call<Args> = { slack: Slack; caller: Caller; args: Args }

export type ApiResponse = ({ ok: true } | { ok: false; error: string }) & Record<string, unknown>

export type Method = {
  name: string
  /** The caller needs one of these scopes. Without scopes, any token is enough. */
  scopes: string[]
  tier: Tier
  allowedTokens: Caller['kind'][] | 'none'
  args: z.ZodObject
  /** Slack's errors for invalid arguments, if they differ from `invalid_arguments`. */
  argErrors: Record<string, string>
  run: (call: Call<Record<string, unknown>>) => ApiResponse | Promise<ApiResponse>
}

type Definition<Args extends z.ZodRawShape> = {
  scopes?: string[]
  tier: Tier
  allowedTokens?: Method['allowedTokens']
  args?: Args
  argErrors?: { [Name in keyof Args]?: string }
  run: (call: Call<z.output<z.ZodObject<Args>>>) => ApiResponse | Promise<ApiResponse>
}

export function defineMethod<Args extends z.ZodRawShape>(name: string, definition: Definition<Args>): Method {
  const { scopes = [], tier, allowedTokens = ['bot', 'user'], argErrors = {}, run } = definition
  return {
    name,
    scopes,
    tier,
    allowedTokens,
    args: z.object(definition.args ?? ({} as Args)),
    argErrors: argErrors as Method['argErrors'],
    // `run` gets only arguments that match `args`.
    run: run as Method['run'],
  }
}

export const errorResponse = (error: string, fields: Record<string, unknown> = {}): ApiResponse => ({
  ok: false,
  error,
  ...fields,
})

export const missingScopeResponse = (needed: string, caller: Caller): ApiResponse =>
  errorResponse('missing_scope', { needed, provided: caller.scopes.join(',') })

const TRUNCATED = 'message_truncated'

/** Added to a response if the text was too long. */
export const truncationWarning = { warning: TRUNCATED, response_metadata: { warnings: [TRUNCATED] } }

type InvalidContent = { error: string; messages: string[] }

export const invalidArgumentsResponse = ({ error, messages }: InvalidContent): ApiResponse =>
  errorResponse(
    error,
    messages.length
      ? { response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } }
      : {},
  )

/** For the blocks of a message, Slack repeats the problems in `errors`. */
export const invalidBlocksResponse = (content: InvalidContent): ApiResponse => ({
  ...invalidArgumentsResponse(content),
  ...(content.messages.length > 0 && { errors: content.messages }),
})
