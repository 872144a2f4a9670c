import type { Generated } from 'kysely'

export type JobTable = {
  kind: string
  /** Adding a job with the kind and id of an existing job changes that job. */
  id: string
  /** Jobs with the same kind and key run one at a time, the oldest first. */
  key: string
  seq: Generated<string>
  /** The id of the job's owner. The job is deleted together with its owner. */
  owner: string | null
  data: unknown
  added_at: Date
  due_at: Date
  /** Until this time, later jobs with the same key wait for this job, even while it isn't due. */
  blocks_until: Date | null
  attempts: Generated<number>
  /** Set by the handler, for its next run. */
  problem: string | null
  /** How many runs in a row have failed with an error. */
  failures: Generated<number>
  /** Counts how often the job was added. */
  version: Generated<number>
  /** Identifies the run that has leased the job. An instance that doesn't renew its leases is assumed dead. */
  lease: string | null
  leased_until: Date | null
  /** The trace in which the job was added. */
  traceparent: string | null
}

export const createJobTable = (schema: string): string[] => [
  `create table ${schema}.job (
    kind text not null,
    id text not null,
    key text not null,
    seq bigint generated always as identity,
    owner text,
    data jsonb,
    added_at timestamptz not null,
    due_at timestamptz not null,
    blocks_until timestamptz,
    attempts integer not null default 0,
    problem text,
    version integer not null default 1,
    lease uuid,
    leased_until timestamptz,
    primary key (kind, id)
  )`,
  `create index on ${schema}.job (kind, due_at)`,
  `create index on ${schema}.job (kind, key, seq)`,
]

export const addTraceparentColumn = (schema: string): string =>
  `alter table ${schema}.job add column traceparent text`

export const addFailuresColumn = (schema: string): string =>
  `alter table ${schema}.job add column failures integer not null default 0`
