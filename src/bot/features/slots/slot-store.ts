import { sql } from 'kysely'
import { lockForTransaction } from '../../../database/lock-for-transaction.ts'
import { addMs } from '../../../runtime.ts'
import { deleteRows, selectRows } from '../../database/queries.ts'
import type { Db, ProjectKey } from '../../database/tables.ts'
import { platformsWithSlot } from './slot-rules.ts'
import type { SlotRule } from './tables.ts'

export async function findSlotRules(db: Db, { team_id, project_id }: ProjectKey): Promise<SlotRule[]> {
  const row = await selectRows(db, 'slot_rules', { team_id, project_id }).executeTakeFirst()
  return row?.rules ?? []
}

export const workspaceHasSlots = async (db: Db, team_id: string): Promise<boolean> =>
  (await selectRows(db, 'slot_rules', { team_id }).limit(1).executeTakeFirst()) !== undefined

/** No list of posts is used for longer than this. A list that was loaded before a post was sent lacks that post. */
const MAX_LIST_AGE_MS = 2 * 60_000

/** A reservation counts while its post waits in the outbox, and then until lists show the post at its new time. */
const isLive = (now: Date) => {
  const cutoff = addMs(now, -MAX_LIST_AGE_MS)
  return sql<boolean>`case when slot_reservation.for_item then exists (
      select from upnext.outbox_item item where item.id = slot_reservation.owner::uuid
        and (item.finished_at is null or (item.state = 'sent' and item.finished_at > ${cutoff}))
    ) else slot_reservation.reserved_at > ${cutoff} end`
}

export type SlotClaim = {
  /** The ids that may own the post's earlier reservation: the post's id, and the ids of its outbox items. */
  owners: [string, ...string[]]
  at: Date
  platforms: string[]
  for_item?: boolean
}

/**
 * Reserves the slots of posts. A time that isn't a slot needs no reservation. If other posts have some of the slots,
 * reserves nothing and returns the claims that conflict with theirs. Call this in a transaction.
 */
export async function reserveSlots(
  transaction: Db,
  project: ProjectKey,
  claims: SlotClaim[],
  now: Date,
): Promise<SlotClaim[]> {
  const { team_id, project_id } = project
  const rules = await findSlotRules(transaction, project)
  const wanted = claims.flatMap((claim) =>
    platformsWithSlot(rules, claim.at, claim.platforms).map((platform) => ({ claim, platform })),
  )
  if (!wanted.length) return []
  await lockForTransaction(transaction, `slots ${project_id}`)
  const times = wanted.map(({ claim }) => claim.at)
  const reservations = selectRows(transaction, 'slot_reservation', { project_id }).where('at', 'in', times)
  const reserved = await reservations.where(isLive(now)).execute()
  const isTaken = ({ claim: { at, owners }, platform }: (typeof wanted)[number]) =>
    reserved.some(
      (other) => other.platform === platform && +other.at === +at && !owners.includes(other.owner),
    )
  const takenClaims = wanted.filter(isTaken).map(({ claim }) => claim)
  if (takenClaims.length) return [...new Set(takenClaims)]
  const rows = wanted.map(({ claim: { at, owners, for_item = false }, platform }) => {
    return { team_id, project_id, platform, at, owner: owners[0], for_item, reserved_at: now }
  })
  // Posts that share a slot on purpose have one reservation.
  const distinct = new Map(rows.map((row) => [`${+row.at} ${row.platform}`, row]))
  await transaction
    .insertInto('slot_reservation')
    .values([...distinct.values()])
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'platform', 'at']).doUpdateSet((eb) => ({
        team_id,
        owner: eb.ref('excluded.owner'),
        for_item: eb.ref('excluded.for_item'),
        reserved_at: now,
      })),
    )
    .execute()
  return []
}

type SlotOwners = ProjectKey & { owners: string[] }

/** Releases a post's reservations, except the one at `keptTime`. */
export async function releaseSlots(
  db: Db,
  { project_id, owners }: SlotOwners,
  keptTime?: Date,
): Promise<void> {
  await deleteRows(db, 'slot_reservation', { project_id })
    .where('owner', 'in', owners)
    .$if(keptTime !== undefined, (query) => query.where('at', '!=', keptTime ?? new Date(0)))
    .execute()
}

export const listReservations = (
  db: Db,
  { project_id }: ProjectKey,
  { from, to }: { from: Date; to: Date },
  now: Date,
) =>
  selectRows(db, 'slot_reservation', { project_id })
    .where('at', '>=', from)
    .where('at', '<=', to)
    .where(isLive(now))
    .execute()
