import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { keepNote, type NewNote } from './digest-notes.ts'
import type { Digest } from './digests.ts'
import type { Db, Tables } from './tables.ts'

export type DigestRun = Selectable<Tables['digest_run']>

type Run = { digest_id: string; day: string }

/** For all that is looked up and drawn for it. Whoever holds a run that long has died. */
const LEASE_MS = 120_000

/** Calls that were under way are over by then, and Slack's list, which lags behind, has what they made. */
export const SETTLED_MS = 120_000

const OPEN = ['planned', 'intended'] as const

type Plan = { id: string; day: string; next_at: Date }

/** A digest's next run, and when the one after it is; once, on whichever instance. */
export const planRun = (db: Db, digest: Digest, { id, day, next_at }: Plan): Promise<void> =>
  db.transaction().execute(async (within) => {
    const { numUpdatedRows } = await within
      .updateTable('digest')
      .set({ next_at })
      .where('id', '=', digest.id)
      .where('next_at', '=', digest.next_at)
      // The day and what comes after it are by this rhythm.
      .where(sql<boolean>`rhythm = ${JSON.stringify(digest.rhythm)}::jsonb`)
      .where('paused_for', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await within
      .insertInto('digest_run')
      .values({ id, digest_id: digest.id, day, due_at: digest.next_at, state: 'planned' })
      // A day that it did not come may have one after all, where its time was changed.
      .onConflict((conflict) =>
        conflict
          .columns(['digest_id', 'day'])
          .doUpdateSet({ id, due_at: digest.next_at, state: 'planned', again_at: null, problem: null })
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
      where run.intended_at > ${minuteAgo} and (run.leased_until is null or run.leased_until < ${now})
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

type Intent = { channel_id: string; post_at: Date; now: Date; told_until: Date | undefined }

/** Slack is about to be called: from here on it may have the message. Undefined where somebody else has it in hand. */
export const intendRun = (
  db: Db,
  { id, leased_until }: DigestRun,
  { channel_id, post_at, now, told_until }: Intent,
): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({
      state: 'intended',
      channel_id,
      post_at,
      intended_at: now,
      told_until: told_until ?? null,
      leased_until: new Date(now.getTime() + SETTLED_MS),
    })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .returningAll()
    .executeTakeFirst()

type Ending = { state: 'handed over'; message_id: string } | { state: 'skipped' | 'unclear' }

/** False where it was called off meanwhile, or somebody else has it in hand. */
export async function endRun(db: Db, { id, leased_until }: DigestRun, ending: Ending): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digest_run')
    .set({ ...ending, leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same where whoever set it up is to hear of it: they do, if it is. */
export const endRunWithNote = (
  db: Db,
  run: DigestRun,
  { state, note, now }: { state: 'skipped' | 'unclear'; note: NewNote; now: Date },
): Promise<void> =>
  db.transaction().execute(async (within) => {
    if (await endRun(within, run, { state })) await keepNote(within, note, now)
  })

type Postponed = {
  state: 'planned' | 'intended'
  again_at: Date
  problem?: string | undefined
  /** Whether Slack asked for a pause of all of the workspace's. */
  isLimited?: boolean
}

/** It is seen to again then. */
export const postponeRun = (
  db: Db,
  { id, leased_until }: DigestRun,
  { state, again_at, problem, isLimited = false }: Postponed,
): Promise<unknown> =>
  db
    .updateTable('digest_run')
    .set({
      state,
      leased_until: null,
      again_at,
      ...(problem !== undefined && { problem }),
      ...(isLimited && { limited_until: again_at }),
    })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .execute()

/** As it is by now, in whosever hands. */
export const findRun = (db: Db, { id }: DigestRun): Promise<DigestRun | undefined> =>
  db.selectFrom('digest_run').selectAll().where('id', '=', id).executeTakeFirst()

/** When those that are planned, or with Slack already, come; by their digests. */
export async function listComing(db: Db, digest_ids: string[], now: Date): Promise<Map<string, Date>> {
  if (!digest_ids.length) return new Map()
  const rows = await db
    .selectFrom('digest_run')
    .select(({ fn }) => ['digest_id', fn.min('due_at').as('due_at')])
    .where('digest_id', 'in', digest_ids)
    .where(({ eb, or, and }) =>
      or([eb('state', 'in', OPEN), and([eb('state', '=', 'handed over'), eb('post_at', '>', now)])]),
    )
    .groupBy('digest_id')
    .execute()
  return new Map(rows.map(({ digest_id, due_at }) => [digest_id, due_at]))
}

/** When it was due last of the times that it came, or may have come: there is one a day. */
export async function lastDue(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('due_at').as('due_at'))
    .where('digest_id', '=', digest_id)
    .where('state', 'not in', ['planned', 'skipped'])
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** How far the channel has been told: what goes out later is for the next. */
export async function lastToldUntil(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('told_until').as('until'))
    .where('digest_id', '=', digest_id)
    .where('state', '=', 'handed over')
    .executeTakeFirst()
  return row?.until ?? undefined
}

export const forgetRunsBefore = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('digest_run').where('due_at', '<', before).where('state', 'not in', OPEN).execute()
