import { afterEach, expect, it, vi } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
afterEach(() => upnext.close())

/** The tables of the bot that contain the text. The audit trail has a retention of its own. */
async function findTables(text: string): Promise<string[]> {
  const { pool } = upnext.service
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'upnext' and table_name <> 'audit_entry' order by 1`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rowCount } = await pool.query(`select from upnext.${name} t where strpos(t::text, $1) > 0`, [
        text,
      ])
      return rowCount ? [name] : []
    }),
  )
  return found.flat()
}

/** Publishing the Home tab comes last, and saves settings. */
const waitForHomeTab = () =>
  vi.waitFor(async () => {
    const { rows } = await upnext.service.pool.query('select home_hash from upnext.user_settings')
    expect(rows).toEqual([{ home_hash: expect.any(String) }])
  }, MAX_WAIT)

it('forgets a user after a year without use, and keeps the project of the channel', async () => {
  upnext = await openUpnext({ projects: ['Acme', 'Borealis'], disableRateLimits: true })
  const mara = upnext.person('mara')
  await mara.runAndHear('/upnext use Acme', `<@${mara.userId}> linked`)
  await mara.run('/schedule-post Hello! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  await mara.submitView({ view: id, values: {} })
  await mara.hears('Scheduled in Acme')
  await waitForHomeTab()
  upnext.wait({ minutes: 364 * 24 * 60 })
  await upnext.settled()
  expect(await findTables(mara.userId)).toEqual(['channel_project', 'outbox_item', 'user_settings'])
  upnext.wait({ minutes: 2 * 24 * 60 })
  await vi.waitFor(async () => expect(await findTables(mara.userId)).toEqual([]), MAX_WAIT)
  await mara.runAndHear('/upnext use', /\*Acme\* is linked to <#C\w+>\./)
})

it.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('keeps the settings of a user for as long as they use Upnext %s', async (_mode, overHttp) => {
  upnext = await openUpnext({ overHttp, disableRateLimits: true })
  const mara = upnext.person('mara')
  await mara.runAndHear('/upnext zone Lisbon', 'Europe/Lisbon')
  await waitForHomeTab()
  for (const _year of [1, 2]) {
    upnext.wait({ minutes: 364 * 24 * 60 })
    await upnext.settled()
    await mara.runAndHear('/upnext zone', 'Your time zone is *Europe/Lisbon*')
  }
})
