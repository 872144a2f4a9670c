import type { WebClient } from '@slack/web-api'
import { ERASED } from '../../../database/personal-data.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import { findRoles } from '../../slack/find-roles.ts'
import { joinNames, mentionUser } from '../../slack/message-blocks.ts'
import { type AuthorizedActor, canWrite } from '../../slack/permissions.ts'
import type { Role } from '../../slack/role.ts'
import { findRule } from '../approvals/approval-store.ts'
import type { Approval, ApprovalRule, Decision } from '../approvals/tables.ts'

/** In the last hour before a post's time, admins may decide as well. */
export const ADMIN_WINDOW_MS = 60 * 60_000

/**
 * A project's rule. `members` are those of its user group, or undefined if Slack didn't list them. `ineligible` are the
 * approvers and members who may not decide, such as people who have left.
 */
export type LoadedRule = ApprovalRule & { members: string[] | undefined; ineligible: string[] }

/** For a decision, Slack is always asked for the members. For lists of posts, its last answer may be a minute old. */
export async function loadRule(
  { bot, client, isFresh = false }: { bot: Bot; client: WebClient; isFresh?: boolean },
  project: Pick<Approval, 'team_id' | 'project_id'>,
): Promise<LoadedRule | undefined> {
  const rule = await findRule(bot.db, project)
  const group = rule?.user_group
  const members = group ? await bot.userGroups.findMembers(client, group, { isFresh }) : []
  return rule && { ...rule, members, ineligible: await findIneligible({ bot, client }, rule, members) }
}

/**
 * Waiting for people who may not decide would leave a post without a decision. Guests and people from other organizations
 * may approve only if an admin named them: a user group may contain some by accident.
 */
async function findIneligible(
  worker: { bot: Bot; client: WebClient },
  { approvers, team_id }: ApprovalRule,
  members: string[] = [],
): Promise<string[]> {
  const roles = await findRoles(worker, team_id, [...approvers, ...members])
  const mayDecide = (user_id: string, role: Role) =>
    approvers.includes(user_id) ? role !== 'inactive' : canWrite(worker.bot, { role })
  return [...roles].flatMap(([user_id, role]) => (mayDecide(user_id, role) ? [] : [user_id]))
}

type Authorship = Pick<Approval, 'author' | 'changed_by'>

/**
 * The approvers that the rule names for a post, and any `others`. The post's author and last editor are left out, unless
 * authors may approve.
 */
export function listApprovers(
  rule: LoadedRule | undefined,
  { author, changed_by }: Authorship,
  others: string[] = [],
): string[] {
  const isWriter = (user_id: string) => user_id === author || user_id === changed_by
  const people = new Set([...(rule?.approvers ?? []), ...(rule?.members ?? []), ...others])
  return [...people].filter(
    (user_id) =>
      user_id !== ERASED &&
      !rule?.ineligible.includes(user_id) &&
      (rule?.authors_may_approve || !isWriter(user_id)),
  )
}

/** Whether admins may decide: the rule lets them, nobody else can, or the post's time is within an hour. */
export function mayAdminsDecide(
  rule: LoadedRule | undefined,
  authorship: Authorship,
  { at, now }: { at: Date; now: Date },
): boolean {
  const isLastHour = addMs(at, -ADMIN_WINDOW_MS) <= now
  const isAllowed = rule?.admins_may_approve && !rule.needs_all
  const hasNoApprovers = (!rule || rule.members) && !listApprovers(rule, authorship).length
  return Boolean(isAllowed || isLastHour || hasNoApprovers)
}

/** Returns why the user can't decide, or undefined. `profile` must be fresh, because people leave or lose their role. */
export function explainRefusal(
  { bot, actor: { user_id }, profile }: AuthorizedActor,
  approval: Approval,
  rule: LoadedRule | undefined,
  at: Date,
): string | undefined {
  const { author, changed_by } = approval
  const approvers = rule && !rule.members ? '' : ` Approvers: ${describeApprovers(rule, approval)}.`
  if (!rule?.authors_may_approve) {
    if (user_id === author) return `You asked for this approval, so someone else has to give it.${approvers}`
    if (user_id === changed_by) return `You changed this post, so someone else has to approve it.${approvers}`
  }
  const mayDecideAsAdmin =
    profile.role === 'admin' && mayAdminsDecide(rule, approval, { at, now: bot.runtime.now() })
  // `ineligible` may rest on a role that is a minute old, so the fresh role of this person is checked too.
  const mayDecideAsApprover = rule?.approvers.includes(user_id) || canWrite(bot, profile)
  const isApprover = listApprovers(rule, approval).includes(user_id) && mayDecideAsApprover
  if (isApprover || mayDecideAsAdmin) return undefined
  if (rule && !rule.members) return UNKNOWN_GROUP
  return `You can't decide on this post.${approvers}`
}

const UNKNOWN_GROUP =
  "Upnext couldn't load the members of the user group that approves these posts, so nothing was decided. Try again in a minute. If this persists, ask an admin to check `/upnext approval`."

/** "@yuki, @ada and the admins". People who have decided are left out. */
export function describeApprovers(
  rule: LoadedRule | undefined,
  authorship: Authorship,
  decisions: Decision[] = [],
): string {
  const approvers = listApprovers(rule, authorship)
  const people = approvers.filter((person) => !decisions.some(({ user_id }) => user_id === person))
  const isGroupUnknown = rule && !rule.members
  const hasAdmins = (!approvers.length && !isGroupUnknown) || (rule?.admins_may_approve && !rule.needs_all)
  return joinNames(people.map(mentionUser), [
    ...(isGroupUnknown ? ['a user group'] : []),
    ...(hasAdmins ? ['the admins'] : []),
  ])
}

/** The decisions since the author last asked. */
export const currentDecisions = ({ decisions, version, asked_at }: Approval): Decision[] =>
  decisions.filter((one) => one.version === version && new Date(one.at) >= asked_at)

/** Whether this version has enough approvals. */
export function isApproved(approval: Approval, rule: LoadedRule | undefined): boolean {
  const approved = currentDecisions(approval).filter(({ kind }) => kind === 'approved')
  // If all must approve, admins decide only if nobody else can or the post is due within an hour. One admin is enough.
  if (!rule?.needs_all || approved.some(({ as_admin }) => as_admin)) return approved.length > 0
  const hasApproved = (person: string) => approved.some(({ user_id }) => user_id === person)
  return approved.length > 0 && rule.members !== undefined && listApprovers(rule, approval).every(hasApproved)
}

/** Whether the person has already decided on this version, and it still needs approval from others. */
export const waitsForOthers = (approval: Approval, rule: LoadedRule | undefined, user_id: string): boolean =>
  currentDecisions(approval).some((decision) => decision.user_id === user_id) && !isApproved(approval, rule)
