import type { ChannelKey, Db } from '../../database/tables.ts'

export async function isHoldingChannel(db: Db, { team_id, channel_id }: ChannelKey): Promise<boolean> {
  const channel = await db
    .selectFrom('holding_channel')
    .select('channel_id')
    .where((eb) => eb.and({ team_id, channel_id }))
    .executeTakeFirst()
  return channel !== undefined
}

export const addHoldingChannel = (db: Db, channel: ChannelKey): Promise<unknown> =>
  db
    .insertInto('holding_channel')
    .values(channel)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const removeHoldingChannel = (db: Db, { team_id, channel_id }: ChannelKey): Promise<unknown> =>
  db
    .deleteFrom('holding_channel')
    .where((eb) => eb.and({ team_id, channel_id }))
    .execute()
