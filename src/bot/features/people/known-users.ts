import type { User } from '../../../api/records.ts'
import type { ApiResult } from '../../../api/result.ts'
import type { components } from '../../../api/schema.d.ts'
import { searchAmong, searchSelectField } from '../../forms/fields.ts'
import type { SendContext } from '../../forms/form.ts'
import type { SearchContext } from '../../slack/feature.ts'
import { listKnownRecords, saveKnownRecord } from '../projects/projects-store.ts'

// The API description has only one example of a role and one of a status. The menus offer common values, values used
// before, and the typed value.
export const roleField = () => searchSelectField('Role', suggestValues('role', ['ADMIN', 'EDITOR', 'VIEWER']))
export const statusField = () => searchSelectField('Status', suggestValues('status', ['ACTIVE', 'INACTIVE']))

const suggestValues = (kind: 'role' | 'status', commonValues: string[]) =>
  searchAmong(async ({ bot, actor, project_id, query }) => {
    const records = await listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind })
    const values = [...new Set([...commonValues, ...records.map(({ value }) => value)])]
    const typed = query.trim()
    const isListed = values.some((value) => value.toLowerCase() === typed.toLowerCase())
    if (typed && !isListed) values.push(typed)
    return values.map((value) => ({ value, label: value }))
  })

/** Users who were invited or edited through the bot. The service can't list its users. */
export const listKnownUsers = ({ bot, actor, project_id }: Omit<SearchContext, 'query' | 'deadline'>) =>
  listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind: 'user' })

/** Remembers a user, their role and their status, so that later forms can suggest them. */
export async function rememberUser(
  { Id, FirstName, LastName, Email, Role, Status }: User,
  { bot: { db, runtime }, actor: { team_id }, project }: Pick<SendContext, 'bot' | 'actor' | 'project'>,
): Promise<void> {
  if (!Id) return
  const name = [FirstName, LastName].filter(Boolean).join(' ')
  const common = { team_id, project_id: project.Id, last_seen_at: runtime.now() }
  // A service may leave out what hasn't changed, so a known name and address stay.
  const known = { ...(name && { name }), ...(Email && { email: Email }) }
  await saveKnownRecord(db, { ...common, kind: 'user', record_id: Id, ...known })
  if (Role) await saveKnownRecord(db, { ...common, kind: 'role', record_id: Role, name: Role })
  if (Status) await saveKnownRecord(db, { ...common, kind: 'status', record_id: Status, name: Status })
}

const KINDS = ['role', 'status'] as const

/** A service that rejects a role or a status lists the accepted ones: "Input should be 'OWNER' or 'MEMBER'". */
export async function rememberAcceptedValues(
  result: ApiResult<User>,
  sent: components['schemas']['ProjectUserUpdate'],
  { bot: { db, runtime }, actor: { team_id }, project }: Pick<SendContext, 'bot' | 'actor' | 'project'>,
): Promise<void> {
  if (result.kind !== 'invalid') return
  const common = { team_id, project_id: project.Id, last_seen_at: runtime.now() }
  for (const { loc, msg } of result.details) {
    const kind = KINDS.find((name) => name === String(loc.at(-1)).toLowerCase())
    const names = msg.match(/(?<=['"])[\w -]{1,40}(?=['"](?:,|\.?$| or | and | \|))/g) ?? []
    if (!kind) continue
    const rejected = [sent.Role, sent.Status]
    for (const name of names.filter((name) => !rejected.includes(name)))
      await saveKnownRecord(db, { ...common, kind, record_id: name, name })
  }
}
