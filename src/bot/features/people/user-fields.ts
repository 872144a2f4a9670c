import { searchAmong, searchSelectField } from '../../forms/fields.ts'
import { listKnownRecords } from '../projects/projects-store.ts'

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
