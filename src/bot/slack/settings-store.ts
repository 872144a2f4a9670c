import { sql } from 'kysely'
import { ERASED } from '../../database/personal-data.ts'
import { prepareOne, saveRow, selectRows } from '../database/queries.ts'
import type { ChannelKey, Db, ProjectKey, Tables, UserKey } from '../database/tables.ts'
import type { Bot } from './bot.ts'
import type { SettingsInChannel, UserSettings, Writers } from './tables.ts'

/** `channel_id` is empty if the request doesn't name a channel, as on the Home tab. */
export const findSettingsInChannel = prepareOne(
  (_db, { team_id, user_id, channel_id }: UserKey & { channel_id: string }) => sql<SettingsInChannel>`
    select settings.zone, settings.project_id as user_project, settings.saved_at,
      link.project_id as channel_project
    from (select) nothing
    left join upnext.user_settings settings on settings.team_id = ${team_id} and settings.user_id = ${user_id}
    left join upnext.channel_project link on link.team_id = ${team_id} and link.channel_id = ${channel_id}`,
)

export const findUserSettings = (db: Db, { team_id, user_id }: UserKey) =>
  selectRows(db, 'user_settings', { team_id, user_id }).executeTakeFirst()

export function saveUserSettings(
  { db, runtime }: Bot,
  { team_id, user_id }: UserKey,
  settings: Partial<Pick<UserSettings, 'project_id' | 'zone' | 'home_hash'>>,
): Promise<unknown> {
  const row = { team_id, user_id, ...settings, saved_at: runtime.now() }
  return saveRow(db, 'user_settings', ['team_id', 'user_id'], row)
}

export const findChannelProject = (db: Db, { team_id, channel_id }: ChannelKey) =>
  selectRows(db, 'channel_project', { team_id, channel_id }).executeTakeFirst()

export const linkChannelProject = (db: Db, link: Tables['channel_project']): Promise<unknown> =>
  saveRow(db, 'channel_project', ['team_id', 'channel_id'], link)

/** Who may change the project. Undefined if everyone with the permission to write may change it. */
export async function findWriters(db: Db, { team_id, project_id }: ProjectKey): Promise<Writers | undefined> {
  const writers = await selectRows(db, 'project_writers', { team_id, project_id }).executeTakeFirst()
  // Erased people are left out, but the restriction stays.
  return writers && { ...writers, people: writers.people.filter((person) => person !== ERASED) }
}
