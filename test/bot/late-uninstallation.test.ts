import { afterEach, expect, it, vi } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }
let upnext: Upnext
afterEach(() => upnext.close())

it('keeps the data if the event about an uninstallation is handled after the app was installed again', async () => {
  upnext = await openUpnext({ disableRateLimits: true, uninstallRetentionDays: 0 })
  const mara = upnext.person('mara')
  await mara.runAndHear('/upnext digest weekdays at 9am', 'Digests in')
  await upnext.settled()
  const count = async () => (await upnext.service.pool.query('select from upnext.digest')).rowCount
  expect(await count()).toBe(1)
  // The event is handled late: the database is slow, or Slack repeats it minutes later.
  const holder = await upnext.service.pool.connect()
  await holder.query('begin; lock table upnext.uninstallation in access exclusive mode')
  await mara.uninstallApp({})
  await vi.waitFor(async () => {
    const { rowCount } = await upnext.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like 'insert into "upnext"."uninstallation"%'`,
    )
    expect(rowCount).toBeGreaterThan(0)
  }, MAX_WAIT)
  await mara.installApp({})
  await holder.query('commit')
  holder.release()
  await upnext.settled()
  for (let i = 0; i < 3; i++) {
    upnext.wait({ minutes: 2 })
    await upnext.settled()
  }
  expect(await count()).toBe(1)
})
