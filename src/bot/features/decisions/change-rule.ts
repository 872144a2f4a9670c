import type { PostBody } from '../../../api/records.ts'
import { ERASED } from '../../../database/personal-data.ts'
import type { Db } from '../../database/tables.ts'
import { optional } from '../../forms/field.ts'
import {
  channelField,
  checkboxesField,
  searchAmong,
  searchSelect,
  selectField,
  UNAVAILABLE_CHOICE,
  usersField,
} from '../../forms/fields.ts'
import type { OpenedRecord } from '../../forms/form-value.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { refuseField } from '../../forms/outcome.ts'
import { addNotification } from '../../outbox/add-notification.ts'
import { listHeldItems } from '../../outbox/find-items.ts'
import { updateHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { canSeeChannel } from '../../slack/can-see-channel.ts'
import type { Feature, Request, SearchContext } from '../../slack/feature.ts'
import { type Choice, escapeText, mentionUser, textReply } from '../../slack/message-blocks.ts'
import { type AuthorizedActor, accessForModal } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { USER_GROUPS_SCOPE } from '../../slack/user-groups.ts'
import {
  askForApproval,
  findApproval,
  findRule,
  listWaiting,
  noteChange,
  replaceRule,
  TO_APPROVE,
  versionOfRule,
} from '../approvals/approval-store.ts'
import type { Approval } from '../approvals/tables.ts'
import { goOutTime, NOT_APPROVED } from '../posts/waiting-post.ts'
import { type LoadedRule, listApprovers, loadRule, nameApprovers } from './approvers.ts'

type Input = {
  mode: string
  approvers?: string[]
  user_group?: string
  channel_id?: string
  options?: Option[]
}

const OPTIONS = {
  admins: 'Workspace admins can also approve',
  all: 'Everyone has to approve',
  authors: 'People can approve their own posts (for teams of one)',
}
type Option = keyof typeof OPTIONS

const form = defineForm<Input, { rule: LoadedRule | undefined }>({
  verb: 'approval',
  help: "Decide who has to approve a project's posts. For owners and admins.",
  title: 'Approval',
  submitLabel: 'Save',
  permission: 'admin',
  fields: {
    mode: selectField('New posts', {
      off: 'Need no approval',
      optional: 'Wait for approval if their authors ask for it',
      required: 'Go out only if somebody approves them',
    }),
    approvers: optional(
      usersField(
        'Who approves',
        'Without people or a group, workspace admins approve. Guests can approve only if you pick them here.',
      ),
    ),
    user_group: optional(searchSelect('User group that approves', searchAmong(listGroupChoices))),
    channel_id: optional(
      channelField('Channel for requests', 'Upnext must be a member. Add it with "/invite @Upnext".'),
    ),
    options: optional(checkboxesField('More', OPTIONS)),
  },
  missingFields: ({ bot, actor }) =>
    bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE) ? {} : { user_group: NO_USER_GROUPS },
  send: async (input, { bot, actor, project, opened }) => {
    const { mode, approvers = [], options = [], channel_id = null } = input
    const { db, runtime } = bot
    const { team_id, user_id } = actor
    const key = { team_id, project_id: project.Id }
    const before = await loadRule({ bot, client: actor.client }, key)
    // Without the permission, the form can't offer groups, so it doesn't take one away.
    const isOffered = bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE)
    const user_group = (isOffered ? input.user_group : before?.user_group) ?? null
    const now = runtime.now()
    const next = {
      ...key,
      ...{ is_optional: mode === 'optional', approvers, user_group, channel_id },
      admins_may_approve: options.includes('admins'),
      needs_all: options.includes('all'),
      authors_may_approve: options.includes('authors'),
    }
    const rule = mode === 'off' ? undefined : next
    if (rule?.needs_all && !approvers.length && !user_group)
      return refuseField('approvers', 'Pick the people or the user group who have to approve.')
    const isNewChannel = rule?.channel_id && rule.channel_id !== before?.channel_id
    const refusal = isNewChannel && (await explainChannel({ bot, actor }, rule.channel_id ?? ''))
    if (refusal) return refuseField('channel_id', refusal)
    if (!opened) throw new Error('The form was opened without a rule.')
    if (!(await replaceRule(db, key, { seen: opened.etag, rule })))
      return { kind: 'refused', reason: await describeConflict(db, key, opened) }
    if (rule?.is_optional === false) await askAboutHeldPosts(db, key, now)
    const waiting = await noteRuleChange(db, key, now)
    if (rule)
      return {
        kind: 'done',
        result: { rule: await loadRule({ bot, client: actor.client, isFresh: true }, key) },
      }
    const message = `${mentionUser(user_id)} turned approval off for ${escapeText(project.Name)}. Posts that still wait go out only if an admin approves them.`
    const people = [...(before ? listApprovers(before, NOBODY) : []), ...waiting.map(({ author }) => author)]
    for (const person of new Set(people))
      await addNotification(db, runtime.newId(), { team_id, user_id: person, message }, now)
    return { kind: 'done', result: { rule: undefined } }
  },
  successReply: ({ rule }, { project }) =>
    textReply(
      rule
        ? `*Posts of ${escapeText(project.Name)} need approval${rule.is_optional ? ' if their authors ask for it' : ''}.* Approvers: ${rule.needs_all ? 'all of ' : ''}${nameApprovers(rule, NOBODY)}.`
        : `Posts of ${escapeText(project.Name)} need no approval.`,
    ),
  nextActions: () => [],
})

/** Asks whether the user wants to replace what someone else has saved since they opened the form. */
async function describeConflict(db: Db, key: ProjectKey, opened: OpenedRecord) {
  const message =
    'Someone else changed this rule after you opened the form. `/upnext approval` shows their version.'
  const replacement = {
    opened: { ...opened, etag: versionOfRule(await findRule(db, key)) },
    question: "You're about to replace it with yours.",
    submitLabel: 'Replace this rule',
    overridden: 'Someone else had changed the rule. You replaced their version.',
  }
  return { kind: 'conflict' as const, message, replacement }
}

const NO_USER_GROUPS =
  'User groups can approve once an admin of the workspace gives Upnext the permission "usergroups:read".'

async function listGroupChoices({ bot, actor: { client } }: SearchContext): Promise<Choice[]> {
  return (await bot.userGroups.list(client)) ?? [UNAVAILABLE_CHOICE]
}

/** Why people can't be asked in this channel. */
async function explainChannel({ bot, actor }: ChannelUser, channel: string): Promise<string | undefined> {
  if ((await canSeeChannel(bot, actor, channel)) === 'no')
    return "You aren't a member of that channel. Pick another one."
  const found = await actor.client.conversations.info({ channel }).catch(() => undefined)
  if (found?.channel?.is_member) return undefined
  return 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.'
}

type ChannelUser = Pick<AuthorizedActor, 'bot' | 'actor'>

/** The confirmation names all approvers, so no author is left out. */
const NOBODY = { author: '', changed_by: '' }

export const changeApprovalRule: Feature & typeof form = {
  ...form,
  run: (request) => openRule(request),
  actions: {
    'approval:open': {
      access: accessForModal('admin', form.title),
      // The button's value may name a project.
      run: (request) => openRule({ ...request, text: '' }, request.text || undefined),
    },
  },
}

/** Posts that are held already wait for approval from now on. */
async function askAboutHeldPosts(db: Db, key: ProjectKey, now: Date): Promise<void> {
  for (const { id, state } of await listHeldItems(db, key)) {
    if (state !== 'held') continue
    const ask = async (transaction: Db, item: OutboxItem) => {
      const body: PostBody & { Status: string } = { ...item.body, Status: TO_APPROVE }
      if (await findApproval(transaction, id)) return undefined
      await askForApproval(transaction, { ...item, body }, { changed_by: item.user_id }, now)
      return { body, held_until: goOutTime(body), failure: NOT_APPROVED }
    }
    await updateHeldItem(db, { ...key, id }, ask, now)
  }
}

/** Updates the messages about waiting posts, and returns their approvals. */
async function noteRuleChange(db: Db, { team_id, project_id }: ProjectKey, now: Date): Promise<Approval[]> {
  const waiting = (await listWaiting(db, team_id)).filter((one) => one.project_id === project_id)
  for (const approval of waiting) await noteChange(db, approval, now)
  return waiting
}

type ProjectKey = { team_id: string; project_id: string }

/** Opens the form with the project's rule. */
async function openRule(request: Request, project_id?: string): Promise<void> {
  const { bot, actor } = request
  const project = await resolveProject(request, project_id)
  if (!project) return
  const { team_id, client } = actor
  const rule = await findRule(bot.db, { team_id, project_id: project.Id })
  const group = rule?.user_group ?? undefined
  const groups = group ? await bot.userGroups.list(client) : []
  const options = [
    ...(rule?.admins_may_approve ? ['admins'] : []),
    ...(rule?.needs_all ? ['all'] : []),
    ...(rule?.authors_may_approve ? ['authors'] : []),
  ]
  const values = {
    mode: !rule ? 'off' : rule.is_optional ? 'optional' : 'required',
    approvers: rule?.approvers.filter((person) => person !== ERASED) ?? [],
    user_group: group && (groups?.find(({ value }) => value === group) ?? { value: group, label: group }),
    channel_id: rule?.channel_id ?? undefined,
    options,
  }
  // The rule that the user sees belongs to this project, so the form offers no other.
  const opened = {
    ...{ project_id: project.Id, record_id: project.Id, etag: versionOfRule(rule) },
    seen_at: bot.runtime.now().toISOString(),
  }
  await openForm(form, { ...request, text: '' }, { project_id: project.Id, draft: { values, opened } })
}
