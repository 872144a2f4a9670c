import type { WebClient } from '@slack/web-api'
import { ERASED } from '../../../database/personal-data.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import { mentionUser } from '../../slack/message-blocks.ts'
import { canWrite } from '../../slack/permissions.ts'
import type { UserProfile } from '../../slack/profile.ts'
import { findGroupMembers } from '../../slack/user-groups.ts'
import { findRule } from '../approvals/approval-store.ts'
import type { Approval, ApprovalRule, Decision } from '../approvals/tables.ts'

/** In the last hour before a post's time, admins may decide as well. */
export const ADMINS_JOIN_MS = 60 * 60_000

/** A project's rule, with those who are in its user group now. */
export type KnownRule = ApprovalRule & { members: string[] }

/** Returns an unknown group if Slack doesn't say who is in it. */
export async function loadRule(
  { bot, client }: { bot: Bot; client: WebClient },
  project: Pick<Approval, 'team_id' | 'project_id'>,
): Promise<{ rule: KnownRule | undefined; isKnown: boolean }> {
  const rule = await findRule(bot.db, project)
  const members = rule?.user_group ? await findGroupMembers({ bot, client }, rule.user_group) : []
  return { rule: rule && { ...rule, members: members ?? [] }, isKnown: members !== undefined }
}

type Authorship = Pick<Approval, 'author' | 'changed_by'>

/** The people of the rule who may decide about a post: not those who wrote it. */
export function listApprovers(rule: KnownRule | undefined, { author, changed_by }: Authorship): string[] {
  const isWriter = (user_id: string) => user_id === author || user_id === changed_by
  const people = new Set([...(rule?.approvers ?? []), ...(rule?.members ?? [])])
  return [...people].filter(
    (user_id) => user_id !== ERASED && (rule?.authors_may_approve || !isWriter(user_id)),
  )
}

/** Whether admins may decide: always, or because nobody else can or the time is near. */
export function mayAdminsDecide(
  rule: KnownRule | undefined,
  written: Authorship,
  { at, now }: { at: Date; now: Date },
): boolean {
  const isLastHour = addMs(at, -ADMINS_JOIN_MS) <= now
  const isAllowed = rule?.admins_may_approve && !rule.needs_all
  return isAllowed || isLastHour || !listApprovers(rule, written).length
}

type Decider = { bot: Bot; user_id: string; profile: UserProfile }

/** Why this person can't decide. The profile must be fresh: people leave, and lose their roles. */
export function explainRefusal(
  { bot, user_id, profile }: Decider,
  approval: Approval,
  rule: KnownRule | undefined,
  at: Date,
): string | undefined {
  const { author, changed_by } = approval
  if (!rule?.authors_may_approve) {
    if (user_id === author) return 'You asked for this, so someone else has to approve it.'
    if (user_id === changed_by) return 'You changed this post, so someone else has to approve it.'
  }
  const mayAsAdmin =
    profile.role === 'admin' && mayAdminsDecide(rule, approval, { at, now: bot.runtime.now() })
  // An admin may name guests and people of other organizations. A group may have some whom nobody thought of.
  const mayAsApprover = rule?.approvers.includes(user_id) || canWrite(bot, profile)
  const isApprover = listApprovers(rule, approval).includes(user_id) && mayAsApprover
  return isApprover || mayAsAdmin ? undefined : `This is decided by ${nameApprovers(rule, approval)}.`
}

const MAX_NAMES = 5

/** "@yuki, @ada and the admins" */
export function nameApprovers(rule: KnownRule | undefined, written: Authorship): string {
  const people = listApprovers(rule, written).map(mentionUser)
  const named = people.slice(0, people.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES)
  const others = people.length - named.length
  const hasAdmins = !named.length || (rule?.admins_may_approve && !rule.needs_all)
  const names = [...named, ...(others ? [`${others} others`] : []), ...(hasAdmins ? ['the admins'] : [])]
  const last = names.pop() ?? ''
  return names.length ? `${names.join(', ')} and ${last}` : last
}

/** The decisions since the author last asked. */
export const currentDecisions = ({ decisions, version, asked_at }: Approval): Decision[] =>
  decisions.filter((one) => one.version === version && new Date(one.at) >= asked_at)

/** Whether the decisions about this version are enough. */
export function isApproved(approval: Approval, rule: KnownRule | undefined): boolean {
  const approved = currentDecisions(approval).flatMap(({ kind, user_id }) =>
    kind === 'approved' ? [user_id] : [],
  )
  const approvers = listApprovers(rule, approval)
  // An admin decides only where the others can't, so one of them is enough.
  if (!rule?.needs_all || approved.some((user_id) => !approvers.includes(user_id))) return approved.length > 0
  return approvers.every((user_id) => approved.includes(user_id))
}
