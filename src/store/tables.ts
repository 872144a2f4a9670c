import type { Kysely } from 'kysely'

export type SeenKind = 'user' | 'prompt' | 'role' | 'status'

/** What the bot keeps of its own; all else is the service's. */
export type Tables = {
  /** The project that a channel's commands are about. */
  channel_project: { team_id: string; channel_id: string; project_id: string; set_by: string; set_at: Date }
  /** The project that a person used last. */
  person_project: { team_id: string; user_id: string; project_id: string; used_at: Date }
  /** People, prompts, roles and statuses that went through this bot: the service lists none of them. */
  record_seen: {
    team_id: string
    project_id: string
    kind: SeenKind
    record_id: string
    name: string
    seen_at: Date
  }
  /** The time zone of a person who wants another than Slack's. */
  person_zone: { team_id: string; user_id: string; zone: string }
  /** What a person's Home shows, as a digest: it is published again only when that changes. */
  person_home: { team_id: string; user_id: string; shown: string }
  /** Forms that were sent off. */
  submission: { view_id: string; claimed_at: Date; is_settled: boolean }
}

export type Db = Kysely<Tables>
