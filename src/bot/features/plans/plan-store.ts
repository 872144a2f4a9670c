import type { Updateable } from 'kysely'
import { addJobs, type Job, lockJob, type NewJob } from '../../../jobs/job-store.ts'
import { selectRows } from '../../database/queries.ts'
import type { Db, Tables, UserKey } from '../../database/tables.ts'
import { firstValue } from '../../forms/fields.ts'
import { type BatchItem, queueBatch } from '../../outbox/accept-items-store.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Plan, PlanRow, PlanState } from './tables.ts'

/** The kind of job that reads a plan, follows the progress of its posts, and cancels them on Undo. */
export const PLAN_JOB = 'plan'

const toJob = ({ id, team_id }: Pick<Plan, 'id' | 'team_id'>): NewJob => {
  return { kind: PLAN_JOB, id, key: id, owner: team_id }
}

type NewPlan = Pick<Plan, 'source' | 'view_id' | 'project_id' | 'project_name'>

/** Stores a plan for a job to read, because a file may take longer than Slack waits for a response. Returns its id. */
export const createPlan = (
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { team_id, user_id }: UserKey,
  plan: NewPlan,
): Promise<string> =>
  db.transaction().execute(async (transaction) => {
    const [id, created_at] = [runtime.newId(), runtime.now()]
    const user = { team_id, user_id, user_team_id: team_id }
    await transaction
      .insertInto('plan')
      .values({ ...plan, ...user, id, state: 'received', rows: [], notes: [], created_at })
      .execute()
    await addJobs(transaction, [toJob({ id, team_id })], created_at)
    return id
  })

export const findPlan = (db: Db, id: string): Promise<Plan | undefined> =>
  db.selectFrom('plan').selectAll().where('id', '=', id).executeTakeFirst()

/** Finds a plan only for its author, because nobody else may see it. */
export const findOwnPlan = (db: Db, { team_id, user_id }: UserKey, id: string): Promise<Plan | undefined> =>
  selectRows(db, 'plan', { id, team_id, user_id }).executeTakeFirst()

/** The user's latest plan that is still in review. */
export const findLatestPlan = (db: Db, { team_id, user_id }: UserKey): Promise<Plan | undefined> =>
  selectRows(db, 'plan', { team_id, user_id, state: 'review' })
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

/** The posts of a workspace's plans that are still in review. */
export async function listPlannedPosts(db: Db, team_id: string): Promise<Record<string, unknown>[]> {
  const plans = await selectRows(db, 'plan', { team_id, state: 'review' }).execute()
  // Rows with problems have no body yet.
  const toPost = ({ body, values }: PlanRow) =>
    body ?? { Content: firstValue(values.Content), Media: firstValue(values.Media) }
  return plans.flatMap(({ rows }) => rows.map(toPost))
}

export const updatePlan = (db: Db, id: string, changes: Updateable<Tables['plan']>): Promise<unknown> =>
  db.updateTable('plan').set(changes).where('id', '=', id).execute()

/** Changes the rows of a plan. Returns undefined if it isn't in review anymore. */
export const changeRows = (
  db: Db,
  id: string,
  change: (row: PlanRow) => PlanRow,
): Promise<Plan | undefined> =>
  changePlanInState(db, id, 'review', async (transaction, plan) => {
    const rows = plan.rows.map(change)
    await updatePlan(transaction, id, { rows })
    return { rows }
  })

type Reserve = (db: Db, items: BatchItem[]) => Promise<string[]>

/**
 * Puts the posts of a plan into the outbox, unless some of their slots are taken. Returns the ids of the items whose
 * slots are taken, or undefined if the plan isn't in review anymore.
 */
export async function sendPlan(
  db: Db,
  id: string,
  { toItems, reserve }: { toItems: (plan: Plan) => BatchItem[]; reserve: Reserve },
  now: Date,
): Promise<string[] | undefined> {
  let idsWithoutSlot: string[] = []
  const plan = await changePlanInState(db, id, 'review', async (transaction, plan) => {
    const items = toItems(plan)
    idsWithoutSlot = await reserve(transaction, items)
    if (idsWithoutSlot.length) return {}
    const changes = { state: 'sending' as const, sent_at: now, view_id: null }
    await queueBatch(transaction, items, now)
    await updatePlan(transaction, id, changes)
    await addJobs(transaction, [toJob(plan)], now)
    return changes
  })
  return plan && idsWithoutSlot
}

/**
 * Saves the result of a run. Returns false if the run has lost its lease, or the plan has another state by now. Locks
 * the plan before the job, like all other changes to plans.
 */
export const saveRun = async (
  db: Db,
  job: Job,
  { id, state }: Plan,
  changes: Updateable<Tables['plan']>,
): Promise<boolean> => {
  const saved = await changePlanInState(db, id, state, async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    await updatePlan(transaction, id, changes)
    return {}
  })
  return saved !== undefined
}

/** Starts to cancel the posts of a plan. Returns undefined if it's too late, or if they are already being cancelled. */
export const beginUndo = (db: Db, id: string, now: Date): Promise<Plan | undefined> =>
  changePlanInState(db, id, 'sent', async (transaction, plan) => {
    await updatePlan(transaction, id, { state: 'undoing' })
    await addJobs(transaction, [toJob(plan)], now)
    return { state: 'undoing' }
  })

/** Changes a plan if it is in this state, and returns the changed plan. Other changes of the plan wait until this one is done. */
const changePlanInState = (
  db: Db,
  id: string,
  state: PlanState,
  change: (transaction: Db, plan: Plan) => Promise<Partial<Plan> | undefined>,
): Promise<Plan | undefined> =>
  db.transaction().execute(async (transaction) => {
    const plan = await selectRows(transaction, 'plan', { id, state }).forUpdate().executeTakeFirst()
    const changes = plan && (await change(transaction, plan))
    return changes && { ...plan, ...changes }
  })
