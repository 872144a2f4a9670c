import { WebClient } from '@slack/web-api'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import { openLocalSlack } from 'local-slack'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectBotDatabase } from '../../src/bot/database/connect.ts'
import { initialMigrations } from '../../src/bot/database/migrations/initial.ts'
import {
  claimCancellations,
  findLastRun,
  leaseRun,
  listRunsDue,
} from '../../src/bot/digests/digest-run-store.ts'
import { findDigest, listDigestsDue } from '../../src/bot/digests/digest-store.ts'
import { claimSubmission } from '../../src/bot/form/submission-store.ts'
import { claimNextNotifications, listUsersToNotify } from '../../src/bot/notifications/notification-store.ts'
import { findItem, leaseNextItem, listItems, listUsersDue } from '../../src/bot/outbox/outbox-store.ts'
import { findUserSettings } from '../../src/bot/people/user-settings-store.ts'
import { findChannelProject, listKnownRecords } from '../../src/bot/projects/projects-store.ts'
import type { Database } from '../../src/database/database.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'

let database: Database
beforeEach(async () => {
  database = await openTestDatabase(await createDatabase())
})
afterEach(() => database.close())

const NOW = new Date('2026-11-20T12:00:00Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const team_id = 'T1'
const channel_id = 'C1'
const project_id = 'P1'
const mara = { team_id, user_id: 'U1' }
const yuki = { team_id, user_id: 'U2' }

/** The tables as they were before 0009. */
async function migrateToInitialTables(): Promise<void> {
  const db = new Kysely({ dialect: new PostgresDialect({ pool: database.pool }) })
  const provider = { getMigrations: async () => initialMigrations }
  const { error } = await new Migrator({ db, provider, migrationTableSchema: 'upnext' }).migrateToLatest()
  if (error) throw error
}

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row)
  const parameters = columns.map((_, index) => `$${index + 1}`)
  await database.pool.query(
    `insert into upnext.${table} (${columns.join()}) values (${parameters.join()})`,
    Object.values(row),
  )
}

const oldItem = (number: number, user_id: string, state: string) => ({
  id: uuid(number),
  view_id: `V${number}`,
  team_id,
  user_id,
  channel_id,
  verb: 'schedule',
  project_id,
  project_name: 'Acme',
  entries: { Content: 'Launch day!' },
  body: { Content: 'Launch day!' },
  is_telling: true,
  state,
  accepted_at: NOW,
  due_at: NOW,
})

const recurrence = {
  days: { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] },
  clock: { hour: 9, minute: 0 },
  zone: 'UTC',
}

const oldDigest = (number: number, project: string) => ({
  id: uuid(number),
  team_id,
  channel_id,
  project_id: project,
  project_name: project,
  rhythm: recurrence,
  set_by: mara.user_id,
  set_at: NOW,
  next_at: at(10),
})

const oldRun = (number: number, digest: number, day: string, state: string) => ({
  id: uuid(number),
  digest_id: uuid(digest),
  day,
  due_at: at(10),
  state,
})

describe('the migration to plain names', () => {
  it('The migration to plain names keeps the projects, records, time zones, Home tabs and submissions', async () => {
    await migrateToInitialTables()
    await insert('channel_project', { team_id, channel_id, project_id, set_by: 'U1', set_at: NOW })
    await insert('person_project', { ...mara, project_id, used_at: NOW })
    await insert('person_zone', { ...mara, zone: 'Asia/Tokyo' })
    await insert('person_home', { ...mara, shown: 'hash' })
    await insert('person_zone', { ...yuki, zone: 'UTC' })
    const record = { team_id, project_id, kind: 'prompt', record_id: 'R1' }
    await insert('record_seen', { ...record, name: 'Puns', seen_at: NOW })
    const user = { ...record, kind: 'user', seen_at: NOW }
    await insert('record_seen', { ...user, record_id: 'U1', name: 'Ada King · ada@acme.example' })
    await insert('record_seen', { ...user, record_id: 'U2', name: 'grace@acme.example' })
    await insert('submission', { view_id: 'V1', claimed_at: NOW, is_settled: true })

    const db = await connectBotDatabase(database)

    expect(await findChannelProject(db, { team_id, channel_id })).toMatchObject({
      project_id,
      linked_by: 'U1',
    })
    expect(await findUserSettings(db, mara)).toMatchObject({
      project_id,
      zone: 'Asia/Tokyo',
      home_hash: 'hash',
    })
    expect(await findUserSettings(db, yuki)).toMatchObject({ project_id: null, zone: 'UTC', home_hash: null })
    expect(await listKnownRecords(db, { team_id, project_id, kind: 'prompt' })).toMatchObject([
      { value: 'R1', label: 'Puns' },
    ])
    const users = await listKnownRecords(db, { team_id, project_id, kind: 'user' })
    expect(users.toSorted((a, b) => a.value.localeCompare(b.value))).toEqual([
      { value: 'U1', label: 'Ada King · ada@acme.example' },
      { value: 'U2', label: 'grace@acme.example' },
    ])
    expect(await claimSubmission(db, 'V1', NOW)).toBe('settled')
  })

  it('The migration to plain names keeps the items of the outbox, their order and their failures', async () => {
    await migrateToInitialTables()
    await insert('outbox_item', { ...oldItem(1, 'U1', 'unclear'), called_at: NOW, tries: 1, is_asked: true })
    await insert('outbox_item', {
      ...oldItem(2, 'U1', 'waiting'),
      failure: { kind: 'too-many', retryAfterSeconds: 5 },
    })
    await insert('outbox_item', {
      ...oldItem(3, 'U2', 'unclear'),
      called_at: NOW,
      tries: 2,
      failure: { kind: 'unclear', why: 'deadline' },
    })
    const refusal = { kind: 'refused', status: 409, said: 'Taken' }
    await insert('outbox_item', { ...oldItem(4, 'U2', 'refused'), failure: refusal, ended_at: NOW })
    const outage = { kind: 'broken', status: 500, said: null }
    await insert('outbox_item', { ...oldItem(5, 'U2', 'given up'), failure: outage, ended_at: NOW })
    await insert('outbox_item', {
      ...oldItem(6, 'U2', 'settled'),
      record_id: 'R1',
      is_found: true,
      data: { Id: 'R1' },
      ended_at: NOW,
    })

    const db = await connectBotDatabase(database)

    const states = async (user: typeof mara) =>
      (await listItems(db, user, 10)).map(({ state, needs_answer }) => ({ state, needs_answer }))
    expect(await states(mara)).toEqual([
      { state: 'queued', needs_answer: false },
      { state: 'unconfirmed', needs_answer: true },
    ])
    expect((await states(yuki)).map(({ state }) => state)).toEqual([
      'expired',
      'refused',
      'unconfirmed',
      'sent',
    ])
    const find = (number: number, user = yuki) => findItem(db, { ...user, id: uuid(number) })
    expect(await find(2, mara)).toMatchObject({
      form: 'schedule',
      form_values: { Content: 'Launch day!' },
      body: { Content: 'Launch day!' },
      notify_channel: true,
      failure: { kind: 'rate-limited', retryAfterSeconds: 5 },
    })
    expect(await find(3)).toMatchObject({ attempts: 2, failure: { kind: 'unclear', cause: 'deadline' } })
    expect(await find(4)).toMatchObject({ failure: { kind: 'rejected', status: 409, message: 'Taken' } })
    expect(await find(5)).toMatchObject({ failure: { kind: 'server-error', status: 500 }, finished_at: NOW })
    expect(await find(6)).toMatchObject({ record_id: 'R1', found_by_lookup: true, record: { Id: 'R1' } })
    expect(await listUsersDue(db, NOW)).toHaveLength(2)
    expect(await leaseNextItem(db, mara, NOW)).toMatchObject({ id: uuid(2), state: 'queued' })
    expect(await leaseNextItem(db, yuki, NOW)).toMatchObject({ id: uuid(3), state: 'unconfirmed' })
  })

  it('The migration to plain names keeps notifications that are still to be delivered', async () => {
    await migrateToInitialTables()
    await insert('outbox_item', { ...oldItem(1, 'U1', 'refused'), is_untold: true, ended_at: at(-3) })
    await insert('digest_note', {
      channel_id,
      project_name: 'Acme & Co',
      set_by: 'U1',
      say: '<@U2> has paused it.',
      noted_at: at(-2),
      tell_at: NOW,
    })
    await insert('digest', {
      ...oldDigest(2, 'Acme'),
      paused_for: 'is_archived',
      is_untold: true,
      tell_at: at(-1),
    })

    const db = await connectBotDatabase(database)

    expect(await listUsersToNotify(db, NOW)).toEqual(['U1'])
    const claims = []
    for (let count = 0; count < 4; count++) claims.push(await claimNextNotifications(db, 'U1', NOW))
    expect(claims).toMatchObject([
      [{ item_id: uuid(1), message: null }],
      [{ item_id: null, digest_label: 'Acme &amp; Co in <#C1>', message: '<@U2> has paused it.' }],
      [
        {
          item_id: null,
          digest_label: 'Acme in <#C1>',
          message: expect.stringMatching(/^paused because .*digest resume/),
        },
      ],
      [],
    ])
  })

  it('The migration to plain names keeps digests with their settings and runs', async () => {
    await migrateToInitialTables()
    await insert('digest', {
      ...oldDigest(1, 'Acme'),
      includes: ['coming', 'wrong', 'picture'],
      if_empty: 'skip',
    })
    await insert('digest', { ...oldDigest(2, 'Northwind'), paused_for: 'asked' })
    await insert('digest_run', oldRun(11, 1, '2026-11-20', 'planned'))
    await insert('digest_run', {
      ...oldRun(12, 1, '2026-11-19', 'intended'),
      channel_id,
      post_at: at(10),
      intended_at: at(-5),
      again_at: at(-1),
    })
    await insert('digest_run', {
      ...oldRun(13, 1, '2026-11-18', 'handed over'),
      due_at: at(-2880),
      message_id: 'Q1',
      told_until: at(-2890),
    })
    await insert('digest_run', { ...oldRun(14, 1, '2026-11-17', 'unclear'), due_at: at(-4320) })
    await insert('digest_run', { ...oldRun(15, 1, '2026-11-16', 'skipped'), due_at: at(-5760) })
    await insert('digest_unwanted', {
      run_id: uuid(16),
      digest_id: uuid(1),
      day: '2026-11-15',
      channel_id,
      project_name: 'Acme',
      set_by: 'U1',
      message_id: 'Q2',
      intended_at: at(-5),
      post_at: at(10),
      again_at: NOW,
    })
    await insert('digest_content', { id: uuid(17), content: {}, kept_at: NOW })

    const db = await connectBotDatabase(database)

    const { days, clock, zone } = recurrence
    expect(await findDigest(db, { id: uuid(1) })).toMatchObject({
      recurrence: { days, clocks: [clock], zone },
      owner_id: 'U1',
      created_at: NOW,
      sections: ['upcoming', 'problems', 'chart'],
      when_empty: 'skip',
      paused_reason: null,
    })
    expect(await findDigest(db, { id: uuid(2) })).toMatchObject({
      sections: ['upcoming', 'published', 'drafts', 'problems', 'chart'],
      when_empty: 'post',
      paused_reason: 'user_request',
    })
    expect(await listDigestsDue(db, NOW, 15 * 60_000)).toMatchObject([{ id: uuid(1), last_at: at(10) }])
    expect(await listRunsDue(db, NOW)).toHaveLength(2)
    expect(await leaseRun(db, uuid(12), NOW)).toMatchObject({
      state: 'scheduling',
      requested_at: at(-5),
      retry_at: at(-1),
    })
    expect(await findLastRun(db, uuid(1))).toMatchObject({ due_at: at(10), covered_until: at(-2890) })
    const { rows } = await database.pool.query('select day, state from upnext.digest_run order by day')
    expect(rows.map(({ state }) => state)).toEqual([
      'skipped',
      'unconfirmed',
      'scheduled',
      'scheduling',
      'planned',
    ])
    expect(await claimCancellations(db, NOW)).toMatchObject([
      { run_id: uuid(16), owner_id: 'U1', message_id: 'Q2', requested_at: at(-5) },
    ])
    const contents = await database.pool.query('select from upnext.digest_content')
    expect(contents.rowCount).toBe(0)
  })
})

describe('the migration that adds the workspace of the database', () => {
  const findOwner = async () =>
    (await database.pool.query('select team_id from upnext.installation')).rows.map((row) => row.team_id)

  it('takes the workspace whose data the database has, beside that of the local Slack', async () => {
    const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime: systemRuntime })
    const { team_id: demo_team } = await new WebClient(slack.secrets.botToken, {
      slackApiUrl: slack.apiUrl,
    }).auth.test()
    await slack.close()
    await migrateToInitialTables()
    await insert('outbox_item', oldItem(1, 'U1', 'settled'))
    await insert('digest', oldDigest(2, 'Acme'))
    await insert('digest', { ...oldDigest(3, 'Acme'), team_id: demo_team })

    await connectBotDatabase(database)

    expect(await findOwner()).toEqual([team_id])
  })

  it('takes none if the database has the data of several workspaces', async () => {
    await migrateToInitialTables()
    await insert('outbox_item', oldItem(1, 'U1', 'settled'))
    await insert('digest', { ...oldDigest(2, 'Acme'), team_id: 'T2' })

    await connectBotDatabase(database)

    expect(await findOwner()).toEqual([])
  })
})
