import type { WebClient } from '@slack/web-api'
import type { Bot } from '../../slack/bot.ts'
import { findAdmins } from '../../slack/find-admins.ts'
import type { UndecidedPost } from '../approvals/approval-store.ts'
import { currentDecisions, isApproved, type LoadedRule, listApprovers, mayAdminsDecide } from './approvers.ts'
import { decisionDeadline } from './request-message.ts'

type AskedPost = UndecidedPost & {
  deciders: string[]
  /** An admin changed the rule, and the approvals so far are now enough. One of the deciders has to confirm that. */
  needsConfirmation: boolean
}

/**
 * Adds to each post its deciders: the people who may decide on it now. If Slack doesn't list the admins, they are
 * missing, and `isComplete` is false.
 */
export async function findPeopleToAsk(
  { bot, client }: { bot: Bot; client: WebClient },
  posts: UndecidedPost[],
  rule: LoadedRule | undefined,
  now: Date,
): Promise<{ askedPosts: AskedPost[]; isComplete: boolean }> {
  const isForAdmins = ({ approval, item }: UndecidedPost) =>
    mayAdminsDecide(rule, approval, { at: decisionDeadline(item), now })
  const forAdmins = posts.filter(isForAdmins)
  // If all admins in the settings wrote or changed a post, they can't approve it.
  const writersOf = ({ approval }: UndecidedPost) => [approval.author, approval.changed_by]
  const isByAllAdmins = (post: UndecidedPost) => bot.admins.every((admin) => writersOf(post).includes(admin))
  const ownPost = rule?.authors_may_approve ? undefined : forAdmins.find(isByAllAdmins)
  const admins = forAdmins.length ? await findAdmins(bot, client, ownPost && writersOf(ownPost)) : []
  const askedPosts = posts.map((post) => ({
    ...post,
    deciders: listApprovers(rule, post.approval, isForAdmins(post) ? admins : []),
    needsConfirmation: isApproved(post.approval, rule),
  }))
  return { askedPosts, isComplete: admins !== undefined }
}

export const awaitsDecisionBy = (
  { approval, deciders, needsConfirmation }: AskedPost,
  user_id: string,
): boolean =>
  deciders.includes(user_id) &&
  (needsConfirmation || !currentDecisions(approval).some((decision) => decision.user_id === user_id))

const MAX_RECIPIENTS = 20

/** The people who still have to decide on at least one of the posts. */
export const listPendingDeciders = (posts: AskedPost[]): string[] =>
  [
    ...new Set(posts.flatMap((post) => post.deciders.filter((user_id) => awaitsDecisionBy(post, user_id)))),
  ].slice(0, MAX_RECIPIENTS)
