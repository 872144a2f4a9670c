import { readUser } from '../api/records.ts'
import { listRecordsSeen, saveRecordSeen } from '../store/records-seen.ts'
import type { SeenKind } from '../store/tables.ts'
import type { Choice, Look } from './form/field.ts'
import { lookup } from './form/fields.ts'
import type { Keeping } from './form/form.ts'

/** Those who went through this bot: the service has no list of its users. */
export async function listUsersSeen({ bot, asker, project_id }: Look): Promise<Choice[]> {
  const seen = await listRecordsSeen(bot.db, { team_id: asker.team_id, project_id, kind: 'user' })
  return seen.map(({ record_id, name }) => ({ value: record_id, label: name }))
}

/** So that they, and what they were made, can be chosen the next time. */
export async function keepUser(data: unknown, { bot, asker, project }: Keeping): Promise<void> {
  const user = readUser(data)
  if (!user?.Id) return
  const keep = (kind: SeenKind, record_id: string, name: string) =>
    saveRecordSeen(bot.db, {
      team_id: asker.team_id,
      project_id: project.Id,
      kind,
      record_id,
      name,
      seen_at: bot.runtime.now(),
    })
  const full = [user.FirstName, user.LastName].filter(Boolean).join(' ')
  await keep('user', user.Id, [full, user.Email].filter(Boolean).join(' · ') || user.Id)
  if (user.Role) await keep('role', user.Role, user.Role)
  if (user.Status) await keep('status', user.Status, user.Status)
}

/** The contract names one role and one status: the usual ones, those that were seen, and whatever is typed. */
export const role = () => lookup('Role', seenOrTyped('role', ['ADMIN', 'EDITOR', 'VIEWER']))
export const status = () => lookup('Status', seenOrTyped('status', ['ACTIVE', 'INACTIVE']))

const seenOrTyped =
  (kind: 'role' | 'status', usual: string[]) =>
  async ({ bot, asker, project_id, typed }: Look): Promise<Choice[]> => {
    const seen = await listRecordsSeen(bot.db, { team_id: asker.team_id, project_id, kind })
    const known = [...new Set([...usual, ...seen.map(({ record_id }) => record_id)])]
    const own = typed.trim()
    const isKnown = known.some((one) => one.toLowerCase() === own.toLowerCase())
    return [...known, ...(own && !isKnown ? [own] : [])].map((value) => ({ value, label: value }))
  }
