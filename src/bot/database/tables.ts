import type { Kysely } from 'kysely'

export type UserKey = { team_id: string; user_id: string }
/** A project of a workspace. */
export type ProjectKey = { team_id: string; project_id: string }
export type ChannelKey = { team_id: string; channel_id: string }

/** Each folder that has tables adds them to this interface, in a tables.ts of its own. */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be extended elsewhere
export interface Tables {}

export type Db = Kysely<Tables>
