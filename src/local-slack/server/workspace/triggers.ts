import type { Session, Trigger } from './entities.ts'
import type { Slack } from './slack.ts'

/** How long an expired trigger is told apart from an invalid one. */
const EXPIRED_TRIGGER_TTL_MS = 10 * 60_000

export function createTrigger(slack: Slack, { id: sessionId, user }: Session): string {
  const id = `${slack.clock.now().getTime()}.${slack.triggers.size + 1}.${slack.ids.secret().slice(0, 32)}`
  slack.triggers.set(id, { sessionId, user, createdAt: slack.clock.now(), isUsed: false })
  slack.clock.after(EXPIRED_TRIGGER_TTL_MS, () => slack.triggers.delete(id))
  return id
}

type TriggerError = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id'

export function redeemTrigger(slack: Slack, id: string): { trigger: Trigger } | { error: TriggerError } {
  const trigger = slack.triggers.get(id)
  if (!trigger) return { error: 'invalid_trigger_id' }
  if (trigger.isUsed) return { error: 'exchanged_trigger_id' }
  if (slack.clock.now().getTime() - trigger.createdAt.getTime() > slack.timeLimitMs)
    return { error: 'expired_trigger_id' }
  trigger.isUsed = true
  return { trigger }
}

export function expireTriggers({ triggers }: Slack): void {
  for (const trigger of triggers.values()) trigger.createdAt = new Date(0)
}
