import { sql } from 'kysely'
import type { PostBody } from '../../../api/records.ts'
import { addJobs } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { prepare } from '../../database/prepare.ts'
import type { ChannelKey, Db } from '../../database/tables.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { addItemNotification } from '../../outbox/add-notification.ts'
import { discardItem, toSendJob } from '../../outbox/outbox-store.ts'
import { updateMessages } from './post-message-store.ts'
import type { HeldPost } from './tables.ts'

/** A held post is handed over this long before it goes out, so that there is time to fix what the service refuses. */
export const HAND_OVER_LEAD_MS = 15 * 60_000

type NewHeldPost = Omit<HeldPost, 'scheduled_at' | 'hand_over_at' | 'version'> & {
  /** The outbox item that the user edited. */
  replaces: string | undefined
}

/** Stores a post once for each form. Undefined if the item to be replaced has been sent in the meantime. */
export const insertHeldPost = (db: Db, { replaces, ...post }: NewHeldPost): Promise<HeldPost | undefined> =>
  db.transaction().execute(async (transaction) => {
    const { team_id, user_id, view_id, body } = post
    const earlier = await transaction
      .selectFrom('held_post')
      .selectAll()
      .where('view_id', '=', view_id)
      .executeTakeFirst()
    if (earlier) return earlier
    if (replaces && !(await discardItem(transaction, { team_id, user_id, id: replaces }))) return undefined
    return transaction
      .insertInto('held_post')
      .values({ ...post, ...timesOf(body) })
      .returningAll()
      .executeTakeFirstOrThrow()
  })

function timesOf({ ScheduleDate }: PostBody) {
  if (!ScheduleDate) throw new Error("A post without a date can't be held.")
  const scheduled_at = new Date(ScheduleDate)
  return { scheduled_at, hand_over_at: addMs(scheduled_at, -HAND_OVER_LEAD_MS) }
}

export type HeldPostKey = Pick<HeldPost, 'team_id' | 'project_id' | 'id'>

export const findHeldPost = (db: Db, { team_id, project_id, id }: HeldPostKey) =>
  db
    .selectFrom('held_post')
    .selectAll()
    .where((eb) => eb.and({ team_id, project_id, id }))
    .executeTakeFirst()

export type DateRange = { from?: Date | undefined; to?: Date | undefined }

type HeldProject = Pick<HeldPost, 'team_id' | 'project_id'>

const selectHeldPosts = prepare((db, { team_id, project_id, from, to }: HeldProject & DateRange) =>
  db
    .selectFrom('held_post')
    .selectAll()
    .where((eb) => eb.and({ team_id, project_id }))
    .where(
      sql<boolean>`scheduled_at between coalesce(${from}, '-infinity'::timestamptz) and coalesce(${to}, 'infinity'::timestamptz)`,
    )
    .orderBy('scheduled_at')
    .orderBy('id'),
)

/** In the order in which they go out. */
export const listHeldPosts = (
  db: Db,
  { team_id, project_id }: HeldProject,
  { from, to }: DateRange = {},
): Promise<HeldPost[]> => selectHeldPosts(db, { team_id, project_id, from, to })

type HeldVersion = HeldPostKey & { version: number }

/** Undefined if the post has another version, or isn't held anymore. */
export const updateHeldPost = (
  db: Db,
  { team_id, project_id, id, version }: HeldVersion,
  body: PostBody,
): Promise<HeldPost | undefined> =>
  db
    .updateTable('held_post')
    .set({ body, ...timesOf(body), version: version + 1 })
    .where((eb) => eb.and({ team_id, project_id, id, version }))
    .returningAll()
    .executeTakeFirst()

/** False if the post has another version, or isn't held anymore. */
export async function deleteHeldPost(db: Db, { team_id, project_id, id, version }: HeldVersion) {
  const { numDeletedRows } = await db
    .deleteFrom('held_post')
    .where((eb) => eb.and({ team_id, project_id, id, version }))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A post that has moved to the outbox. */
export const findHandedOver = (db: Db, { team_id, project_id, id }: HeldPostKey) =>
  db
    .selectFrom('outbox_item')
    .select(['id', 'body', 'state'])
    .where((eb) => eb.and({ team_id, project_id, id }))
    .executeTakeFirst()

/** Posts that are on their way to the service. */
export const listHandedOver = prepare((db, { team_id, project_id }: HeldProject) =>
  db
    .selectFrom('outbox_item')
    .select(['id', 'body'])
    .where((eb) => eb.and({ team_id, project_id, was_held: true, needs_answer: false }))
    .where('state', 'in', ['queued', 'unconfirmed']),
)

const BATCH_SIZE = 100

/** Posts whose time to be handed over has come. */
export const listPostsToHandOver = (db: Db, now: Date): Promise<HeldPost[]> =>
  db
    .selectFrom('held_post')
    .selectAll()
    .where('hand_over_at', '<=', now)
    .orderBy('hand_over_at')
    .limit(BATCH_SIZE)
    .execute()

type HandOver = { form: string; form_values: FormValues; now: Date }

/**
 * Moves a post to the outbox, from which it is sent. A post whose time has passed waits for its author there. A post that
 * was changed or cancelled meanwhile isn't moved.
 */
export const handOver = (db: Db, post: HeldPost, { form, form_values, now }: HandOver): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    if (!(await deleteHeldPost(transaction, post))) return
    const { id, team_id, user_id, user_team_id, channel_id, project_id, project_name, body } = post
    const isMissed = post.scheduled_at <= now
    const item = await transaction
      .insertInto('outbox_item')
      .values({
        id,
        // The form's own id belongs to its first submission, which may have been another outbox item.
        view_id: `held ${id}`,
        team_id,
        user_id,
        user_team_id,
        channel_id,
        form,
        project_id,
        project_name,
        form_values,
        body: { ...body, Status: 'SCHEDULED' },
        notify_channel: false,
        was_held: true,
        accepted_at: now,
        ...(isMissed ? { state: 'missed', finished_at: now } : { state: 'queued' }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isMissed) await addItemNotification(transaction, item, now)
    else await addJobs(transaction, [toSendJob(item)], now)
    await updateMessages(transaction, { team_id, project_id, post_id: id }, now)
  })

export async function isHoldingChannel(db: Db, { team_id, channel_id }: ChannelKey): Promise<boolean> {
  const channel = await db
    .selectFrom('holding_channel')
    .select('channel_id')
    .where((eb) => eb.and({ team_id, channel_id }))
    .executeTakeFirst()
  return channel !== undefined
}

export const startHoldingIn = (db: Db, channel: ChannelKey): Promise<unknown> =>
  db
    .insertInto('holding_channel')
    .values(channel)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const stopHoldingIn = (db: Db, { team_id, channel_id }: ChannelKey): Promise<unknown> =>
  db
    .deleteFrom('holding_channel')
    .where((eb) => eb.and({ team_id, channel_id }))
    .execute()
