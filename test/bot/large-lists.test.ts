import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openBotTables } from '../../src/bot/connect-database.ts'
import { saveKnownRecord } from '../../src/bot/features/projects/projects-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeEach(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

const hoursAgo = (hours: number) => new Date(upnext.now().getTime() - hours * 3_600_000).toISOString()

const addPost = (content: string, at: string, status = 'SCHEDULED') =>
  upnext.service.pool.query(
    `insert into service.post (project_id, content, timezone, platforms, status, schedule_date)
      values ($1, $2, 'UTC', array['X'], $3, $4)`,
    [upnext.project, content, status, at],
  )

/** Published posts, one every `intervalMs`. */
const addPublished = (count: number, from: string, intervalMs: number) =>
  upnext.service.pool.query(
    `insert into service.post (project_id, content, timezone, platforms, status, schedule_date, published_at)
      select $1, 'Post ' || n || '.', 'UTC', array['X'], 'PUBLISHED', at, at
      from (select n, $2::timestamptz + (n - 1) * $3::bigint * interval '1 millisecond' as at
        from generate_series(1, $4::int) n) posts`,
    [upnext.project, from, intervalMs, count],
  )

const addLogEntries = (count: number) =>
  upnext.service.pool.query(
    `insert into service.log (project_id, level, action, message, actor, created_at)
      select $1, 'INFO', 'post.created', 'Scheduled a post ' || n || '.', 'ada@acme.example', $3::timestamptz
      from generate_series(1, $2::int) n`,
    [upnext.project, count, hoursAgo(24 * 30)],
  )

/** In a message or in a form. */
const seesLampLaunch = () =>
  vi.waitFor(() => expect(JSON.stringify([mara.lastText(), mara.state().views])).toMatch(/Lamp launch/), {
    timeout: 60_000,
  })

it('lists a failed post of three days ago although many posts were published since', async () => {
  await addPublished(30, hoursAgo(40), 3_600_000)
  await addPost('The failed one.', hoursAgo(72), 'FAILED')
  await mara.run('/upnext posts failed')
  await mara.hears(/The failed one|No posts|more posts/)
  expect(mara.lastText()).toContain('The failed one')
})

it('says that no post failed', async () => {
  await addPublished(30, hoursAgo(40), 3_600_000)
  await mara.run('/upnext posts failed')
  await mara.hears(/No posts|more posts/)
  expect(mara.lastText()).toContain('No posts in Acme')
})

it.each(['preview', 'share', 'find', 'posts', 'edit'])(
  'finds the next post of a large project: %s',
  async (verb) => {
    await addPublished(700, hoursAgo(24 * 80), 2 * 3_600_000)
    await addPost('Lamp launch.', hoursAgo(-24))
    await mara.run(`/upnext ${verb} lamp launch`)
    await seesLampLaunch()
  },
)

it.each(['preview tomorrow', 'share tomorrow', 'preview 21 november'])(
  'finds a post of a large project by its date: %s',
  async (command) => {
    await addPublished(700, hoursAgo(24 * 80), 2 * 3_600_000)
    await addPost('Lamp launch.', hoursAgo(-24))
    await mara.run(`/upnext ${command}`)
    await seesLampLaunch()
  },
)

it('lists the latest posts with some words in a large project', async () => {
  await addPublished(700, hoursAgo(24 * 70), 2 * 3_600_000)
  await addPost('Lamp launch old.', hoursAgo(24 * 75), 'PUBLISHED')
  await addPost('Lamp launch new.', hoursAgo(3), 'PUBLISHED')
  await mara.run('/upnext posts latest "lamp launch"')
  await mara.hears(/Lamp launch|more posts|No post/)
  expect(mara.lastText()).toContain('Lamp launch new.')
})

it('says how many log entries it has searched if there are more', async () => {
  await upnext.service.pool.query(
    `insert into service.log (project_id, level, action, message, actor, created_at)
      values ($1, 'INFO', 'webhook.deleted', 'Deleted the webhook to acme.example.', 'ada@acme.example', $2)`,
    [upnext.project, hoursAgo(24 * 31)],
  )
  await addLogEntries(600)
  await mara.run('/upnext logs webhook')
  await mara.hears('No log entries in Acme matching "webhook". Only the latest 500 entries were searched.')
})

it.each(['Asia/Calcutta', 'Europe/Kiev', 'Asia/Saigon'])(
  'sets a time zone of the menu on the Home tab: %s',
  async (zone) => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(mara.findOnHome('zone:choose').block_id).not.toBe(''), { timeout: 60_000 })
    const menu = mara.findOnHome('zone:choose')
    const response = await mara.loadOptions({ ...menu, query: zone })
    const options = 'options' in response ? response.options : []
    expect(options.map(({ value }) => value)).toContain(zone)
    await mara.dispatchAction({ ...menu, value: zone })
    await upnext.settled()
    await mara.run('/upnext zone')
    await mara.hears(/Your time zone is/)
    expect(mara.lastText()).not.toContain('Berlin')
  },
)

it('lists all people on a page', async () => {
  const db = openBotTables(upnext.service.database)
  await mara.run('/upnext zone Lisbon')
  await mara.hears('Lisbon')
  const { rows } = await upnext.service.pool.query('select team_id from upnext.user_settings')
  const { team_id } = rows[0]
  for (let number = 10; number < 30; number++)
    await saveKnownRecord(db, {
      team_id,
      project_id: upnext.project,
      kind: 'user',
      record_id: upnext.project.slice(0, 34) + number,
      name: `Maximiliane-Wilhelmine Featherstonehaugh-Cholmondeley ${number}`,
      email: `maximiliane.featherstonehaugh-cholmondeley${number}@acme-international.example`,
      last_seen_at: new Date(upnext.now().getTime() - number * 1000),
    })
  await mara.run('/upnext people')
  await mara.hears(/People in Acme|Nobody/)
  expect(mara.lastText()).toContain('Cholmondeley 29')
})

it('says that no post failed in a healthy project with two posts a day', async () => {
  await addPublished(40, hoursAgo(24 * 20), 12 * 3_600_000)
  await mara.run('/upnext posts failed')
  await mara.hears(/No posts|more posts/)
  expect(mara.lastText()).toContain('No posts in Acme')
})

it('offers the next posts for a preview, not the oldest', async () => {
  await addPublished(40, hoursAgo(24 * 20), 12 * 3_600_000)
  await addPost('Lamp launch.', hoursAgo(-24))
  await mara.run('/upnext preview')
  await mara.hears(/Which post/)
  expect(mara.lastText()).toContain('Lamp launch.')
})

const PLATFORMS = ['INSTAGRAM', 'FACEBOOK', 'LINKEDIN', 'X', 'YOUTUBE', 'TIKTOK', 'PINTEREST', 'REDDIT']

it('lists posts that have a text for each of many platforms', async () => {
  const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
  const Texts = Object.fromEntries(PLATFORMS.map((name) => [name, 'Lamps! '.repeat(40)]))
  for (let count = 1; count <= 40; count++) {
    const ScheduleDate = hoursAgo(-count)
    const json = {
      Content: 'Lamps! '.repeat(100),
      Platforms: PLATFORMS,
      Texts,
      ScheduleDate,
      Timezone: 'UTC',
    }
    await upnext.service.request('POST', `/api/v1/projects/${upnext.project}/posts`, { token, json })
  }
  await mara.run('/upnext posts')
  await mara.hears(/posts in Acme[\s\S]*Text on LinkedIn[\s\S]*And text for 5 more platforms\./)
  await mara.run('/upnext edit')
  await mara.hears(/Which post/)
})

it.each(['preview', 'share'])('finds an old post by its words: %s', async (verb) => {
  await addPost('Lamp launch.', hoursAgo(24 * 100), 'PUBLISHED')
  await mara.run(`/upnext ${verb} lamp launch`)
  await seesLampLaunch()
})

it('lists old failed posts, or says that it has not looked for them', async () => {
  await addPost('Failed long ago.', hoursAgo(24 * 100), 'FAILED')
  await mara.run('/upnext posts failed')
  await mara.hears(/Failed long ago/)
  await addPublished(600, hoursAgo(24 * 200), 3_600_000)
  await mara.run('/upnext posts failed')
  await mara.hears(/only those of the last 90 days were searched/)
})

it('says that the latest posts of a large project are not all', async () => {
  await addPublished(700, hoursAgo(24 * 200), 3_600_000)
  await addPublished(10, hoursAgo(40), 3_600_000)
  await mara.run('/upnext posts latest')
  await mara.hears(/Latest posts in Acme matching "latest" · 1–5 of 510\+/)
})
