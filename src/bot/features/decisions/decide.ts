import type { PostBody } from '../../../api/records.ts'
import { addNotification } from '../../outbox/add-notification.ts'
import { findItem } from '../../outbox/find-items-store.ts'
import { updateHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { recordAction } from '../../slack/audit.ts'
import { escapeFormatting, mentionUser } from '../../slack/message-blocks.ts'
import { type AuthorizedActor, authorize } from '../../slack/permissions.ts'
import {
  approvalVersionOf,
  findApproval,
  findRule,
  lockApproval,
  queueApprovalUpdate,
  updateApproval,
} from '../approvals/approval-store.ts'
import type { Approval, Decision } from '../approvals/tables.ts'
import { HELD, handOverTime } from '../posts/display/post-states.ts'
import { hasUnknownText } from '../posts/form/post-input.ts'
import {
  currentDecisions,
  explainRefusal,
  isApproved,
  type LoadedRule,
  listApprovers,
  loadRule,
} from './approvers.ts'
import {
  APPROVE_ACTION,
  ASK_FOR_CHANGES_ACTION,
  decisionDeadline,
  describePost,
  describeResult,
  isNewPost,
  scheduleOf,
  UNKNOWN_TEXT_MESSAGE,
  type VersionReference,
} from './request-message.ts'

export type DecisionRefusal = {
  message: string
  approval?: Approval | undefined
  item?: OutboxItem | undefined
}

export const GONE_MESSAGE =
  "There's nothing to decide anymore, because this post was cancelled or its time has passed."
const POST_CHANGED_MESSAGE =
  "This post has changed since you saw it, so your decision on it wasn't saved. `/upnext approve` shows it as it is now."

const ALREADY_APPROVED = "You've already approved this post. It still needs approval from others."
const RULE_CHANGED_MESSAGE =
  "An admin has just changed who approves this project's posts, so this decision wasn't saved. Try again."

/** The access that an author needs when an approved post is sent. */
const AUTHOR_ACCESS = { permission: 'write', isFresh: false } as const
const AUTHOR_LEFT_MESSAGE =
  "Its author can't change this project anymore, so it wouldn't be sent. Ask someone else to submit it again."

type DecisionInput = Pick<Decision, 'kind' | 'reason' | 'suggestion'> & {
  /** The decision sends no message, because the author gets one about the whole group. */
  isQuiet?: boolean
  /** The approval rule, if it is already loaded. Posts of one group share it. */
  rule?: LoadedRule | undefined
}

/**
 * Records a decision on the version that the person saw. If that isn't possible, for example because the post has
 * changed since, returns the refusal.
 */
export async function decide(
  decider: AuthorizedActor,
  { id, version, at }: VersionReference,
  choice: DecisionInput,
): Promise<DecisionRefusal | undefined> {
  const { bot, actor } = decider
  const { db, runtime } = bot
  const { team_id, user_id } = actor
  const action = choice.kind === 'approved' ? APPROVE_ACTION : ASK_FOR_CHANGES_ACTION
  const { reason, suggestion } = choice
  const found = await findApproval(db, id)
  if (!found || found.team_id !== team_id) {
    const after = { reason, suggestion, version }
    await recordAction(decider, { action, outcome: 'refused', target: id, after })
    return { message: GONE_MESSAGE }
  }
  const loadedRule = choice.rule ?? (await loadRule({ bot, client: actor.client, isFresh: true }, found))
  const now = runtime.now()
  const author =
    choice.kind === 'approved' &&
    (await authorize(bot, { ...actor, user_id: found.author }, AUTHOR_ACCESS, found))
  let refusal: DecisionRefusal | undefined
  let mayDecide = true
  /** The content that the decision is about. */
  let Content: unknown
  let decided: Approval | undefined
  const changed = await updateHeldItem(
    db,
    { team_id, project_id: found.project_id, id },
    async (transaction, item) => {
      const approval = await lockApproval(transaction, id)
      const body = (item.body ?? {}) as PostBody
      if (approvalVersionOf(body) === version) Content = body.Content
      const refuse = (message: string) => {
        refusal = { message, approval, item }
        return undefined
      }
      if (!approval) return refuse(GONE_MESSAGE)
      const currentRule = await findRule(transaction, approval)
      if (currentRule?.user_group !== loadedRule?.user_group) return refuse(RULE_CHANGED_MESSAGE)
      const rule = currentRule && {
        ...currentRule,
        members: loadedRule?.members,
        ineligible: loadedRule?.ineligible ?? [],
      }
      const result = describeResult(approval, item)
      const obstacle = explainRefusal(decider, approval, rule, decisionDeadline(item))
      mayDecide = !obstacle
      if (result) return refuse(`${result}.`)
      // The refusal shows no post to people who can't decide on it.
      if (obstacle) {
        refusal = { message: obstacle }
        return undefined
      }
      const isMoved = at !== undefined && at !== scheduleOf(item)
      if (isMoved || approval.version !== version || approvalVersionOf(body) !== version)
        return refuse(POST_CHANGED_MESSAGE)
      // A message from an earlier release may still have the button.
      if (choice.kind === 'approved' && hasUnknownText(body)) return refuse(UNKNOWN_TEXT_MESSAGE)
      if (author && author.kind === 'refused') return refuse(AUTHOR_LEFT_MESSAGE)
      const { isQuiet = false, rule: _rule, ...decisionFields } = choice
      const as_admin = !listApprovers(rule, approval).includes(user_id)
      const decision = {
        ...decisionFields,
        user_id,
        version,
        at: now.toISOString(),
        ...(as_admin && { as_admin }),
      }
      const decisions = [...approval.decisions, decision]
      const isFinal = choice.kind === 'changes wanted' || isApproved({ ...approval, decisions }, rule)
      const isRepeated = currentDecisions(approval).some((one) => one.user_id === user_id)
      if (isRepeated && !isFinal) return refuse(ALREADY_APPROVED)
      decided = { ...approval, decisions, state: isFinal ? choice.kind : 'asked' }
      await updateApproval(transaction, id, { decisions, state: decided.state })
      await queueApprovalUpdate(transaction, approval, now)
      const message = describeChoice(choice, user_id, item)
      if (isFinal && !isQuiet)
        await addNotification(
          transaction,
          runtime.newId(),
          { team_id, user_id: approval.author, message },
          now,
        )
      if (decided.state !== 'approved') return undefined
      // If the service can't change posts, an approved post stays held in Upnext, so that it can still be changed.
      const staysHeld = isNewPost(item) && !bot.extensions.current.canChangePosts
      const held_until = staysHeld ? handOverTime(body) : now
      return { body: isNewPost(item) ? { ...body, Status: HELD } : body, held_until, failure: null }
    },
    now,
  )
  await recordAction(decider, {
    action,
    outcome: decided ? 'done' : mayDecide ? 'refused' : 'denied',
    project_id: found.project_id,
    target: id,
    after: { Content, reason, suggestion, version },
  })
  if (decided || refusal) return refusal
  const result = changed ? undefined : describeResult(found, await findItem(db, { id }))
  return { message: result ?? GONE_MESSAGE }
}

/** The message to the author. */
function describeChoice({ kind, reason = '', suggestion }: DecisionInput, user_id: string, item: OutboxItem) {
  const [person, what] = [mentionUser(user_id), describePost(item)]
  if (kind === 'approved') return `:white_check_mark: ${person} approved ${what}.`
  const suggested = suggestion ? `\nThey suggest: "${escapeFormatting(suggestion)}"` : ''
  return `:pencil2: ${person} wants you to change ${what}: "${escapeFormatting(reason)}"${suggested}\nSee \`/upnext approve\`.`
}
