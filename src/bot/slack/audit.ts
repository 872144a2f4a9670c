import type { Actor } from './actor.ts'
import { findLatestValues, insertAuditEntry, withoutPhoneNumber } from './audit-store.ts'
import type { Bot } from './bot.ts'
import type { UserProfile } from './profile.ts'
import type { AuditEntry } from './tables.ts'

/** Who performed the action. The profile is missing if Slack wasn't asked for it. */
type AuditedUser = { bot: Bot; actor: Actor; profile?: UserProfile }

type AuditedAction = Pick<AuditEntry, 'action'> & {
  /** The default is `done`. */
  outcome?: AuditEntry['outcome']
  project_id?: string | undefined
  /** The id of the changed record. */
  target?: string | undefined
  /** The record's values after the change. Its earlier values are looked up in the audit trail. */
  after?: Record<string, unknown> | undefined
}

/** Adds an entry to the audit trail. The action has happened, so a failure is only logged. */
export async function recordAction(
  { bot, actor, profile }: AuditedUser,
  { action, outcome = 'done', project_id, target, after }: AuditedAction,
): Promise<void> {
  const { db, log, runtime } = bot
  const { team_id, user_id, request_id } = actor
  try {
    // If earlier entries can't be read, this entry must still be added.
    const earlierValues =
      target && after ? await findLatestValues(db, { team_id, project_id, target }).catch(() => ({})) : {}
    // Values that this action didn't change aren't copied, so they are deleted with the older entries that hold them.
    const before = Object.fromEntries(
      Object.entries(earlierValues).filter(([name]) => after && name in after),
    )
    await insertAuditEntry(db, {
      at: runtime.now(),
      team_id,
      user_id,
      user_team_id: profile?.team_id ?? team_id,
      action,
      project_id: project_id ?? null,
      target: target ?? null,
      detail: after ? { before, after: withoutPhoneNumber(after) } : null,
      outcome,
      request_id,
    })
  } catch (err) {
    log.error({ err, action, outcome, user: user_id, request: request_id }, 'Failed to add an audit entry')
  }
}
