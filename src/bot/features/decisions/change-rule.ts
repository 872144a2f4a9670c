import type { PostBody } from '../../../api/records.ts'
import type { Db } from '../../database/tables.ts'
import { optional } from '../../forms/field.ts'
import { checkboxesField, selectField, usersField } from '../../forms/fields.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { refuseField } from '../../forms/outcome.ts'
import { addNotification } from '../../outbox/add-notification.ts'
import { listHeldItems } from '../../outbox/find-items.ts'
import { updateHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { escapeText, mentionUser, textReply } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import {
  askForApproval,
  deleteRule,
  findApproval,
  findRule,
  listWaiting,
  noteChange,
  saveRule,
} from '../approvals/approval-store.ts'
import type { Approval, ApprovalRule } from '../approvals/tables.ts'
import { goOutTime, NOT_APPROVED } from '../posts/change-post.ts'
import { TO_APPROVE } from '../posts/post-states.ts'
import { nameApprovers } from './approvers.ts'

type Input = { mode: string; approvers?: string[]; options?: Option[] }

const OPTIONS = {
  admins: 'Workspace admins may approve, too',
  all: 'All of these people have to approve',
  authors: 'People may approve their own posts (for teams of one)',
}
type Option = keyof typeof OPTIONS

const form = defineForm<Input, { rule: ApprovalRule | undefined }>({
  verb: 'approval',
  help: "Decide who has to approve a project's posts. For owners and admins.",
  title: 'Approval',
  submitLabel: 'Save',
  permission: 'admin',
  fields: {
    mode: selectField('New posts', {
      off: 'Need no approval',
      required: 'Go out only if somebody approves them',
    }),
    approvers: optional(usersField('Who approves', 'Without anyone, the workspace admins approve.')),
    options: optional(checkboxesField('More', OPTIONS)),
  },
  send: async ({ mode, approvers = [], options = [] }, { bot, actor, project }) => {
    const { db, runtime } = bot
    const { team_id, user_id } = actor
    const key = { team_id, project_id: project.Id }
    const before = await findRule(db, key)
    const now = runtime.now()
    if (mode === 'off') {
      await deleteRule(db, key)
      const waiting = await noteRuleChange(db, key, now)
      const message = `${mentionUser(user_id)} turned approval off for ${escapeText(project.Name)}. Posts that still wait go out only if an admin approves them.`
      const people = [...(before?.approvers ?? []), ...waiting.map(({ author }) => author)]
      for (const person of new Set(people))
        await addNotification(db, runtime.newId(), { team_id, user_id: person, message }, now)
      return { kind: 'done', result: { rule: undefined } }
    }
    if (options.includes('all') && !approvers.length)
      return refuseField('approvers', 'Pick the people who have to approve.')
    const rule = {
      ...key,
      approvers,
      admins_may_approve: options.includes('admins'),
      needs_all: options.includes('all'),
      authors_may_approve: options.includes('authors'),
    }
    await saveRule(db, rule)
    await askAboutHeldPosts(db, key, now)
    await noteRuleChange(db, key, now)
    return { kind: 'done', result: { rule } }
  },
  successReply: ({ rule }, { project }) =>
    textReply(
      rule
        ? `*Posts of ${escapeText(project.Name)} need approval* by ${rule.needs_all ? 'all of ' : ''}${nameApprovers(rule, NOBODY)}.`
        : `Posts of ${escapeText(project.Name)} need no approval.`,
    ),
  nextActions: () => [],
})

/** The rule is about everyone's posts. */
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

/** Has the messages about waiting posts say what the rule means for them. Returns these posts. */
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
  const rule = await findRule(bot.db, { team_id: actor.team_id, project_id: project.Id })
  const options = [
    ...(rule?.admins_may_approve ? ['admins'] : []),
    ...(rule?.needs_all ? ['all'] : []),
    ...(rule?.authors_may_approve ? ['authors'] : []),
  ]
  const values = { mode: rule ? 'required' : 'off', approvers: rule?.approvers ?? [], options }
  // The rule that the user sees belongs to this project, so the form offers no other.
  const opened = {
    ...{ project_id: project.Id, record_id: project.Id, etag: '' },
    seen_at: bot.runtime.now().toISOString(),
  }
  await openForm(form, { ...request, text: '' }, { project_id: project.Id, draft: { values, opened } })
}
