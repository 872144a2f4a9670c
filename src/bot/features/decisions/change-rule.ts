import type { PostBody } from '../../../api/records.ts'
import { ERASED } from '../../../database/personal-data.ts'
import type { Db, ProjectKey } from '../../database/tables.ts'
import { findVersioned, replaceIfUnchanged } from '../../database/versioned-row.ts'
import { optional } from '../../forms/field.ts'
import { channelField, checkboxesField, selectField, usersField } from '../../forms/fields.ts'
import type { OpenedRecord } from '../../forms/form-value.ts'
import { defineForm } from '../../forms/open-form.ts'
import { refuseField, refuseOutdated } from '../../forms/outcome.ts'
import {
  explainUnavailableUserGroup,
  resolveUserGroup,
  toUserGroupChoice,
  userGroupField,
} from '../../forms/user-group-field.ts'
import { addNotification } from '../../outbox/add-notification.ts'
import { listUnfinishedPosts } from '../../outbox/find-items-store.ts'
import { updateHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { findLatestEditor } from '../../slack/audit-store.ts'
import { checkChannelAccess } from '../../slack/check-channel-access.ts'
import { escapeText, mentionUser, textReply } from '../../slack/message-blocks.ts'
import type { AuthorizedActor } from '../../slack/permissions.ts'
import {
  findApproval,
  listWaitingApprovals,
  queueApprovalUpdate,
  requestApproval,
  TO_APPROVE,
} from '../approvals/approval-store.ts'
import { NOT_APPROVED, publicationTime } from '../posts/display/post-states.ts'
import { describeApprovers, type LoadedRule, listApprovers, loadRule } from './approvers.ts'

type Input = {
  mode: string
  approvers?: string[]
  user_group?: string
  channel_id?: string
  options?: Option[]
}

const OPTIONS = {
  admins: 'Workspace admins can also approve',
  all: 'Every approver has to approve',
  authors: 'People can approve their own posts (for teams of one)',
}
type Option = keyof typeof OPTIONS

export const changeApprovalRule = defineForm<Input, { rule: LoadedRule | undefined }, OpenedRecord>({
  verb: 'approval',
  help: "Decide who has to approve a project's posts. For owners and admins.",
  title: 'Approval',
  submitLabel: 'Save',
  permission: 'admin',
  fields: {
    mode: selectField('New posts', {
      off: 'Need no approval',
      optional: 'Wait for approval if their authors ask for it',
      required: 'Go out only if someone approves them',
    }),
    approvers: optional(
      usersField(
        'Approvers',
        'If you pick neither people nor a group, workspace admins approve. Guests can approve only if you pick them here.',
      ),
    ),
    user_group: userGroupField('User group that approves'),
    channel_id: optional(channelField('Channel for requests')),
    options: optional(checkboxesField('Options', OPTIONS)),
  },
  unavailableFields: explainUnavailableUserGroup,
  loadCurrentValues: async ({ bot, actor }, project_id) => {
    const key = { team_id: actor.team_id, project_id }
    const { row: rule, version } = await findVersioned(bot.db, 'approval_rule', key)
    const options = [
      ...(rule?.admins_may_approve ? ['admins'] : []),
      ...(rule?.needs_all ? ['all'] : []),
      ...(rule?.authors_may_approve ? ['authors'] : []),
    ]
    const values = {
      mode: !rule ? 'off' : rule.is_optional ? 'optional' : 'required',
      approvers: rule?.approvers.filter((person) => person !== ERASED) ?? [],
      user_group: await toUserGroupChoice({ bot, actor }, rule?.user_group),
      channel_id: rule?.channel_id ?? undefined,
      options,
    }
    return { values, version }
  },
  send: async (input, { bot, actor, project, opened }) => {
    const { mode, approvers = [], options = [], channel_id = null } = input
    const { db, runtime } = bot
    const { team_id, user_id } = actor
    const key = { team_id, project_id: project.Id }
    const before = await loadRule({ bot, client: actor.client }, key)
    const user_group = resolveUserGroup({ bot, actor }, input.user_group, before?.user_group)
    const now = runtime.now()
    const next = {
      ...key,
      is_optional: mode === 'optional',
      approvers,
      user_group,
      channel_id,
      admins_may_approve: options.includes('admins'),
      needs_all: options.includes('all'),
      authors_may_approve: options.includes('authors'),
    }
    const rule = mode === 'off' ? undefined : next
    if (rule?.needs_all && !approvers.length && !user_group)
      return refuseField('approvers', 'If everyone has to approve, pick the people or a user group.')
    if (rule?.needs_all && rule.admins_may_approve)
      return refuseField(
        'options',
        `If everyone has to approve, admins can approve a post only in the last hour before it goes out. Clear "${OPTIONS.admins}" or "${OPTIONS.all}".`,
      )
    const isNewChannel = rule?.channel_id && rule.channel_id !== before?.channel_id
    const refusal = isNewChannel && (await explainChannelProblem({ bot, actor }, rule.channel_id ?? ''))
    if (refusal) return refuseField('channel_id', refusal)
    const newer = await replaceIfUnchanged(db, 'approval_rule', key, { seen: opened.etag, row: rule })
    if (newer)
      return refuseOutdated(opened, newer.version, {
        message:
          'Someone else changed this rule after you opened the form. `/upnext approval` shows their version.',
        question: "You're about to replace their version with yours.",
        submitLabel: 'Replace this rule',
        overridden: 'Someone else had changed the rule. You replaced their version.',
      })
    const onMessage = `${mentionUser(user_id)} turned approval on for ${escapeText(project.Name)}, so your held posts now go out only if they are approved. \`/upnext approve\` shows them.`
    const notified = new Set([user_id, ERASED])
    const notify = async (transaction: Db, author: string) => {
      if (notified.has(author)) return
      notified.add(author)
      await addNotification(
        transaction,
        runtime.newId(),
        { team_id, user_id: author, message: onMessage },
        now,
      )
    }
    if (rule?.is_optional === false) await askForApprovalOfHeldPosts(db, key, { now, notify })
    const all = await listWaitingApprovals(db, team_id)
    const waiting = all.filter(({ project_id }) => project_id === project.Id)
    for (const approval of waiting) await queueApprovalUpdate(db, approval, now)
    if (rule)
      return {
        kind: 'done',
        result: { rule: await loadRule({ bot, client: actor.client, isFresh: true }, key) },
      }
    const offMessage = `${mentionUser(user_id)} turned approval off for ${escapeText(project.Name)}. Posts that are still waiting go out only if an admin approves them.`
    const people = [
      ...(before ? listApprovers(before, NO_AUTHORS) : []),
      ...waiting.map(({ author }) => author),
    ]
    for (const person of new Set(people))
      await addNotification(db, runtime.newId(), { team_id, user_id: person, message: offMessage }, now)
    return { kind: 'done', result: { rule: undefined } }
  },
  successReply: ({ rule }, { project }) =>
    textReply(
      rule
        ? `*Posts of ${escapeText(project.Name)} need approval${rule.is_optional ? ' if their authors ask for it' : ''}.* Approvers: ${rule.needs_all && listApprovers(rule, NO_AUTHORS).length ? 'all of ' : ''}${describeApprovers(rule, NO_AUTHORS)}.`
        : `Posts of ${escapeText(project.Name)} need no approval.`,
    ),
})

async function explainChannelProblem(
  { bot, actor }: ActorContext,
  channel: string,
): Promise<string | undefined> {
  if ((await checkChannelAccess(bot, actor, channel)) === 'no')
    return "You aren't a member of that channel. Pick another one."
  const info = await actor.client.conversations.info({ channel }).catch(() => undefined)
  if (info?.channel?.is_ext_shared || info?.channel?.is_pending_ext_shared)
    return 'People from other organizations would see posts in that channel before they go out. Pick another one.'
  if (info?.channel?.is_member) return undefined
  return 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.'
}

type ActorContext = Pick<AuthorizedActor, 'bot' | 'actor'>

/** Takes the place of a post's author and last editor, so that all approvers are listed. */
const NO_AUTHORS = { author: '', changed_by: '' }

/** Posts that were held before approval became mandatory also wait for it from now on. */
async function askForApprovalOfHeldPosts(
  db: Db,
  key: ProjectKey,
  { now, notify }: { now: Date; notify: (transaction: Db, author: string) => Promise<void> },
): Promise<void> {
  for (const { id, state } of await listUnfinishedPosts(db, key)) {
    if (state !== 'held') continue
    const ask = async (transaction: Db, item: OutboxItem) => {
      const body: PostBody & { Status: string } = { ...item.body, Status: TO_APPROVE }
      if (await findApproval(transaction, id)) return undefined
      const changes = { team_id: item.team_id, target: id, actions: ['edit'], since: item.accepted_at }
      const changed_by = (await findLatestEditor(transaction, changes)) ?? item.user_id
      await requestApproval(transaction, { ...item, body }, { changed_by }, now)
      await notify(transaction, item.user_id)
      return { body, held_until: publicationTime(body), failure: NOT_APPROVED }
    }
    await updateHeldItem(db, { ...key, id }, ask, now)
  }
}
