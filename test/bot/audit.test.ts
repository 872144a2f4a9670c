import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODULES } from '../../src/bot/features/index.ts'
import { listFeatures } from '../../src/bot/slack/feature.ts'
import { runProgram } from '../support/run-program.ts'
import { TEST_SECRET } from '../support/test-secret.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const features = listFeatures(MODULES)

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const ADMIN_REFUSAL = 'Only workspace owners and admins can do this. Ask one of them for help.'

let upnext: Upnext
let mara: Member
let yuki: Member
let noor: Member
beforeAll(async () => {
  upnext = await openUpnext({
    projects: ['Acme', 'Northwind'],
    relaxTimeouts: true,
    disableRateLimits: true,
  })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  noor = upnext.person('noor')
  await mara.runAndHear('/upnext use Acme', 'linked')
})
beforeEach(() => upnext.service.pool.query('truncate upnext.audit_entry'))
afterAll(() => upnext.close())

const changeUser = async (email: string, changes: { Role?: string; Status?: string }) => {
  await mara.run('/upnext user')
  const { id } = await mara.form('Change a user')
  const values = { ...(await mara.pick('record', email)).values }
  for (const [field, value] of Object.entries(changes))
    Object.assign(values, (await mara.pick(field, value)).values)
  await mara.submitAndHear({ view: id, values }, `Updated ${email}`)
}

const readEntries = async () => {
  const { rows } = await upnext.service.pool.query(
    'select user_id, action, outcome, target, request_id from upnext.audit_entry order by id',
  )
  return rows
}
const waitForEntries = (entries: object[]) =>
  vi.waitFor(async () => expect(await readEntries()).toMatchObject(entries), MAX_WAIT)

describe('the audit trail', () => {
  it('shows admins who was invited and whose role changed, with the old and the new role', async () => {
    await mara.invite('ada@acme.example', 'EDITOR')
    await changeUser('ada@acme.example', { Role: 'VIEWER' })
    await changeUser('ada@acme.example', { Status: 'INACTIVE' })
    await changeUser('ada@acme.example', { Role: 'ADMIN' })
    await mara.run('/upnext audit')
    const by = `<@${mara.userId}>`
    await mara.hears(
      new RegExp(
        `Audit trail[\\s\\S]*${by} \\*user\\* · done\\nrole: VIEWER → ADMIN[\\s\\S]*status: [\\s\\S]*${by} \\*user\\* · done\\nrole: EDITOR → VIEWER[\\s\\S]*${by} \\*invite\\* · done\\n[^\\n]*ada@acme\\.example`,
      ),
    )
  })

  it('shows the role that someone had in the same project', async () => {
    await mara.invite('mary@acme.example', 'EDITOR')
    await mara.runAndHear('/upnext use Northwind', 'linked')
    await mara.invite('mary@acme.example', 'VIEWER')
    await mara.runAndHear('/upnext use Acme', 'linked')
    await changeUser('mary@acme.example', { Role: 'ADMIN' })
    await mara.runAndHear('/upnext audit user', /\*user\* · done\nrole: EDITOR → ADMIN/)
  })

  it('shows other entries and accepts new ones if some cannot be read', async () => {
    await mara.invite('eve@acme.example', 'EDITOR')
    const details = ['enc:v1:868ad343619e:unreadable', 'plain text', '7', '{"after":5}', '{}']
    for (const detail of details)
      await upnext.service.pool.query(
        `insert into upnext.audit_entry (at, team_id, user_id, user_team_id, action, target, detail, outcome, request_id)
         select at, team_id, user_id, user_team_id, 'odd', target, $1, 'odd', 'r' from upnext.audit_entry
         where action = 'invite' limit 1`,
        [detail],
      )
    await mara.runAndHear('/upnext audit', /\*odd\* · odd[\s\S]*\*invite\* · done\n[^\n]*eve@acme\.example/)
    await changeUser('eve@acme.example', { Role: 'VIEWER' })
    await vi.waitFor(
      async () => expect((await readEntries()).at(-1)).toMatchObject({ action: 'user' }),
      MAX_WAIT,
    )
  })

  it('cannot be read by members, and records the attempt', async () => {
    await yuki.runAndHear('/upnext audit', ADMIN_REFUSAL)
    await waitForEntries([{ user_id: yuki.userId, action: 'audit', outcome: 'denied' }])
  })

  it('records a refused submission', async () => {
    await yuki.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await yuki.form('Schedule a post')
    upnext.slack.controls.updateUser({ user: 'yuki', role: 'guest' })
    await yuki.submitView({ view: id, values: {} })
    await waitForEntries([{ user_id: yuki.userId, action: 'schedule', outcome: 'denied' }])
    upnext.slack.controls.updateUser({ user: 'yuki', role: 'member' })
    await yuki.closeView({ view: id })
  })

  it("records a scheduled post with the same request id as the service's log", async () => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await waitForEntries([{ user_id: mara.userId, action: 'schedule', outcome: 'done' }])
    const [entry] = await readEntries()
    const { rows } = await upnext.service.pool.query('select action from service.log where request_id = $1', [
      entry.request_id,
    ])
    expect(rows).toEqual([{ action: 'post.created' }])
  })

  it('records digests, links and deletions', async () => {
    await mara.runAndHear('/upnext use Acme', 'linked')
    await mara.runAndHear('/upnext digest weekdays at 9am', 'Digests in')
    await mara.runAndHear('/upnext digest pause', 'paused')
    await mara.runAndHear('/upnext digest delete', 'Deleted')
    await mara.run('/upnext delete-webhook')
    await mara.hears("This can't be undone.")
    await mara.pressLast('delete-webhook:confirm')
    await mara.hears('has no webhook')
    await waitForEntries([
      { action: 'use', outcome: 'done', target: mara.channel },
      { action: 'digest', outcome: 'done' },
      { action: 'digest:pause', outcome: 'done' },
      { action: 'digest:delete', outcome: 'done' },
      { action: 'delete-webhook:confirm', outcome: 'refused', target: upnext.project },
    ])
    await mara.runAndHear(
      '/upnext audit digest',
      `*digest pause* · done\n<#${mara.channel}> · recurrence: Weekdays at 09:00`,
    )
    expect(mara.lastText()).toContain('sections: upcoming, published,')
  })

  it('lets an admin filter by person, action and date', async () => {
    await yuki.runAndHear('/upnext audit', ADMIN_REFUSAL)
    await mara.runAndHear('/upnext use Acme', 'linked')
    await mara.runAndHear('/upnext audit @yuki', /matching "@yuki"[\s\S]*\*audit\* · no permission/)
    expect(mara.lastText()).not.toContain('*use*')
    await mara.runAndHear('/upnext audit use today', /\*use\* · done\nproject: Acme/)
    expect(mara.lastText()).not.toContain('*audit*')
    await mara.runAndHear(
      '/upnext audit yesterday',
      /No entries in the audit trail on \w{3} \d+ \w{3}.* matching "yesterday"\./,
    )
    await mara.runAndHear('/upnext audit @nobody', /No match for .*@nobody.* among the last 50 people/)
    await mara.runAndHear(`/upnext audit @${yuki.userId.toLowerCase()}`, /\*audit\* · no permission/)
    await mara.runAndHear('/upnext audit about coffee', /"about coffee" wasn't understood\./)
  })

  it('lets an admin filter by outcome', async () => {
    await yuki.runAndHear('/upnext audit', ADMIN_REFUSAL)
    await mara.runAndHear('/upnext use Acme', 'linked')
    await mara.runAndHear('/upnext audit denied', /\*audit\* · no permission/)
    expect(mara.lastText()).not.toContain('*use*')
    await mara.runAndHear('/upnext audit done use today', /\*use\* · done/)
    expect(mara.lastText()).not.toContain('no permission')
    await mara.runAndHear('/upnext audit refused', /No entries in the audit trail matching "refused"\./)
  })

  it.each(features.map(({ verb }) => verb))('takes the verb %s as a filter', async (verb) => {
    await mara.runAndHear(`/upnext audit ${verb} last week`, /No entries in the audit trail from \w{3} \d+/)
    await mara.runAndHear(`/upnext audit last week ${verb}`, /No entries in the audit trail from \w{3} \d+/)
  })

  it("also shows who pressed a form's button without permission if an admin filters by that form", async () => {
    await yuki.runAndHear('/invite-user', ADMIN_REFUSAL)
    await waitForEntries([{ action: 'invite', outcome: 'denied' }])
    // As if the button on the Home tab had been pressed.
    await upnext.service.pool.query("update upnext.audit_entry set action = 'invite:open'")
    await mara.runAndHear('/upnext audit invite', /\*invite open\* · no permission/)
  })

  it('is exported as JSON lines, and the export changes nothing', async () => {
    const { pool } = upnext.service
    const readRetention = async () => (await pool.query('select * from upnext.audit_retention')).rows
    const retention = await readRetention()
    await mara.runAndHear('/upnext use Acme', 'linked')
    const program = runProgram('dist/bot/audit/command-line.js', ['export'], {
      DATABASE_URL: upnext.service.databaseUrl,
      SECRET_KEY: TEST_SECRET,
    })
    expect(await program.exitCode, program.errors()).toBe(0)
    expect(await readRetention()).toEqual(retention)
    const lines = program.output().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        user_id: mara.userId,
        action: 'use',
        outcome: 'done',
        target: mara.channel,
        detail: { after: { project: 'Acme' } },
      },
    ])
  })

  it('is not exported with a key that does not fit', async () => {
    await mara.runAndHear('/upnext use Acme', 'linked')
    const program = runProgram('dist/bot/audit/command-line.js', ['export'], {
      DATABASE_URL: upnext.service.databaseUrl,
      SECRET_KEY: 'another-secret-of-more-than-32-characters',
    })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toMatch(/A running instance doesn't have the/)
    expect(program.output()).toBe('')
  })

  it('deletes entries after their retention period', async () => {
    const { pool } = upnext.service
    await mara.runAndHear('/upnext use Acme', 'linked')
    await yuki.runAndHear('/upnext audit', ADMIN_REFUSAL)
    await waitForEntries([{ action: 'use' }, { action: 'audit' }])
    await pool.query('update upnext.audit_retention set days = 365')
    await pool.query(
      "update upnext.audit_entry set at = now() - make_interval(days => case action when 'use' then 366 else 364 end)",
    )
    upnext.wait({ minutes: 61 })
    await waitForEntries([{ action: 'audit' }])
    await vi.waitFor(async () => expect(await readEntries()).toHaveLength(1), MAX_WAIT)
  })
})

describe('the activity log', () => {
  it('names the Slack user who acted, not the owner of the token', async () => {
    await mara.invite('grace@acme.example', 'EDITOR')
    await mara.runAndHear('/upnext logs', new RegExp(`grace@acme\\.example[^\\n]* · <@${mara.userId}>`))
  })

  it('hides email addresses from guests', async () => {
    await mara.invite('edsger@acme.example', 'EDITOR')
    await noor.runAndHear('/upnext logs', '(email hidden)')
    expect(noor.lastText()).not.toMatch(/\w@\w/)
  })
})
