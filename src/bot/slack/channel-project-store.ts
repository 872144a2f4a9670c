import { saveRow, selectRows } from '../database/row-queries.ts'
import type { ChannelKey, Db, Tables } from '../database/tables.ts'

export const findChannelProject = (db: Db, { team_id, channel_id }: ChannelKey) =>
  selectRows(db, 'channel_project', { team_id, channel_id }).executeTakeFirst()

export const linkChannelProject = (db: Db, link: Tables['channel_project']): Promise<unknown> =>
  saveRow(db, 'channel_project', ['team_id', 'channel_id'], link)
