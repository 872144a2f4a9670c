import type { User } from '../../api/records.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { KnownRecordType } from '../database/tables.ts'
import type { SearchContext } from '../form/field.ts'
import { searchAmong, searchSelect } from '../form/fields.ts'
import type { Choice } from '../form/form-value.ts'
import type { NamedProject } from '../projects/projects.ts'
import { listKnownRecords, saveKnownRecord } from '../projects/projects-store.ts'

/** Users who passed through the bot. The service has no list of them. */
export async function listKnownUsers({ bot, actor, project_id }: SearchContext): Promise<Choice[]> {
  const users = await listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind: 'user' })
  return users.map(({ record_id, name }) => ({ value: record_id, label: name }))
}

/** Offers a user, their role and their status in the lists of later forms. */
export async function rememberUser(
  user: User,
  { bot, actor, project }: { bot: Bot; actor: Actor; project: NamedProject },
): Promise<void> {
  if (!user.Id) return
  const save = (kind: KnownRecordType, record_id: string, name: string) =>
    saveKnownRecord(bot.db, {
      team_id: actor.team_id,
      project_id: project.Id,
      kind,
      record_id,
      name,
      last_seen_at: bot.runtime.now(),
    })
  const fullName = [user.FirstName, user.LastName].filter(Boolean).join(' ')
  await save('user', user.Id, [fullName, user.Email].filter(Boolean).join(' · ') || user.Id)
  if (user.Role) await save('role', user.Role, user.Role)
  if (user.Status) await save('status', user.Status, user.Status)
}

// The contract names one role and one status. These menus offer common ones, those used before, and any typed one.
export const roleField = () => searchSelect('Role', listKnownAndTyped('role', ['ADMIN', 'EDITOR', 'VIEWER']))
export const statusField = () => searchSelect('Status', listKnownAndTyped('status', ['ACTIVE', 'INACTIVE']))

const listKnownAndTyped = (kind: 'role' | 'status', commonValues: string[]) =>
  searchAmong(async ({ bot, actor, project_id, query }) => {
    const records = await listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind })
    const values = [...new Set([...commonValues, ...records.map(({ record_id }) => record_id)])]
    const typed = query.trim()
    const isListed = values.some((value) => value.toLowerCase() === typed.toLowerCase())
    if (typed && !isListed) values.push(typed)
    return values.map((value) => ({ value, label: value }))
  })
