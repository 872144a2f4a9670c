import type { Kysely } from 'kysely'

/** What the bot keeps of its own; all else is the service's. */
export type Tables = {
  /** The project that a channel's commands are about. */
  channel_project: { team_id: string; channel_id: string; project_id: string; set_by: string; set_at: Date }
  /** The project that a person used last. */
  person_project: { team_id: string; user_id: string; project_id: string; used_at: Date }
  /** People and prompts that went through this bot: the service lists neither. */
  record_seen: {
    team_id: string
    project_id: string
    kind: 'user' | 'prompt'
    record_id: string
    name: string
    seen_at: Date
  }
  /** The time zone of a person who wants another than Slack's. */
  person_zone: { team_id: string; user_id: string; zone: string }
  /** Forms that were sent off. */
  submission: { view_id: string; claimed_at: Date; is_settled: boolean }
}

export type Db = Kysely<Tables>
