import { readUser } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { listRecordsSeen, saveRecordSeen } from '../../store/records-seen.ts'
import { choice } from '../form/fields.ts'
import { form, type Keeping } from '../form/form.ts'
import { escaped, section } from '../reply.ts'

export const updateUser = form<components['schemas']['ProjectUserUpdate']>({
  verb: 'user',
  usage: '',
  help: "Changes somebody's role or status in a project. For owners and admins.",
  title: 'Change a user',
  submit: 'Change',
  right: 'administer',
  pick: {
    label: 'Who',
    hint: 'Those who were invited from here are listed; for anybody else type the id that the service has for them.',
    options: async ({ bot, team_id, project_id, typed }) => {
      const seen = await listRecordsSeen(bot.db, { team_id, project_id, kind: 'user' })
      const known = seen.map(({ record_id, name }) => ({ value: record_id, label: name }))
      const id = typed.trim()
      return id && !known.some(({ value }) => value === id)
        ? [...known, { value: id, label: `The id ${id}` }]
        : known
    },
    values: async () => ({}),
  },
  fields: {
    Role: choice('Role', { VIEWER: 'Viewer', EDITOR: 'Editor', ADMIN: 'Admin' }).optional(),
    Status: choice('Status', { ACTIVE: 'Active', INACTIVE: 'Inactive' }).optional(),
  },
  send: (body, { api, project, deadlineMs, picked }) =>
    api.PUT('/api/v1/projects/{project_id}/users/{user_id}', {
      params: { path: { project_id: project.Id, user_id: picked } },
      body,
      deadlineMs,
    }),
  keep: keepUser,
  done: (data, { project }) => {
    const user = readUser(data)
    const now = [user?.Role, user?.Status].filter(Boolean).join(', ').toLowerCase()
    const who = escaped(user?.Email ?? 'They')
    const said = now ? `${who}: ${escaped(now)} in ${escaped(project.Name)} now.` : `${who}: changed.`
    return { text: said, blocks: [section(said)] }
  },
})

/** So that they can be picked the next time. */
export async function keepUser(data: unknown, { bot, team_id, project }: Keeping): Promise<void> {
  const user = readUser(data)
  if (!user?.Id) return
  const full = [user.FirstName, user.LastName].filter(Boolean).join(' ')
  const name = [full, user.Email].filter(Boolean).join(' · ') || user.Id
  const seen_at = bot.world.now()
  await saveRecordSeen(bot.db, {
    team_id,
    project_id: project.Id,
    kind: 'user',
    record_id: user.Id,
    name,
    seen_at,
  })
}
