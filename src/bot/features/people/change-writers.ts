import { optional } from '../../forms/field.ts'
import { searchAmong, searchSelect, UNAVAILABLE_CHOICE, usersField } from '../../forms/fields.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { nameWriters } from '../../slack/explain-writers.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { escapeText, joinNames, textReply } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import type { Writers } from '../../slack/tables.ts'
import { USER_GROUPS_SCOPE } from '../../slack/user-groups.ts'
import { findWriters, replaceWriters, versionOfWriters } from '../../slack/writers-store.ts'

type Input = { people?: string[]; user_group?: string }

const form = defineForm<Input, { writers: Writers | undefined }>({
  verb: 'writers',
  help: "Decide who may change a project's posts and other records. For owners and admins.",
  title: 'Who may write',
  submitLabel: 'Save',
  permission: 'admin',
  fields: {
    people: optional(
      usersField(
        'People',
        'Leave both fields empty to let everyone change this project who can write in this workspace.',
      ),
    ),
    user_group: optional(
      searchSelect(
        'User group',
        searchAmong(
          async ({ bot, actor }) => (await bot.userGroups.list(actor.client)) ?? [UNAVAILABLE_CHOICE],
        ),
      ),
    ),
  },
  missingFields: ({ bot, actor }) =>
    bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE) ? {} : { user_group: NO_USER_GROUPS },
  send: async ({ people = [], ...input }, { bot, actor, project, opened }) => {
    if (!opened) throw new Error('The form was opened without the writers.')
    const key = { team_id: actor.team_id, project_id: project.Id }
    // Without the permission, the form can't offer groups, so it doesn't take one away.
    const isOffered = bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE)
    const kept = isOffered ? undefined : (await findWriters(bot.db, key))?.user_group
    const user_group = input.user_group ?? kept ?? null
    const writers = people.length || user_group ? { ...key, people, user_group } : undefined
    if (await replaceWriters(bot.db, key, { seen: opened.etag, writers }))
      return { kind: 'done', result: { writers } }
    const current = versionOfWriters(await findWriters(bot.db, key))
    const replacement = {
      opened: { ...opened, etag: current },
      question: "You're about to replace it with yours.",
      submitLabel: 'Replace this choice',
      overridden: 'Someone else had changed who may write. You replaced their choice.',
    }
    return { kind: 'refused', reason: { kind: 'conflict', message: CONFLICT, replacement } }
  },
  successReply: ({ writers }, { project }) => {
    const name = escapeText(project.Name)
    return textReply(
      writers
        ? `Only ${joinNames(nameWriters(writers), ['the admins'])} can change ${name} now.`
        : `Everyone who can write in this workspace can change ${name} now.`,
    )
  },
  nextActions: () => [],
})

const NO_USER_GROUPS =
  'To pick a user group, an admin of the workspace has to give Upnext the permission "usergroups:read".'

const CONFLICT = 'Someone else changed this after you opened the form. `/upnext writers` shows their version.'

export const changeWriters: Feature & typeof form = {
  ...form,
  run: (request) => openWriters(request),
  actions: {
    'writers:open': {
      access: accessForModal('admin', form.title),
      // The button's value may name a project.
      run: (request) => openWriters(request, request.text || undefined),
    },
  },
}

/** The form has the choice that the admin sees, so it offers no other project. */
async function openWriters(request: Request, project_id?: string): Promise<void> {
  const { bot, actor } = request
  const project = await resolveProject(request, project_id)
  if (!project) return
  const writers = await findWriters(bot.db, { team_id: actor.team_id, project_id: project.Id })
  const group = writers?.user_group ?? undefined
  const groups = group ? await bot.userGroups.list(actor.client) : []
  const values = {
    people: writers?.people ?? [],
    user_group: group && (groups?.find(({ value }) => value === group) ?? { value: group, label: group }),
  }
  const opened = {
    ...{ project_id: project.Id, record_id: project.Id, etag: versionOfWriters(writers) },
    seen_at: bot.runtime.now().toISOString(),
  }
  await openForm(form, { ...request, text: '' }, { project_id: project.Id, draft: { values, opened } })
}
