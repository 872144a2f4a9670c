import { afterEach, describe, expect, it, vi } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
afterEach(() => upnext.close())

/** The tables of the bot that hold rows of the workspace. */
async function listFilledTables(): Promise<string[]> {
  const { pool } = upnext.service
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.columns
     where table_schema = 'upnext' and column_name = 'team_id' and table_name <> 'uninstallation' order by 1`,
  )
  const filled = await Promise.all(
    tables.map(async ({ name }) => ((await pool.query(`select from upnext.${name}`)).rowCount ? [name] : [])),
  )
  return filled.flat()
}

/** Leaves a row in most tables of the bot. */
async function useUpnext(settings: Parameters<typeof openUpnext>[0] = {}) {
  upnext = await openUpnext({ disableRateLimits: true, ...settings })
  const mara = upnext.person('mara')
  await mara.runAndHear('/upnext use Acme', 'linked')
  await mara.runAndHear('/upnext digest weekdays at 9am', 'Digests in')
  await mara.invite('ada@acme.example', 'EDITOR')
  await vi.waitFor(
    async () => expect(await listFilledTables()).toEqual([...USED_TABLES, 'open_form'].sort()),
    MAX_WAIT,
  )
  return mara
}
const USED_TABLES = [
  'audit_entry',
  'channel_project',
  'digest',
  'installation',
  'known_record',
  'outbox_item',
  'user_settings',
]

const listUninstallations = async () => {
  const { rows } = await upnext.service.pool.query('select team_id from upnext.uninstallation')
  return rows
}
const ONE_WORKSPACE = [{ team_id: expect.any(String) }]
const waitForUninstallations = (workspaces: object[]) =>
  vi.waitFor(async () => expect(await listUninstallations()).toEqual(workspaces), MAX_WAIT)

/** As if 30 days had passed since the uninstallation. */
const makeDeletionDue = () =>
  upnext.service.pool.query("update upnext.uninstallation set uninstalled_at = now() - interval '30 days'")

describe("the workspace's data after uninstallation", () => {
  it('is deleted after 30 days', async () => {
    const mara = await useUpnext()
    await mara.uninstallApp({})
    await waitForUninstallations(ONE_WORKSPACE)
    upnext.wait({ minutes: 61 })
    await upnext.settled()
    expect(await listFilledTables()).toEqual(expect.arrayContaining(USED_TABLES))
    await makeDeletionDue()
    upnext.wait({ minutes: 61 })
    await vi.waitFor(async () => expect(await listFilledTables()).toEqual([]), MAX_WAIT)
    await waitForUninstallations([])
  })

  it('is deleted immediately if the settings say so', async () => {
    const mara = await useUpnext({ uninstallRetentionDays: 0 })
    await mara.uninstallApp({})
    await vi.waitFor(async () => expect(await listFilledTables()).toEqual([]), MAX_WAIT)
  })

  it.each([
    ['was installed again', false],
    ['was installed again just before the deletion', true],
  ])('is kept if the app %s, and its digests go on', async (_when, isDeletionDue) => {
    const mara = await useUpnext()
    await mara.uninstallApp({})
    await waitForUninstallations(ONE_WORKSPACE)
    // Slack sends two events.
    await upnext.settled()
    await mara.installApp({})
    if (isDeletionDue) await makeDeletionDue()
    await vi.waitFor(async () => {
      // The second event may arrive after the check, and the next check comes a minute later.
      upnext.wait({ minutes: 2 })
      expect(await listUninstallations()).toEqual([])
      const { rows } = await upnext.service.pool.query('select paused_reason from upnext.digest')
      expect(rows).toEqual([{ paused_reason: null }])
    }, MAX_WAIT)
    expect(await listFilledTables()).toEqual(expect.arrayContaining(USED_TABLES))
  })

  it("is kept while Slack doesn't say whether the app is installed", async () => {
    const mara = await useUpnext()
    await mara.uninstallApp({})
    await waitForUninstallations(ONE_WORKSPACE)
    await makeDeletionDue()
    upnext.slack.controls.injectFault({ method: 'auth.test', error: 'internal_error', times: 100 })
    upnext.wait({ minutes: 61 })
    await upnext.settled()
    expect(await listFilledTables()).toEqual(expect.arrayContaining(USED_TABLES))
  })

  it('is deleted even if the app now serves another workspace', async () => {
    await useUpnext()
    const { pool } = upnext.service
    await pool.query(
      `insert into upnext.user_settings (team_id, user_id, zone, saved_at) values ('T0OLD', 'U0OLD', 'UTC', now())`,
    )
    await pool.query(`insert into upnext.uninstallation (team_id) values ('T0OLD')`)
    await makeDeletionDue()
    upnext.wait({ minutes: 61 })
    await waitForUninstallations([])
    const { rows } = await pool.query('select distinct team_id from upnext.user_settings')
    expect(rows).toEqual([{ team_id: expect.not.stringMatching('T0OLD') }])
  })
})
