import type { Actor } from './actor.ts'
import { recordAction } from './audit.ts'
import type { Bot } from './bot.ts'
import { type Access, type Authorization, authorize } from './permissions.ts'
import type { ProfileOptions } from './profile.ts'

export type AttemptedAction = {
  name: string
  access: Access
  /** The project that is about to be changed, if it is known. */
  project_id?: string | undefined
} & Pick<ProfileOptions, 'deadline'>

/**
 * Runs before each command, shortcut, button, field change, menu and submission. Counts the action, checks the permission,
 * and records a refusal.
 */
export async function authorizeAction(
  bot: Bot,
  actor: Actor,
  action: AttemptedAction,
): Promise<Authorization | { kind: 'limited'; message: string }> {
  const message = checkActionLimit(bot, actor, action.name)
  return message ? { kind: 'limited', message } : authorizeCountedAction(bot, actor, action)
}

/** Checks the permission for an action that has already been counted, and records a refusal. */
export async function authorizeCountedAction(
  bot: Bot,
  actor: Actor,
  { name, access, ...options }: AttemptedAction,
): Promise<Authorization> {
  const authorization = await authorize(bot, actor, access, options)
  // Slack is waiting for the answer, so the audit entry mustn't delay it.
  if (authorization.kind === 'refused')
    void recordAction(
      { bot, actor, profile: authorization.profile },
      { action: name, outcome: 'denied', project_id: options.project_id },
    )
  return authorization
}

/** Returns a message for the user if there were too many actions in this minute. */
export function checkActionLimit({ actionLimit, log }: Bot, actor: Actor, name: string): string | undefined {
  const message = actionLimit.countAction(actor)
  if (message) log.warn({ user: actor.user_id, action: name }, 'A user or workspace reached the action limit')
  return message
}
