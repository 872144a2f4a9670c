import { deleteRows, saveRow, selectRows } from '../../database/queries.ts'
import type { ChannelKey, Db } from '../../database/tables.ts'

export async function isHoldingChannel(db: Db, { team_id, channel_id }: ChannelKey): Promise<boolean> {
  const channel = selectRows(db, 'holding_channel', { team_id, channel_id })
  return (await channel.executeTakeFirst()) !== undefined
}

export const addHoldingChannel = (db: Db, channel: ChannelKey): Promise<unknown> =>
  saveRow(db, 'holding_channel', ['team_id', 'channel_id'], channel)

export const removeHoldingChannel = (db: Db, { team_id, channel_id }: ChannelKey): Promise<unknown> =>
  deleteRows(db, 'holding_channel', { team_id, channel_id }).execute()
