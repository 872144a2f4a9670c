import type { Selectable, Updateable } from 'kysely'
import { deleteRows, saveRow, selectRows } from '../../database/queries.ts'
import type { ChannelKey, Db, ProjectKey, Tables } from '../../database/tables.ts'
import type { Alert } from './tables.ts'

export type AlertChannel = Selectable<Tables['alert_channel']>

export const listAlertChannels = (db: Db, { team_id, project_id }: ProjectKey): Promise<AlertChannel[]> =>
  selectRows(db, 'alert_channel', { team_id, project_id }).execute()

export const findAlertChannel = (db: Db, { team_id, channel_id }: ChannelKey) =>
  selectRows(db, 'alert_channel', { team_id, channel_id }).executeTakeFirst()

export const saveAlertChannel = (db: Db, channel: AlertChannel): Promise<unknown> =>
  saveRow(db, 'alert_channel', ['team_id', 'channel_id'], channel)

/** Turns off alerts in a channel: all, or only those about the given project. Returns the removed rows. */
export const removeAlertChannel = (
  db: Db,
  { team_id, channel_id, project_id }: ChannelKey & { project_id?: string },
): Promise<AlertChannel[]> =>
  deleteRows(db, 'alert_channel', { team_id, channel_id, ...(project_id && { project_id }) })
    .returningAll()
    .execute()

/** Alerts are deleted a week after a problem was last added. Until then, none of their problems is reported again. */
export const listAlerts = (db: Db, { team_id, project_id }: ProjectKey): Promise<Alert[]> =>
  selectRows(db, 'alert', { team_id, project_id }).orderBy('changed_at').execute()

export const findAlert = (db: Db, { team_id, id }: Pick<Alert, 'team_id' | 'id'>) =>
  selectRows(db, 'alert', { team_id, id }).executeTakeFirst()

export const insertAlert = (db: Db, alert: Alert): Promise<unknown> =>
  db.insertInto('alert').values(alert).execute()

export const updateAlert = (db: Db, id: string, change: Updateable<Tables['alert']>): Promise<unknown> =>
  db.updateTable('alert').set(change).where('id', '=', id).execute()
