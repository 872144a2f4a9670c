import type { Slack } from './slack.ts'

/** What a person did that allows the app to open something before them, once and soon. */
export type Trigger = { desk: string; user: string; at: Date; used: boolean }

const LIFE_MS = 3000
/** So long it is told from one that never was. */
const MEMORY_MS = 10 * 60_000

export function makeTrigger(slack: Slack, who: { desk: string; user: string }): string {
  const id = `${slack.clock.now().getTime()}.${slack.triggers.size + 1}.${slack.ids.secret().slice(0, 32)}`
  slack.triggers.set(id, { ...who, at: slack.clock.now(), used: false })
  slack.clock.after(MEMORY_MS, () => slack.triggers.delete(id))
  return id
}

type Refusal = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id'

export function spendTrigger(slack: Slack, id: string): { trigger: Trigger } | { refusal: Refusal } {
  const trigger = slack.triggers.get(id)
  if (!trigger) return { refusal: 'invalid_trigger_id' }
  if (trigger.used) return { refusal: 'exchanged_trigger_id' }
  if (slack.clock.now().getTime() - trigger.at.getTime() > LIFE_MS) return { refusal: 'expired_trigger_id' }
  trigger.used = true
  return { trigger }
}

/** As though nobody had used them in time. */
export function expireTriggers({ triggers }: Slack): void {
  for (const trigger of triggers.values()) trigger.at = new Date(0)
}
