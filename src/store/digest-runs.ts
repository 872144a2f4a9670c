import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Digest } from './digests.ts'
import type { Db, Tables } from './tables.ts'

export type DigestRun = Selectable<Tables['digest_run']>

type Run = { digest_id: string; day: string }

/** For all that is looked up and drawn for it; then for the call to Slack. Whoever holds a run that long has died. */
const LEASE_MS = 120_000
const CALL_LEASE_MS = 60_000

const OPEN = ['planned', 'intended'] as const

/** A digest's next run, and when the one after it is; once, on whichever instance. */
export const planRun = (
  db: Db,
  digest: Digest,
  { day, next_at }: { day: string; next_at: Date },
): Promise<void> =>
  db.transaction().execute(async (within) => {
    const { numUpdatedRows } = await within
      .updateTable('digest')
      .set({ next_at })
      .where('id', '=', digest.id)
      .where('next_at', '=', digest.next_at)
      .where('paused_for', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await within
      .insertInto('digest_run')
      .values({ digest_id: digest.id, day, due_at: digest.next_at, state: 'planned' })
      // A day that it did not come may have one after all, where its time was changed.
      .onConflict((conflict) =>
        conflict
          .columns(['digest_id', 'day'])
          .doUpdateSet({ due_at: digest.next_at, state: 'planned', again_at: null })
          .where('digest_run.state', '=', 'skipped'),
      )
      .execute()
  })

/** `perMinute` is what Slack takes of a workspace; `atOnce` leaves room for the others. */
type Pace = { perMinute: number; atOnce: number }

/** What is to be handed over now: of each workspace as many as Slack takes, unless it has asked for a pause. */
export async function listRunsDue(db: Db, now: Date, { perMinute, atOnce }: Pace): Promise<Run[]> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  const { rows } = await sql<Run>`
    with open as (
      select run.digest_id, run.day, run.leased_until, digest.team_id, run.again_at,
        row_number() over (
          partition by digest.team_id
          order by (run.again_at is null or run.again_at <= ${now}) desc, run.due_at, run.digest_id
        ) as place,
        max(run.limited_until) over (partition by digest.team_id) as limited_until
      from upnext.digest_run run join upnext.digest digest on digest.id = run.digest_id
      where run.state in ('planned', 'intended')
    ), called as (
      select digest.team_id, count(*) as times
      from upnext.digest_run run join upnext.digest digest on digest.id = run.digest_id
      where run.intended_at > ${minuteAgo}
      group by digest.team_id
    )
    select open.digest_id, open.day from open left join called using (team_id)
    where (open.leased_until is null or open.leased_until < ${now})
      and (open.again_at is null or open.again_at <= ${now})
      and (open.limited_until is null or open.limited_until <= ${now})
      and open.place <= least(${atOnce}::bigint, ${perMinute}::bigint - coalesce(called.times, 0))
    order by open.place
  `.execute(db)
  return rows
}

export const leaseRun = (db: Db, { digest_id, day }: Run, now: Date): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('state', 'in', OPEN)
    .where(sql<boolean>`(leased_until is null or leased_until < ${now})`)
    .where(sql<boolean>`(again_at is null or again_at <= ${now})`)
    .returningAll()
    .executeTakeFirst()

/** Slack is about to be called: from here on it may have the message. Undefined where somebody else has it in hand. */
export const intendRun = (
  db: Db,
  { digest_id, day, leased_until }: DigestRun,
  { post_at, now }: { post_at: Date; now: Date },
): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({
      state: 'intended',
      post_at,
      intended_at: now,
      leased_until: new Date(now.getTime() + CALL_LEASE_MS),
    })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('leased_until', '=', leased_until)
    .returningAll()
    .executeTakeFirst()

/** False where it was called off meanwhile, or somebody else has it in hand. */
export async function endRun(
  db: Db,
  { digest_id, day, leased_until }: DigestRun,
  ending: { state: 'handed over'; message_id: string } | { state: 'skipped' | 'unclear' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digest_run')
    .set({ ...ending, leased_until: null })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('leased_until', '=', leased_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It is seen to again then; where Slack asked for that, none of the workspace's is seen to before. */
export const postponeRun = (
  db: Db,
  { digest_id, day, leased_until }: DigestRun,
  {
    state,
    again_at,
    isLimited = false,
  }: { state: 'planned' | 'intended'; again_at: Date; isLimited?: boolean },
): Promise<unknown> =>
  db
    .updateTable('digest_run')
    .set({
      state,
      leased_until: null,
      again_at,
      ...(isLimited && { limited_until: again_at }),
    })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('leased_until', '=', leased_until)
    .execute()

/** What is not over yet: planned, in hand, or held by Slack until its time. */
export const listComing = (db: Db, digest_id: string, now: Date): Promise<DigestRun[]> =>
  db
    .selectFrom('digest_run')
    .selectAll()
    .where('digest_id', '=', digest_id)
    .where(({ eb, or, and }) =>
      or([eb('state', 'in', OPEN), and([eb('state', '=', 'handed over'), eb('post_at', '>', now)])]),
    )
    .execute()

export const findRun = (db: Db, { digest_id, day }: Run): Promise<DigestRun | undefined> =>
  db
    .selectFrom('digest_run')
    .selectAll()
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .executeTakeFirst()

/** It is taken back before it was posted: the same day may come again. */
export const forgetRun = (db: Db, { digest_id, day }: Run): Promise<unknown> =>
  db.deleteFrom('digest_run').where('digest_id', '=', digest_id).where('day', '=', day).execute()

/** The last day that it came, or may have come: there is one a day. */
export async function lastDay(db: Db, digest_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('day').as('day'))
    .where('digest_id', '=', digest_id)
    .where('state', 'not in', ['planned', 'skipped'])
    .executeTakeFirst()
  return row?.day ?? undefined
}

/** Until when the channel has been told: what goes out after a digest was handed over is for the next. */
export async function lastToldUntil(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('intended_at').as('until'))
    .where('digest_id', '=', digest_id)
    .where('state', '=', 'handed over')
    .executeTakeFirst()
  return row?.until ?? undefined
}

export const forgetRunsBefore = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('digest_run').where('due_at', '<', before).where('state', 'not in', OPEN).execute()
