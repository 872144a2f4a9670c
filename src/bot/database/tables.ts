import type { ViewOutput } from '@slack/bolt'
import type { KnownBlock } from '@slack/types'
import type { Generated, GeneratedAlways, JSONColumnType, Kysely, Selectable, Updateable } from 'kysely'
import type { Post, PostBody } from '../../api/records.ts'
import type { ApiFailure, FieldError } from '../../api/result.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import type { FormValues, OpenedPost, SlackFile } from '../form/form-value.ts'

export type UserKey = { team_id: string; user_id: string }
export type ChannelKey = { team_id: string; channel_id: string }

export type OutboxState =
  /** Waits until its file is uploaded. */
  | 'uploading'
  /** Definitely not sent: waits for its turn, or for the next attempt. */
  | 'queued'
  /** May have arrived at the service. */
  | 'unconfirmed'
  | 'sent'
  | 'refused'
  /** Wasn't sent before the time at which the post should have gone out. */
  | 'missed'
  /** Couldn't be sent within a day. */
  | 'expired'

/** Why an item wasn't sent. */
export type ItemFailure =
  | ApiFailure
  /** The bot found the reason: its file can't be used, or someone else changed the post. */
  | { kind: 'unsendable'; details: FieldError[] }

export type DigestRunState =
  | 'planned'
  /** Set before Slack is called, until the result of the call is known. */
  | 'scheduling'
  | 'scheduled'
  | 'skipped'
  /** May have been posted. */
  | 'unconfirmed'

export type DigestSection = 'upcoming' | 'published' | 'drafts' | 'problems' | 'chart'

export type KnownRecordType = 'user' | 'prompt' | 'role' | 'status'
export type KnownRecordKey = { team_id: string; project_id: string; kind: KnownRecordType }

/** The content of a posted digest, stored so that its sections can be expanded and collapsed. */
export type DigestContent = {
  project_id: string
  title: string
  summary: string
  /** The next post, or a sentence saying that nothing is scheduled. */
  next: KnownBlock[]
  sections: DigestContentSection[]
  chart?: { file_id: string; alt_text: string } | undefined
  isLate?: boolean
  /** The channel is shared with another organization, whose members can't use the buttons. */
  isExtShared?: boolean
}

export type DigestContentSection = {
  name: Exclude<DigestSection, 'chart'>
  title: string
  /** Each line of the section, with the day under which it is listed. */
  items: { day?: string; line: string }[]
  /** Whether the service has more records than were loaded. */
  hasMore: boolean
}

export type ShownPost = Omit<Post, 'raw'>

export type AuditOutcome =
  | 'done'
  /** The service or Slack refused it. */
  | 'refused'
  /** The user lacked the permission. */
  | 'denied'
  /** Couldn't be sent within a day. */
  | 'expired'
  /** May have taken effect. */
  | 'unclear'

type FieldValues = Record<string, unknown>

export type Tables = {
  /** The project that a channel is linked to. */
  channel_project: ChannelKey & {
    project_id: string
    /** Null a year after the link. */
    linked_by: string | null
    linked_at: Date
  }
  /** What the bot stores about a user. */
  user_settings: UserKey & {
    /** The project that the user used last. */
    project_id: string | null
    /** A time zone that the user chose instead of the one in their Slack profile. */
    zone: string | null
    /** A hash of what the user's Home tab shows. The tab is only published again if the hash changes. */
    home_hash: string | null
    /** Saved again once a month if the user uses Upnext. A year later, the settings are deleted. */
    saved_at: Date
  }
  /** Users, prompts, roles and statuses that passed through the bot. The service has no lists of them. */
  known_record: KnownRecordKey & {
    record_id: string
    /** Null for a user of whom only the email address is known. */
    name: string | null
    email: string | null
    last_seen_at: Date
  }
  /** Forms that change a record, so that a double click has one effect. */
  submission: { view_id: string; claimed_at: Date; is_settled: boolean }
  /** Signed HTTP requests of the last minutes. */
  received_request: { signature: string; received_at: Date }
  /** Forms that create a record, stored before the first attempt to send them. */
  outbox_item: UserKey & {
    id: string
    /** The order in which the items of a user are sent. */
    seq: Generated<string>
    /** The workspace that the user belongs to. Null in items of earlier versions. */
    user_team_id: string | null
    view_id: string
    channel_id: string | null
    form: string
    project_id: string
    project_name: string
    /** What the user entered, and the request body made of it. Both are erased after a month. */
    form_values: FormValues | null
    body: Record<string, unknown> | null
    /** Whether the user chose to post the created record in the channel. */
    notify_channel: boolean
    state: OutboxState
    /** Only the user can say whether the record exists. */
    needs_answer: Generated<boolean>
    accepted_at: Date
    attempted_at: Date | null
    due_at: Date | null
    leased_until: Date | null
    attempts: Generated<number>
    /** When a lookup first didn't find the record. A service may list it later. */
    absent_since: Date | null
    /** The created record, and whether it was found by a lookup rather than in the response to the request. */
    record_id: string | null
    found_by_lookup: Generated<boolean>
    record: Record<string, unknown> | null
    failure: ItemFailure | null
    finished_at: Date | null
    /** The post was held before. Its author has been told already. */
    was_held: Generated<boolean>
    /** The file that goes with the post. Erased after a month, like the rest of the input. */
    slack_file: SlackFile | null
    /** The version of the post that the form changes. */
    opened_post: OpenedPost | null
    /** The direct message that shows how far the upload is, and then the outcome. */
    progress_channel: string | null
    progress_ts: string | null
    /** Markup: the warnings that the user confirmed, and what platforms may not like about the file. */
    warnings: string | null
  }
  /** Posts that wait here until shortly before they go out, because the service can't change them. */
  held_post: UserKey & {
    id: string
    view_id: string
    /** The workspace that the user belongs to. */
    user_team_id: string
    channel_id: string | null
    project_id: string
    project_name: string
    body: PostBody
    scheduled_at: Date
    hand_over_at: Date
    version: Generated<number>
    held_at: Date
  }
  /** What users entered in forms that they haven't submitted, at their last action there. */
  open_form: UserKey & {
    view_id: string
    form: string
    form_values: FormValues
    /** When Slack says that the action took place. */
    action_ts: string
    /** When the form was last updated while the user typed, and its version after that. */
    updated_at: Date | null
    view_hash: string | null
    saved_at: Date
    /** The form as it was submitted, while its user is asked to confirm it. */
    submitted_view: ViewOutput | null
  }
  /** Messages that show a post, and must be updated when it changes. */
  post_message: ChannelKey & {
    project_id: string
    post_id: string
    ts: string
    posted_by: string
    /** What the user wrote above the post. */
    comment: string | null
    posted_at: Date
    project_name: string
    /** The post as the message shows it. */
    post: ShownPost
    /** What happened to the post since then; unconfirmed before the result is known. */
    last_change: 'unconfirmed' | 'changed' | 'cancelled' | null
    changed_by: string | null
    /** When the message must be compared with the post. */
    due_at: Date | null
    /** A change whose result isn't known may take effect until then, so the message is compared once more. */
    uncertain_until: Date | null
    leased_until: Date | null
  }
  /** Pictures and videos that the bot serves, in chunks of 1 MB. */
  media_file: {
    id: Generated<string>
    team_id: string
    content_type: string
    /** Null until the whole file is stored. */
    hash: string | null
    size: Generated<number>
    width: number | null
    height: number | null
    /** The length of a video. */
    seconds: number | null
    /** A small JPEG of an image. */
    thumbnail: Buffer | null
    created_at: Date
  }
  media_chunk: { file_id: string; position: number; bytes: Buffer }
  /** An address of a file. */
  media_upload: UserKey & {
    name: string
    file_id: string
    file_name: string
    alt_text: string | null
    uploaded_at: Date
    /** A smaller copy in Slack, if Slack can't reach the address. */
    slack_file_id: string | null
    /** When a post that isn't out yet was last seen with this address. */
    last_used_at: Date | null
  }
  /** When the uploads of a workspace were last compared with its posts. */
  media_check: { team_id: string; checked_at: Date }
  /** Pictures in Slack, by a hash of what they show. */
  uploaded_picture: {
    team_id: string
    hash: string
    file_id: string
    /** From then on, Slack accepts messages with the picture. */
    ready_at: Date
  }
  /** Channels in which new posts are held unless their author decides otherwise. */
  holding_channel: ChannelKey
  /** Direct messages that still have to be delivered: the outcome of an outbox item, a change to a digest, or something an admin must know. */
  notification: UserKey & {
    id: Generated<string>
    item_id: string | null
    /** Set if the notification applies only while the digest is stopped. */
    digest_id: string | null
    /** The project and the channel, as markup. */
    digest_label: string | null
    message: string | null
    created_at: Date
    due_at: Date
  }
  digest: ChannelKey & {
    id: string
    project_id: string
    project_name: string
    recurrence: JSONColumnType<Recurrence, string, string>
    sections: DigestSection[]
    when_empty: 'post' | 'skip'
    owner_id: string
    created_at: Date
    paused_reason: string | null
    next_at: Date
  }
  /** A digest at one of its times. */
  digest_run: {
    /** The text of the scheduled message carries a part of the id, to find the message in Slack's list. */
    id: string
    digest_id: string
    /** With the time if the digest is posted several times a day. */
    day: string
    /** The channel that Slack was given. */
    channel_id: string | null
    due_at: Date
    state: DigestRunState
    post_at: Date | null
    message_id: string | null
    requested_at: Date | null
    leased_until: Date | null
    retry_at: Date | null
    /** Slack asked for a pause: no run of this workspace starts before. */
    rate_limited_until: Date | null
    /** Posts published up to this time are in this digest; later ones belong to the next. */
    covered_until: Date | null
    /** Why the digest is late. The owner is told if it is skipped in the end. */
    problem: string | null
  }
  /** Scheduled messages that Slack has, or may have, and that must be deleted there. */
  digest_cancellation: {
    run_id: string
    digest_id: string
    day: string
    team_id: string
    channel_id: string
    project_name: string
    owner_id: string
    message_id: string | null
    requested_at: Date
    post_at: Date
    retry_at: Date
  }
  /** Who did what. Entries are only added and, after their retention, deleted. Erasing a person blanks them. */
  audit_entry: UserKey & {
    id: GeneratedAlways<string>
    at: Date
    /** The workspace that the user belongs to. */
    user_team_id: string
    /** The verb of a form or command, or the id of a button. */
    action: string
    project_id: string | null
    /** The id of what was changed. */
    target: string | null
    detail: { before?: FieldValues; after: FieldValues } | null
    outcome: AuditOutcome
    /** The service's log has it, too. */
    request_id: string
  }
  /** The workspace to which the database belongs. */
  installation: { only_row: Generated<true>; team_id: string }
  /** Workspaces that removed the app, until their data is deleted. */
  uninstallation: {
    team_id: string
    uninstalled_at: GeneratedAlways<Date>
    /** Slack said that the app isn't installed, or `UNINSTALL_RETENTION_DAYS` is 0. */
    is_confirmed: Generated<boolean>
  }
  service_extension: { service_url: string; can_change_posts: boolean }
  digest_content: {
    id: string
    /** Null for what was stored before workspaces were. */
    team_id: string | null
    content: DigestContent
    created_at: Date
  }
}

export type Db = Kysely<Tables>

export type UserSettings = Selectable<Tables['user_settings']>
export type HeldPost = Selectable<Tables['held_post']>
export type PostMessage = Selectable<Tables['post_message']>
export type MediaFile = Selectable<Tables['media_file']>
export type MediaUpload = Selectable<Tables['media_upload']>
export type OutboxItem = Selectable<Tables['outbox_item']>
export type Notification = Selectable<Tables['notification']>
export type Digest = Selectable<Tables['digest']>
export type DigestRun = Selectable<Tables['digest_run']>
export type DigestRunUpdate = Updateable<Tables['digest_run']>
export type AuditEntry = Selectable<Tables['audit_entry']>
export type DigestCancellation = Selectable<Tables['digest_cancellation']>
