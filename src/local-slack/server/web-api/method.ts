import { z } from 'zod'
import type { Judge } from '../../blocks/judge.ts'
import type { Slack } from '../workspace/slack.ts'
import type { Tier } from './rate-limits.ts'

/** Who calls: the app as its bot, in a person's name, or just as itself (to open a connection). */
export type Caller = { kind: 'bot' | 'user' | 'app'; user: string; scopes: string[]; token: string }

export type Call<Args> = { slack: Slack; judge: Judge; caller: Caller; args: Args }

export type Answer = ({ ok: true } | { ok: false; error: string }) & Record<string, unknown>

export type Method = {
  name: string
  /** One of these has to be granted; `needed` names them. None: any token will do. */
  scopes: string[]
  tier: Tier
  token: Caller['kind'][] | 'none'
  args: z.ZodObject
  /** What a wrong argument is called, where Slack has a name for it. */
  faults: Record<string, string>
  run: (call: Call<Record<string, unknown>>) => Answer | Promise<Answer>
}

type Definition<Args extends z.ZodRawShape> = {
  scopes?: string[]
  tier: Tier
  token?: Method['token']
  args?: Args
  faults?: { [Name in keyof Args]?: string }
  run: (call: Call<z.output<z.ZodObject<Args>>>) => Answer | Promise<Answer>
}

export function method<Args extends z.ZodRawShape>(name: string, definition: Definition<Args>): Method {
  const { scopes = [], tier, token = ['bot', 'user'], faults = {}, run } = definition
  const args = z.object(definition.args ?? ({} as Args))
  // What `args` let through is what `run` takes.
  return { name, scopes, tier, token, args, faults: faults as Method['faults'], run: run as Method['run'] }
}

export const refuse = (error: string, more: Record<string, unknown> = {}): Answer => ({
  ok: false,
  error,
  ...more,
})

const warning = 'message_truncated'

/** Said of a text that was cut off. */
export const truncated = { warning, response_metadata: { warnings: [warning] } }

type Refused = { error: string; messages: string[] }

/** A refusal that says which arguments are wrong, and how. */
export const refuseArguments = ({ error, messages }: Refused): Answer =>
  refuse(
    error,
    messages.length ? { response_metadata: { messages: messages.map((one) => `[ERROR] ${one}`) } } : {},
  )

/** For a message's blocks Slack says it twice. */
export const refuseBlocks = (refused: Refused): Answer => ({
  ...refuseArguments(refused),
  ...(refused.messages.length > 0 && { errors: refused.messages }),
})
