import { ERASED } from '../../../database/personal-data.ts'
import { listWords } from '../../../time/describe.ts'
import { findVersioned, replaceIfUnchanged } from '../../database/versioned-row.ts'
import { optional } from '../../forms/field.ts'
import { usersField } from '../../forms/fields.ts'
import type { OpenedRecord } from '../../forms/form-value.ts'
import { defineForm } from '../../forms/open-form.ts'
import { refuseField, refuseOutdated } from '../../forms/outcome.ts'
import {
  explainUnavailableUserGroup,
  resolveUserGroup,
  toUserGroupChoice,
  userGroupField,
} from '../../forms/user-group-field.ts'
import { listUnfinishedPosts } from '../../outbox/find-items-store.ts'
import type { Actor } from '../../slack/actor.ts'
import type { Bot } from '../../slack/bot.ts'
import { mentionWriters } from '../../slack/check-writers.ts'
import { findRoles } from '../../slack/find-roles.ts'
import { escapeText, joinNames, mentionUser, textReply } from '../../slack/message-blocks.ts'
import { canWrite } from '../../slack/permissions.ts'
import { findWriters } from '../../slack/settings-store.ts'
import type { Writers } from '../../slack/tables.ts'

type Input = { people?: string[]; user_group?: string }

type Result = {
  writers: Writers | undefined
  /** Authors of held posts who aren't among the writers. */
  excluded: string[]
}

export const changeWriters = defineForm<Input, Result, OpenedRecord>({
  verb: 'writers',
  help: "Decide who may change a project's posts and other records. For owners and admins.",
  title: 'Writers',
  submitLabel: 'Save',
  permission: 'admin',
  fields: {
    people: optional(
      usersField(
        'People',
        'If both fields are empty, everyone who can schedule posts in this workspace can change this project.',
      ),
    ),
    user_group: userGroupField('User group'),
  },
  unavailableFields: explainUnavailableUserGroup,
  loadCurrentValues: async ({ bot, actor }, project_id) => {
    const key = { team_id: actor.team_id, project_id }
    const { row: writers, version } = await findVersioned(bot.db, 'project_writers', key)
    const people = writers?.people.filter((person) => person !== ERASED) ?? []
    const user_group = await toUserGroupChoice({ bot, actor }, writers?.user_group)
    const messages = writers && !people.length && !user_group ? [ONLY_ADMINS_NOW] : []
    return { values: { people, user_group }, version, messages }
  },
  send: async ({ people = [], ...input }, context) => {
    const { bot, actor, project, opened } = context
    const { client, team_id } = actor
    const roles = await findRoles({ bot, client }, team_id, people)
    const viewers = [...roles].filter(([, role]) => !canWrite(bot, { role }))
    if (viewers.length) {
      const users = await Promise.all(
        viewers.map(([user_id]) => bot.directory.find({ client, team_id, user_id })),
      )
      const names = listWords(users.map((user) => user?.profile?.display_name || user?.name || 'someone'))
      return refuseField('people', `Only members of this workspace can change posts. Remove ${names}.`)
    }
    const key = { team_id: actor.team_id, project_id: project.Id }
    const before = await findWriters(bot.db, key)
    const user_group = resolveUserGroup({ bot, actor }, input.user_group, before?.user_group)
    const writers = people.length || user_group ? { ...key, people, user_group } : undefined
    const newer = await replaceIfUnchanged(bot.db, 'project_writers', key, {
      seen: opened.etag,
      row: writers,
    })
    if (!newer)
      return {
        kind: 'done',
        result: { writers, excluded: writers ? await findExcludedAuthors(context, writers) : [] },
      }
    return refuseOutdated(opened, newer.version, {
      message: 'Someone else changed this after you opened the form. `/upnext writers` shows their version.',
      question: "You're about to replace their version with yours.",
      submitLabel: 'Replace this choice',
      overridden: 'Someone else had changed who can change posts. Your choice replaced theirs.',
    })
  },
  successReply: ({ writers, excluded }, { project }) => {
    const name = escapeText(project.Name)
    const heldPosts = excluded.length
      ? ` The posts of ${joinNames(excluded.map(mentionUser))} that Upnext still holds won't go out unless you add these people.`
      : ''
    return textReply(
      writers
        ? `Only ${joinNames(mentionWriters(writers), ['the admins'])} can change ${name} now.${heldPosts}`
        : `Everyone who can schedule posts in this workspace can change ${name} now.`,
    )
  },
})

/** An erasure leaves a list that may be empty, which isn't the same as no list. */
const ONLY_ADMINS_NOW =
  'Everyone in this list has been deleted, so only admins can change this project now. If you save the form with both fields empty, everyone can.'

/** Authors of held posts who can't change the project. People whose role is unknown are left out. */
async function findExcludedAuthors(
  { bot, actor: { client, team_id } }: { bot: Bot; actor: Actor },
  { project_id, people, user_group }: Writers,
): Promise<string[]> {
  const posts = await listUnfinishedPosts(bot.db, { team_id, project_id })
  const authors = posts.flatMap(({ state, user_id }) => (state === 'held' ? [user_id] : []))
  const unnamed = authors.filter((author) => !people.includes(author))
  if (!unnamed.length) return []
  const members = user_group ? await bot.userGroups.findMembers(client, user_group, { isFresh: false }) : []
  if (!members) return []
  const others = unnamed.filter((author) => !members.includes(author))
  const roles = await findRoles({ bot, client }, team_id, others)
  return [...roles].flatMap(([author, role]) => (role === 'admin' ? [] : [author]))
}
