import { shortHash } from '../../database/short-hash.ts'
import { optional } from '../../forms/field.ts'
import { MAX_TEXT_LENGTH, textField } from '../../forms/fields.ts'
import type { OpenedRecord } from '../../forms/form-value.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { addNotification } from '../../outbox/add-notification.ts'
import { findItem } from '../../outbox/find-items-store.ts'
import { recordAction } from '../../slack/audit.ts'
import { noProject, type Request } from '../../slack/feature.ts'
import {
  context,
  escapeText,
  literalSection,
  mentionUser,
  messageView,
  section,
  textReply,
} from '../../slack/message-blocks.ts'
import { type Access, accessForModal } from '../../slack/permissions.ts'
import { loadProfile } from '../../slack/profile.ts'
import {
  type ApprovalPost,
  findApproval,
  isUndecided,
  listGroup,
  queueApprovalUpdate,
} from '../approvals/approval-store.ts'
import { PostReference } from '../posts/display/post-reference.ts'
import { openEditForm } from '../posts/edit-post.ts'
import { explainRefusal, loadRule, waitsForOthers } from './approvers.ts'
import { type DecisionRefusal, decide, GONE_MESSAGE } from './decide.ts'
import { listApprovals } from './list-approvals.ts'
import {
  APPROVE_ACTION,
  APPROVE_ALL_ACTION,
  ASK_FOR_CHANGES_ACTION,
  decisionDeadline,
  differenceBlocks,
  isNewPost,
  OPENED_ACTION,
  REOPEN_ACTION,
  scheduleOf,
  VersionReference,
  versionOfGroup,
} from './request-message.ts'

const ACCESS: Access = { permission: 'decide', isFresh: true }

const TITLE = 'Approval'
const FORM_TITLE = 'Ask for changes'

/** `prefilled` is a hash of the text with which the form was opened. */
type OpenedApproval = OpenedRecord & { version: string; prefilled: string }

type RequestForChanges = { reason: string; suggestion?: string }
/** `unsent` is the approver's own text, if the decision was refused. */
type DecisionResult = { message: string; unsent: string[] }

/** Lists the posts that wait for approval. In its form, an approver asks for changes to a post. */
export const approvePosts = defineForm<RequestForChanges, DecisionResult, OpenedApproval>({
  verb: 'approve',
  help: "Show posts waiting for your approval, and your own posts waiting for someone else's.",
  title: FORM_TITLE,
  submitLabel: 'Send',
  permission: 'decide',
  writesAuditEntries: true,
  access: { permission: 'decide', isFresh: false },
  run: listApprovals,
  actions: {
    [APPROVE_ACTION]: { access: ACCESS, run: approve },
    [APPROVE_ALL_ACTION]: { access: ACCESS, run: approveAll },
    [REOPEN_ACTION]: {
      access: accessForModal('write', 'Edit a post'),
      projectOf: noProject,
      run: reopenPost,
    },
    [ASK_FOR_CHANGES_ACTION]: {
      access: { ...ACCESS, modalTitle: FORM_TITLE },
      run: openChangeRequestForm,
    },
  },
  fields: {
    reason: textField('What should change?', { multiline: true, maxLength: 500 }),
    suggestion: optional(
      textField('Suggested text', { multiline: true, hint: 'The author can apply it with one click.' }),
    ),
  },
  send: async ({ reason, suggestion = '' }, { bot, actor, opened }) => {
    const profile = await loadProfile(bot, actor, { isFresh: true })
    const reference = { id: opened.record_id, version: opened.version }
    const isNew = suggestion && shortHash(suggestion) !== opened.prefilled
    const choice = { kind: 'changes wanted' as const, reason, ...(isNew && { suggestion }) }
    const refusal = await decide({ bot, actor, profile }, reference, choice)
    const result = refusal
      ? { message: refusal.message, unsent: [reason, ...(isNew ? [suggestion] : [])] }
      : { message: 'The author will get your message.', unsent: [] }
    return { kind: 'done', result }
  },
  successReply: ({ message }) => textReply(message),
  successView: ({ message, unsent }) =>
    messageView(
      TITLE,
      section(message),
      ...(unsent.length ? [context("Your message wasn't sent:"), ...unsent.map(literalSection)] : []),
    ),
})

const readReference = (text: string) => VersionReference.parse(JSON.parse(text))

async function approve(request: Request): Promise<void> {
  const refusal = await decide(request, readReference(request.text), { kind: 'approved' })
  if (refusal) return showRefusal(request, refusal)
  // A message about a single post shows the result itself, so only the private list needs a reply.
  if (request.origin === 'ephemeral message') await request.reply(textReply('Approved.'))
  await request.bot.refreshHome(request.actor)
}

const GROUP_CHANGED_MESSAGE =
  'At least one of these posts has changed since you saw it, so none was approved. `/upnext approve` shows the posts as they are now.'
const ALREADY_APPROVED_ALL = "You've already approved these posts. They still need approval from others."

/** Approves the posts of one message, if nobody has changed them since the user saw them. */
async function approveAll(request: Request): Promise<void> {
  const { bot } = request
  const { id, version } = readReference(request.text)
  const posts = await listGroup(bot.db, { team_id: request.actor.team_id, group_id: id })
  const [first] = posts
  if (versionOfGroup(posts) !== version) {
    // A new release may compute the version differently, so the message gets a new button.
    if (first) await queueApprovalUpdate(bot.db, first.approval, bot.runtime.now())
    return showRefusal(request, { message: GROUP_CHANGED_MESSAGE })
  }
  const client = request.actor.client
  const rule = first && (await loadRule({ bot, client, isFresh: true }, first.approval))
  const refused: DecisionRefusal[] = []
  const fullyApproved: ApprovalPost[] = []
  let approvalCount = 0
  for (const { approval, item } of posts.filter(isUndecided)) {
    if (waitsForOthers(approval, rule, request.actor.user_id)) continue
    const reference = { id: approval.item_id, version: approval.version, at: scheduleOf(item) }
    const refusal = await decide(request, reference, { kind: 'approved', isQuiet: true, rule })
    if (refusal) refused.push(refusal)
    else approvalCount++
    // Others may have to approve as well.
    const { state } = (await findApproval(bot.db, approval.item_id)) ?? {}
    if (!refusal && state !== 'asked') fullyApproved.push({ approval, item })
  }
  await notifyOfApprovals(request, fullyApproved)
  const [refusal] = refused
  const total = approvalCount + refused.length
  const scope = approvalCount ? `You approved ${approvalCount} of ${total} posts, but not the rest: ` : ''
  if (!total) await showRefusal(request, { message: ALREADY_APPROVED_ALL })
  if (refusal) await showRefusal(request, { ...refusal, message: scope + refusal.message })
  await bot.refreshHome(request.actor)
}

/** Sends the author one message about all posts that the user has just approved. */
async function notifyOfApprovals({ bot, actor }: Request, approved: ApprovalPost[]): Promise<void> {
  const [first] = approved
  if (!first) return
  const { item, approval } = first
  const { team_id, author: user_id } = approval
  const message = `:white_check_mark: ${mentionUser(actor.user_id)} approved ${approved.length} of your posts in ${escapeText(item?.project_name ?? 'a project')}.`
  await addNotification(bot.db, bot.runtime.newId(), { team_id, user_id, message }, bot.runtime.now())
}

async function openChangeRequestForm(request: Request): Promise<void> {
  const { bot, text } = request
  const { id, version } = readReference(text)
  const approval = await findApproval(bot.db, id)
  if (approval?.team_id !== request.actor.team_id) return showRefusal(request, { message: GONE_MESSAGE })
  const { project_id } = approval
  const item = await findItem(bot.db, { id })
  const rule = await loadRule({ bot, client: request.actor.client, isFresh: true }, approval)
  const reason = item && explainRefusal(request, approval, rule, decisionDeadline(item))
  if (reason) return showRefusal(request, { message: reason })
  const content = String(item?.body?.Content ?? '')
  // The form would cut off longer text, and the shorter text would look like a suggestion.
  const suggestion = content.length > MAX_TEXT_LENGTH ? '' : content
  const opened: OpenedApproval = {
    project_id,
    record_id: id,
    etag: version,
    version,
    prefilled: shortHash(suggestion),
    seen_at: bot.runtime.now().toISOString(),
  }
  await recordAction(request, { action: OPENED_ACTION, project_id, target: id, after: { version } })
  await openForm(approvePosts, request, { project_id, draft: { values: { suggestion }, opened } })
}

/** Opens the author's post, or their change to a post, for editing. Fills in the approver's suggested text, if any. */
async function reopenPost(request: Request): Promise<void> {
  const { bot, actor } = request
  const { id } = readReference(request.text)
  const approval = await findApproval(bot.db, id)
  const suggestion = approval?.decisions.at(-1)?.suggestion
  const item = await findItem(bot.db, { id })
  if (approval?.team_id !== actor.team_id || item?.state !== 'held' || (isNewPost(item) && !suggestion))
    return showRefusal(request, {
      message: "This can't be edited anymore. `/upnext approve` shows your posts as they are now.",
    })
  const { project_id } = approval
  const suggested = suggestion ? { Content: suggestion } : {}
  if (isNewPost(item)) {
    const reference = { project_id, post_id: id, is_held: true }
    return openEditForm(request, reference, (values) => ({ ...values, ...suggested }))
  }
  const reference = PostReference.parse(item.opened_record)
  await openEditForm(request, reference, () => ({ ...item.form_values, ...suggested }))
}

/** Says why nothing was decided. If the post has changed, shows the difference. */
async function showRefusal(request: Request, { message, approval, item }: DecisionRefusal): Promise<void> {
  const changes = approval && item ? differenceBlocks(approval, item) : []
  await request.open(messageView(TITLE, section(message), ...changes))
}
