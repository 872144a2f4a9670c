import type { Generated, JSONColumnType, Kysely, Selectable } from 'kysely'

export type OutboxState = 'waiting' | 'unclear' | 'settled' | 'refused' | 'given up'

export type DigestRunState = 'planned' | 'intended' | 'handed over' | 'skipped' | 'unclear'

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
  /** What a person's Home shows, as a hash: it is published again only when that changes. */
  person_home: { team_id: string; user_id: string; shown: string }
  /** What makes something anew, from the moment it was sent off; `seq` is the order of one person. */
  outbox_item: {
    id: string
    seq: Generated<string>
    view_id: string
    team_id: string
    user_id: string
    channel_id: string | null
    /** Of the form. */
    verb: string
    project_id: string
    project_name: string
    /** What was typed, by field, and what the API is sent. Gone a month after it ended. */
    entries: JSONColumnType<object | null, string, string | null>
    body: JSONColumnType<object | null, string, string | null>
    /** Whether the channel is to be told. */
    is_telling: boolean
    /** Unclear: it may be there. */
    state: OutboxState
    /** Whether only the person can say how it went. */
    is_asked: Generated<boolean>
    accepted_at: Date
    called_at: Date | null
    due_at: Date | null
    leased_until: Date | null
    tries: Generated<number>
    /** What was made of it, and whether that was found by looking. */
    record_id: string | null
    is_found: Generated<boolean>
    failure: JSONColumnType<object | null, string | null, string | null> | null
    data: JSONColumnType<object | null, string | null, string | null> | null
    /** Whether something has come of it that the person has not been told. */
    is_untold: Generated<boolean>
    ended_at: Date | null
  }
  /** What a channel is told of a project, and when; paused where there is a reason. */
  digest: {
    id: string
    team_id: string
    channel_id: string
    project_id: string
    project_name: string
    rhythm: JSONColumnType<object, string, string>
    /** Which of its parts, and whether it comes where there is nothing to say. */
    includes: string[]
    if_empty: 'say' | 'skip'
    set_by: string
    set_at: Date
    paused_for: string | null
    next_at: Date
    /** Whether it has stopped, and whoever set it up does not know yet. */
    is_untold: Generated<boolean>
    tell_at: Date | null
  }
  /** A digest on one of its days; `intended` from before Slack is called until it is known how that went. */
  digest_run: {
    /** What Slack is given carries a mark of it. */
    id: string
    digest_id: string
    day: string
    /** Where Slack was given it. */
    channel_id: string | null
    due_at: Date
    state: DigestRunState
    post_at: Date | null
    message_id: string | null
    intended_at: Date | null
    leased_until: Date | null
    /** Not sooner; and, where Slack asked for a pause, none of the workspace's sooner either. */
    again_at: Date | null
    limited_until: Date | null
    /** How far what it told goes; and why it has not come yet, for whoever set it up. */
    told_until: Date | null
    problem: string | null
  }
  /** What Slack was given, or may have been, and is to give back. */
  digest_unwanted: {
    run_id: string
    digest_id: string
    day: string
    channel_id: string
    project_name: string
    set_by: string
    message_id: string | null
    intended_at: Date
    post_at: Date
    again_at: Date
  }
  /** What whoever set a digest up is to be told of it. */
  digest_note: {
    id: Generated<string>
    channel_id: string
    project_name: string
    set_by: string
    say: string
    noted_at: Date
    tell_at: Date
  }
  /** What a digest said, as long as it can be unfolded. */
  digest_content: { id: string; content: JSONColumnType<object, string, string>; kept_at: Date }
  /** Forms that were sent off. */
  submission: { view_id: string; claimed_at: Date; is_settled: boolean }
}

export type Db = Kysely<Tables>

/** Something that a person sent off, until it is known to be there or not wanted any more. */
export type OutboxItem = Selectable<Tables['outbox_item']>
