import type { Post, PostBody } from '../../../api/records.ts'
import { lockForTransaction } from '../../../database/lock-for-transaction.ts'
import { addJobs } from '../../../jobs/job-store.ts'
import { saveRow, selectRows, updateRows } from '../../database/queries.ts'
import { shortHash } from '../../database/short-hash.ts'
import type { Db, ProjectKey } from '../../database/tables.ts'
import { findItem } from '../../outbox/find-items-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { insertAuditEntry } from '../../slack/audit-store.ts'
import type { Approval, ApprovalMessage, ApprovalRule, ApprovalState, Decision } from './tables.ts'

/** The status of a post that waits in Upnext until it is approved. Authors may choose this status to ask for approval. */
export const TO_APPROVE = 'TO_APPROVE'

export const asksForApproval = ({ Status }: { Status?: string | undefined }): boolean => Status === TO_APPROVE

/** The kind of the job that asks for a decision, and keeps the messages about it current. */
export const APPROVAL_JOB = 'approval'

export const findRule = (db: Db, { team_id, project_id }: ProjectKey): Promise<ApprovalRule | undefined> =>
  selectRows(db, 'approval_rule', { team_id, project_id }).executeTakeFirst()

/** Whether authors may ask for approval in one of the workspace's projects. */
export async function hasOptionalRule(db: Db, team_id: string): Promise<boolean> {
  const rules = selectRows(db, 'approval_rule', { team_id, is_optional: true })
  return (await rules.limit(1).executeTakeFirst()) !== undefined
}

/** Identifies the content that approvers decide on: everything in a post except its time and status. */
export function approvalVersionOf(body: PostBody | Post): string {
  const { Content, Texts, Titles, Media, MediaDescription, TemplateId, PromptId, Platforms = [] } = body
  const sorted = (texts: object = {}) => Object.entries(texts).sort()
  const parts = [Content, sorted(Texts), sorted(Titles), Media, MediaDescription, TemplateId, PromptId]
  return shortHash(JSON.stringify([...parts.map((part) => part ?? ''), [...Platforms].sort()]))
}

/**
 * Whether a post must wait for approval. Once approval has been requested, the post waits until this version is approved,
 * even if the rule is turned off. Before that, the author or the project's rule decides.
 */
export async function needsApproval(
  db: Db,
  project: ProjectKey,
  { item_id, body }: { item_id: string | undefined; body: PostBody },
): Promise<boolean> {
  if (body.Status === 'DRAFT') return false
  const approval = item_id === undefined ? undefined : await findApproval(db, item_id)
  if (approval) return !isApprovalOf(approval, body)
  return asksForApproval(body) || (await findRule(db, project))?.is_optional === false
}

export async function isVersionApproved(
  db: Db,
  { item_id, body }: { item_id: string; body: PostBody },
): Promise<boolean> {
  const approval = await findApproval(db, item_id)
  return approval !== undefined && isApprovalOf(approval, body)
}

const isApprovalOf = ({ state, version }: Approval, body: PostBody): boolean =>
  state === 'approved' && version === approvalVersionOf(body)

export const findApproval = (db: Db, item_id: string): Promise<Approval | undefined> =>
  db.selectFrom('approval').selectAll().where('item_id', '=', item_id).executeTakeFirst()

/**
 * A special value of `reminders`: the post changed after a decision about it, or was moved to an earlier time, so approvers
 * are reminded immediately.
 */
export const ASKED_AGAIN = -1

type HeldItem = Pick<OutboxItem, 'id' | 'team_id' | 'project_id' | 'user_id' | 'body' | 'batch_id'>

/** Requests approval of an item's post. Keeps a request for the same version, unless an approver wanted changes. */
export async function requestApproval(
  transaction: Db,
  { id: item_id, batch_id, team_id, project_id, user_id: author, body }: HeldItem,
  { changed_by, earlier_text = null }: { changed_by: string; earlier_text?: string | null },
  now: Date,
): Promise<void> {
  const version = approvalVersionOf((body ?? {}) as PostBody)
  const before = await findApproval(transaction, item_id)
  const wasDecided = before?.decisions.some((decision) => decision.version === before.version)
  const newValues = {
    version,
    state: 'asked' as const,
    changed_by,
    earlier_text,
    reminders: wasDecided || before?.reminders === ASKED_AGAIN ? ASKED_AGAIN : 0,
    asked_at: now,
  }
  const changed = await transaction
    .insertInto('approval')
    .values({
      item_id,
      group_id: batch_id ?? item_id,
      team_id,
      project_id,
      author,
      ...newValues,
      decisions: [],
    })
    .onConflict((conflict) =>
      conflict
        .column('item_id')
        .doUpdateSet((eb) => ({
          ...newValues,
          // Moving a post doesn't affect who last changed its content.
          changed_by: eb
            .case()
            .when('approval.version', '=', version)
            .then(eb.ref('approval.changed_by'))
            .else(changed_by)
            .end(),
        }))
        .where((eb) =>
          eb.or([eb('approval.version', '!=', version), eb('approval.state', '=', 'changes wanted')]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
  if (changed) await insertApprovalEntry(transaction, changed, { user_id: changed_by, action: ASKED }, now)
  await queueApprovalUpdate(transaction, { item_id, team_id }, now)
}

const ASKED = 'approval:asked'
const MISSED = 'approval:missed'

const insertApprovalEntry = (
  db: Db,
  { team_id, project_id, item_id, version }: Approval,
  { user_id, action }: { user_id: string; action: string },
  at: Date,
): Promise<unknown> =>
  insertAuditEntry(db, {
    at,
    team_id,
    user_id,
    user_team_id: team_id,
    action,
    project_id,
    target: item_id,
    detail: { after: { version } },
    outcome: 'done',
    request_id: item_id,
  })

/** Queues an update of the messages about an item's approval, if it has one. */
export async function queueApprovalUpdate(
  db: Db,
  { item_id, team_id }: Pick<Approval, 'item_id' | 'team_id'>,
  now: Date,
): Promise<void> {
  const approval = await findApproval(db, item_id)
  if (!approval) return
  const { group_id } = approval
  await addJobs(db, [{ kind: APPROVAL_JOB, id: group_id, key: group_id, owner: team_id }], now)
}

/** Locks an approval, so that two people can't decide simultaneously. */
export const lockApproval = (transaction: Db, item_id: string): Promise<Approval | undefined> =>
  transaction.selectFrom('approval').selectAll().where('item_id', '=', item_id).forUpdate().executeTakeFirst()

export const updateApproval = (
  db: Db,
  item_id: string,
  changes: { state?: ApprovalState; decisions?: Decision[]; reminders?: number; version?: string },
): Promise<unknown> => db.updateTable('approval').set(changes).where('item_id', '=', item_id).execute()

/** A post that needs or needed a decision. The item is gone if the post was cancelled. */
export type ApprovalPost = { approval: Approval; item: OutboxItem | undefined }

/** A post that is waiting for a decision. */
export type UndecidedPost = ApprovalPost & { item: OutboxItem }

export const isUndecided = (post: ApprovalPost): post is UndecidedPost =>
  post.approval.state === 'asked' && post.item?.state === 'held'

async function loadItems(db: Db, approvals: Approval[]): Promise<ApprovalPost[]> {
  const posts: ApprovalPost[] = []
  for (const approval of approvals)
    posts.push({ approval, item: await findItem(db, { id: approval.item_id }) })
  return posts
}

/**
 * Stores which reminders are being sent, so that only one instance sends them. Skips a post while a decision on it is
 * being saved.
 */
export const claimReminders = (
  db: Db,
  { team_id, project_id }: ProjectKey,
  choose: (posts: UndecidedPost[]) => Pick<Approval, 'item_id' | 'reminders'>[],
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await lockForTransaction(transaction, `reminders ${project_id}`)
    const asked = selectRows(transaction, 'approval', { team_id, project_id, state: 'asked' })
    const posts = await loadItems(transaction, await asked.forUpdate().skipLocked().execute())
    for (const { item_id, reminders } of choose(posts.filter(isUndecided)))
      await updateApproval(transaction, item_id, { reminders })
  })

/** Ends the approvals of a group's posts that are no longer held. A decision that is being saved takes precedence. */
export const endUndecidedApprovals = (db: Db, group_id: string, now: Date): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const ended = await updateRows(transaction, 'approval', { group_id })
      .set({ state: 'over' })
      .where('state', 'in', ['asked', 'changes wanted'])
      .where(({ not, exists, selectFrom }) => {
        const held = selectFrom('outbox_item').select('id').where('outbox_item.state', '=', 'held')
        return not(exists(held.whereRef('outbox_item.id', '=', 'approval.item_id')))
      })
      .returningAll()
      .execute()
    // A post that was cancelled has an audit entry of its own, and its item is gone.
    for (const { approval, item } of await loadItems(transaction, ended))
      if (item)
        await insertApprovalEntry(transaction, approval, { user_id: approval.author, action: MISSED }, now)
  })

/** The posts of a workspace that wait for a decision, or for a change by their authors. */
export const listWaitingApprovals = (db: Db, team_id: string): Promise<Approval[]> =>
  selectRows(db, 'approval', { team_id })
    .where('state', 'in', ['asked', 'changes wanted'])
    .orderBy('asked_at')
    .execute()

/** The posts that were submitted together. */
export async function listGroup(
  db: Db,
  { team_id, group_id }: Pick<Approval, 'team_id' | 'group_id'>,
): Promise<ApprovalPost[]> {
  const approvals = selectRows(db, 'approval', { team_id, group_id })
  return loadItems(db, await approvals.orderBy('asked_at').orderBy('item_id').execute())
}

export const listApprovalMessages = (db: Db, group_id: string): Promise<ApprovalMessage[]> =>
  db.selectFrom('approval_message').selectAll().where('group_id', '=', group_id).execute()

export const saveApprovalMessage = (db: Db, message: ApprovalMessage): Promise<unknown> =>
  saveRow(db, 'approval_message', ['group_id', 'recipient'], message)
