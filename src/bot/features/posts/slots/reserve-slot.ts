import type { PostBody } from '../../../../api/records.ts'
import type { DatedPost } from '../../../../api/timestamps.ts'
import type { Db, ProjectKey } from '../../../database/tables.ts'
import { CONFIRMED_WARNING_PREFIX } from '../../../forms/confirmation.ts'
import type { NewSubmission } from '../../../forms/form.ts'
import { findItem, listHeldChanges } from '../../../outbox/find-items-store.ts'
import { releaseSlots, reserveSlots, type SlotClaim } from '../../slots/slot-store.ts'
import type { PostReference } from '../display/post-reference.ts'

export const SLOT_TAKEN = 'Another post just took this slot. Press "Next free slot", or enter another time.'

/** The beginning of the warning that a slot is taken. An author who confirms the warning agrees to share the slot. */
export const TAKEN_SLOT_PREFIX = 'This slot is taken'

const acceptsTakenSlot = (warnings: string[]): boolean =>
  warnings.some((warning) => warning.startsWith(CONFIRMED_WARNING_PREFIX + TAKEN_SLOT_PREFIX))

/** Reserves the slot of a new post, in the transaction that stores it. */
export async function reserveSlotForItem(db: Db, item: NewSubmission, now: Date) {
  const idsWithoutSlot = await reserveSlotsForItems(db, item, [item], now)
  return idsWithoutSlot.length ? { field: 'ScheduleDate', message: SLOT_TAKEN } : undefined
}

/** Reserves the slots of new posts of one project, except drafts. Returns the ids of the posts whose slots are taken. */
export async function reserveSlotsForItems(
  db: Db,
  { team_id, project_id }: ProjectKey,
  items: NewSubmission[],
  now: Date,
): Promise<string[]> {
  const claims = items.flatMap(({ id, replaces, body, warnings }) => {
    const { ScheduleDate, ...rest } = (body ?? {}) as PostBody
    if (!ScheduleDate || rest.Status === 'DRAFT' || acceptsTakenSlot(warnings?.split('\n') ?? [])) return []
    return [{ ...toClaim([id, ...(replaces ? [replaces] : [])], { ScheduleDate, ...rest }), for_item: true }]
  })
  const takenClaims = await reserveSlots(db, { team_id, project_id }, claims, now)
  return takenClaims.map(({ owners: [id] }) => id)
}

const toClaim = (
  owners: SlotClaim['owners'],
  { ScheduleDate = '', Platforms = [] }: PostBody,
): SlotClaim => ({ owners, at: new Date(ScheduleDate), platforms: Platforms })

/** The ids that may own a post's reservation: the post's own, and its outbox item's. */
async function ownersOf(db: Db, { project_id, post_id }: PostReference): Promise<SlotClaim['owners']> {
  const item = await findItem(db, { project_id, form: 'schedule', record_id: post_id })
  return item ? [post_id, item.id] : [post_id]
}

/** A post as the user saw it before a change. */
export type SeenPost = PostReference &
  DatedPost & { Platforms?: string[] | undefined; Status?: string | undefined }

type SlotChange = {
  seen: SeenPost
  body: PostBody
  warnings: string[]
  /** The id of the outbox item, if the change waited or will wait in the outbox. */
  item_id?: string | undefined
  isWaiting?: boolean
}

/** Reserves the slot that a post moves to. Returns false if another post has it, unless the user agreed to share it. */
export async function reserveSlotForChange(
  db: Db,
  team_id: string,
  { seen, body, warnings, item_id, isWaiting = false }: SlotChange,
  now: Date,
): Promise<boolean> {
  const { ScheduleDate, Platforms = [], Status } = body
  // A draft has reserved no slot.
  const isSameTime =
    seen.Status !== 'DRAFT' &&
    seen.ScheduleDate &&
    +new Date(seen.ScheduleDate) === +new Date(ScheduleDate ?? 0)
  const added = isSameTime ? Platforms.filter((platform) => !seen.Platforms?.includes(platform)) : Platforms
  if (!ScheduleDate || Status === 'DRAFT' || !added.length || acceptsTakenSlot(warnings)) return true
  const waiting = await listHeldChanges(db, { team_id, project_id: seen.project_id, record_id: seen.post_id })
  const [post_id, ...others] = [...(await ownersOf(db, seen)), ...waiting.map(({ id }) => id)]
  // The first owner holds the reservation. While a change waits, this owner is the outbox item of the change.
  const owners: SlotClaim['owners'] =
    item_id && isWaiting ? [item_id, post_id, ...others] : [post_id, ...others, ...(item_id ? [item_id] : [])]
  const claim = { ...toClaim(owners, { ...body, Platforms: added }), for_item: isWaiting }
  const { project_id } = seen
  const reserve = (transaction: Db) => reserveSlots(transaction, { team_id, project_id }, [claim], now)
  const takenClaims = await (db.isTransaction ? reserve(db) : db.transaction().execute(reserve))
  return !takenClaims.length
}

/** Releases the slots of a post that was cancelled or moved, except the slot at the new time. */
export async function releaseSlotsOf(
  db: Db,
  team_id: string,
  reference: PostReference,
  body?: PostBody,
): Promise<void> {
  const scope = { team_id, project_id: reference.project_id, owners: await ownersOf(db, reference) }
  await releaseSlots(db, scope, body?.ScheduleDate ? new Date(body.ScheduleDate) : undefined)
}
