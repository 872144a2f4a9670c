import type { Generated, Selectable } from 'kysely'
import type { TableDefinitions } from '../../database/table-rules.ts'
import type { Tables, UserKey } from '../../database/tables.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    /** Images and videos that the bot serves, in chunks of 1 MB. */
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
    /** An upload of a file, with its own address. */
    media_upload: UserKey & {
      name: string
      file_id: string
      file_name: string
      alt_text: string | null
      uploaded_at: Date
      /** A smaller copy in Slack, if Slack can't reach the address. */
      slack_file_id: string | null
      /** When a search last found a post that needs this upload. */
      last_used_at: Date | null
    }
  }
}

export type MediaFileRow = Selectable<Tables['media_file']>
export type MediaUpload = Selectable<Tables['media_upload']>

/** An interrupted upload leaves a file behind, which is deleted after this time. No upload takes that long. */
const UNFINISHED_TTL_MS = 60 * 60_000
const HAS_NO_UPLOAD = 'not exists (select from upnext.media_upload where file_id = media_file.id)'

export const MEDIA_TABLES = {
  create: [
    `create table upnext.media_file (
      id uuid primary key default gen_random_uuid(),
      team_id text not null,
      content_type text not null,
      hash text,
      size integer not null default 0,
      width integer,
      height integer,
      seconds double precision,
      thumbnail bytea,
      created_at timestamptz not null,
      unique (team_id, hash)
    )`,
    `create table upnext.media_chunk (
      file_id uuid not null references upnext.media_file on delete cascade,
      position integer not null,
      bytes bytea not null,
      primary key (file_id, position)
    )`,
    // The content is compressed already.
    'alter table upnext.media_chunk alter column bytes set storage external',
    `create table upnext.media_upload (
      name text primary key,
      file_id uuid not null references upnext.media_file,
      team_id text not null,
      user_id text not null,
      file_name text not null,
      alt_text text,
      uploaded_at timestamptz not null,
      slack_file_id text,
      last_used_at timestamptz
    )`,
    'create index on upnext.media_upload (team_id, user_id, uploaded_at)',
    'create index on upnext.media_upload (file_id)',
  ],
  rules: {
    media_file: {
      lifetimes: [{ since: 'created_at', ms: UNFINISHED_TTL_MS, where: HAS_NO_UPLOAD }],
      onUninstallation: 'delete',
      person: 'nothing personal',
    },
    media_chunk: { onUninstallation: 'cascade', person: 'nothing personal' },
    media_upload: {
      encrypted: { file_name: 'text', alt_text: 'text' },
      onUninstallation: 'delete',
      person: { effect: 'blank' },
    },
  },
} satisfies TableDefinitions
