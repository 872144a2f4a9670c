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
  const admins = posts.some(isForAdmins) ? await findAdmins(bot, client) : []
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
