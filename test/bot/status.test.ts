import { afterEach, expect, it, vi } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { openUpnext, type Respond, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

async function open(respond?: Respond) {
  const admins: string[] = []
  upnext = await openUpnext({ relaxTimeouts: true, admins, ...(respond && { respond }) })
  const mara = upnext.person('mara')
  admins.push(mara.userId)
  const shown = () => JSON.stringify(mara.lastMessage()?.blocks)
  const shows = async (words: RegExp) => {
    await mara.run('/upnext status')
    await vi.waitFor(() => expect(shown()).toMatch(words), { timeout: 60_000, interval: 20 })
  }
  return { mara, shows }
}

it('says which versions run, and that nothing is wrong', async () => {
  const { shows } = await open()
  await shows(
    new RegExp(
      `Upnext ${VERSION}.*, one instance.*${VERSION} .+:\\d+.*service is responding.*Nothing is late`,
      's',
    ),
  )
})

it('says what fails, what is late, and what waits for an answer', async () => {
  let isDown = false
  const { mara, shows } = await open(({ method }) =>
    isDown && method === 'POST'
      ? Response.json({ detail: 'Too many' }, { status: 429, headers: { 'retry-after': '60' } })
      : isDown
        ? Response.json({}, { status: 500 })
        : undefined,
  )
  await mara.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  isDown = true
  await mara.submitView({ view: id, values: {} })
  // A job whose data can't be read fails again and again.
  await upnext.service.pool.query(
    `insert into upnext.job (kind, id, key, data, added_at, due_at)
     values ('digest', 'faulty', 'faulty', '{}', '2026-11-20T11:00Z', '2026-11-20T11:00Z')`,
  )
  await upnext.settled()
  await upnext.service.pool.query(
    `insert into upnext.job (kind, id, key, added_at, due_at, lease, leased_until)
     values
       ('notification', 'first', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', gen_random_uuid(), '2027-01-01'),
       ('notification', 'late', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', null, null)`,
  )
  await shows(
    /:warning: The scheduling service.*\*Late\*.*Notifications: 1, the oldest 60 minutes late.*\*Failing and being retried\*.*Digests: 1, failed once.*not confirmed by the service.*1: The scheduling service is getting too many requests/s,
  )
})
