import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEncryption } from '../src/database/encryption.ts'
import { erasePerson } from '../src/personal-data/erase-person.ts'
import { exportPerson } from '../src/personal-data/export-person.ts'
import { openPersonalData } from '../src/personal-data/open-personal-data.ts'
import { systemRuntime } from '../src/runtime.ts'
import { parseCommand, runCommand } from '../src/service/commands/run-command.ts'
import { type Member, openUpnext, type Upnext, withoutExtensions } from './bot/workspace.ts'
import { createDatabase } from './support/database.ts'
import { runProgram } from './support/run-program.ts'
import { fetchUnreachable } from './support/servers.ts'
import { NO_PUBLISHERS } from './support/service.ts'
import { TEST_SECRET } from './support/test-secret.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
let simulate: typeof fetch | undefined
beforeEach(async () => {
  simulate = undefined
  upnext = await openUpnext({
    projects: ['Acme', 'Borealis'],
    disableRateLimits: true,
    api: { fetch: (input, init) => (simulate ?? systemRuntime.fetch)(input, init) },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

/** The tables of all schemas in which a row contains the text, decrypted and regardless of case. */
async function findTables(text: string): Promise<string[]> {
  const { pool } = upnext.service
  const { decrypt } = createEncryption([TEST_SECRET], randomBytes)
  const { rows: tables } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('upnext', 'service') and table_type = 'BASE TABLE' order by 1`,
  )
  const found = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text as row from ${name} t`)
    const texts = rows.map(({ row }) => row.replace(/enc:v1:[\w:-]+/g, decrypt).toLowerCase())
    if (texts.some((row) => row.includes(text.toLowerCase()))) found.push(name)
  }
  return found
}

const runOperatorCommand = (...args: string[]) => {
  const { db } = upnext.service
  const context = {
    db,
    now: upnext.now(),
    runtime: systemRuntime,
    allowPrivateWebhooks: false,
    publishing: NO_PUBLISHERS,
  }
  return runCommand(parseCommand(args), context)
}

type Form = { view: string; values: Record<string, Record<string, string>> }

async function fillInvitation(values: Record<string, string>): Promise<Form> {
  await mara.run('/invite-user')
  const { id: view } = await mara.form('Invite someone')
  const role = (await mara.pick('Role', 'EDITOR')).values
  return { view, values: { ...mara.fill(values), ...role } as Form['values'] }
}

const WILHELMINA = {
  FirstName: 'Wilhelmina',
  LastName: 'Brandt',
  Email: 'Wilhelmina@Acme.example',
  PhoneNumber: '+49 30 5550199',
}

async function changeRole(label: string) {
  await mara.run('/upnext user')
  const { id: view } = await mara.form('Change a user')
  const values = {
    ...(await mara.pick('record', label)).values,
    ...(await mara.pick('Role', 'VIEWER')).values,
  }
  await mara.submitAndHear({ view, values }, 'Updated')
}

type ProjectMenu = { element: { action_id: string; options: { value: string; text: { text: string } }[] } }

/** The bot then stores what has been entered in the form. */
async function chooseProject(name: string, { view, values }: Form) {
  const { blocks = [] } = mara.state().views.find(({ id }) => id === view) ?? {}
  const menu = blocks.find(({ block_id }) => block_id === 'project') as unknown as ProjectMenu
  const { action_id, options } = menu.element
  const value = options.find(({ text }) => text.text === name)?.value ?? ''
  await mara.dispatchAction({ container: { view }, block_id: 'project', action_id, value, values })
}

/** Leaves what an invitation leaves: in the outbox, the audit trail, menus, an open form and the service. */
async function inviteWilhelmina() {
  await mara.runAndHear('/upnext use Acme', 'linked')
  await mara.submitAndHear(await fillInvitation(WILHELMINA), `Invited ${WILHELMINA.Email}`)
  await changeRole('Wilhelmina')
  // The service rejects a second invitation.
  const rejected = await fillInvitation(WILHELMINA)
  await mara.submitView(rejected)
  await mara.closeView({ view: rejected.view })
  // Another one can't be sent for a day.
  simulate = fetchUnreachable
  const unsent = await fillInvitation(WILHELMINA)
  await mara.submitView(unsent)
  await mara.closeView({ view: unsent.view })
  upnext.wait({ minutes: 25 * 60 })
  await mara.hears('tried to send it for a day')
  simulate = undefined
  const { Email } = WILHELMINA
  await runOperatorCommand('user', 'add', Email, '--project', 'Borealis', '--role', 'ADMIN')
  const created = await runOperatorCommand('token', 'add', Email, '--label', "Wilhelmina's laptop")
  const token = created.split('\n').at(-1) ?? ''
  const staged = '/extensions/v1/staged-file?name=Wilhelmina.txt'
  expect((await upnext.service.request('PUT', staged, { token, body: 'x' })).status).toBe(200)
  const openForm = await fillInvitation(WILHELMINA)
  await chooseProject('Borealis', openForm)
  await vi.waitFor(async () => expect(await findTables('Wilhelmina')).toEqual(PLACES), MAX_WAIT)
  return openForm
}
const ADDRESS = 'wilhelmina@acme.example'
const PLACES = [
  'service.idempotency_key',
  'service.log',
  'service.person',
  'service.project_user',
  'service.staged_file',
  'service.token',
  'upnext.audit_entry',
  'upnext.known_record',
  'upnext.open_form',
  'upnext.outbox_item',
]

const runProgramWith = async (args: string[], env: Record<string, string> = {}) => {
  const program = runProgram('dist/personal-data/command-line.js', args, {
    DATABASE_URL: upnext.service.databaseUrl,
    SECRET_KEY: TEST_SECRET,
    ...env,
  })
  const exitCode = await program.exitCode
  return { exitCode, output: program.output(), errors: program.errors() }
}

type Options = { confirm?: () => Promise<boolean>; sleep?: () => Promise<void> }

/** Runs the command in this process, without its pause. Returns what it prints. */
async function erase(names: string[], { confirm = async () => true, sleep = async () => {} }: Options = {}) {
  const lines: string[] = []
  const data = await openPersonalData(upnext.service.database, names)
  const print = (line: string) => void lines.push(line)
  await erasePerson(data, { runtime: { ...systemRuntime, sleep }, print, confirm })
  return lines.join('\n')
}

async function exportRows(...names: string[]) {
  const lines: string[] = []
  const data = await openPersonalData(upnext.service.database, names)
  await exportPerson(data, { print: (line) => void lines.push(line), note: () => {} })
  return lines.map((line) => JSON.parse(line))
}

it('erases an invited person from all tables while Upnext runs, and no longer offers them anywhere', async () => {
  const openForm = await inviteWilhelmina()
  const { rows } = await upnext.service.pool.query('select id from service.person where lower(email) = $1', [
    ADDRESS,
  ])
  expect(await runProgramWith(['erase', ADDRESS, '--yes'])).toMatchObject({
    exitCode: 0,
    errors: '',
    output: expect.stringMatching(/blank: 2 in upnext\.outbox_item\n(.*\n)*Erased\./),
  })
  for (const text of ['Wilhelmina', 'Brandt', '5550199', ADDRESS, rows[0].id])
    expect(await findTables(text), text).toEqual([])
  for (const command of ['export', 'erase'])
    expect(await runProgramWith([command, ADDRESS, '--yes'])).toMatchObject({
      exitCode: 0,
      [command === 'export' ? 'errors' : 'output']: `Nothing is stored about ${ADDRESS}.\n`,
    })

  await chooseProject('Acme', openForm)
  await upnext.settled()
  expect(await findTables(ADDRESS)).toEqual([])
  await mara.run('/upnext user')
  await mara.form('Change a user')
  await expect(mara.pick('record', ADDRESS)).rejects.toThrow('"options":[]')
  await mara.run('/invite-user')
  expect(JSON.stringify(await mara.form('Invite someone'))).not.toContain('Continue where you left off')
  await mara.runAndHear('/upnext outbox', 'no longer stored')
  await mara.runAndHear('/upnext audit', /operator \*erase\* · done[\s\S]*email: \(erased\) · role: EDITOR/)
  await mara.runAndHear('/upnext logs', '(erased)')
  await mara.invite('grace@acme.example', 'EDITOR')
})

it('exports each row about a person with its table and time, and tokens without their hashes', async () => {
  await inviteWilhelmina()
  const { exitCode, output } = await runProgramWith(['export', ADDRESS.toUpperCase()])
  expect(exitCode).toBe(0)
  const rows = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([...new Set(rows.map(({ table }) => table))].sort()).toEqual(PLACES)
  const rowsIn = (name: string) => rows.filter(({ table }) => table === name)
  expect(rowsIn('service.token')).toEqual([
    {
      table: 'service.token',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      values: expect.objectContaining({ label: "Wilhelmina's laptop", revoked_at: null }),
    },
  ])
  expect(output).not.toContain('"hash"')
  expect(rowsIn('upnext.outbox_item')[0]).toMatchObject({
    since: expect.stringMatching(/^2026-11-20T/),
    values: { body: WILHELMINA, user_id: mara.userId },
  })
})

it('leaves posts that mention a person, and people with similar addresses, as they are', async () => {
  await mara.runAndHear('/upnext use Acme', 'linked')
  for (const email of ['ada@acme.example', 'nada@acme.example', 'ada@acme.example.org', 'b.ada@acme.example'])
    await mara.invite(email, 'EDITOR')
  await mara.run('/schedule-post "Write to Ada@acme.example" tomorrow 9am on X')
  const { id: view } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view, values: {} }, 'Scheduled in Acme')
  const printed = await erase(['ada@acme.example'])
  expect(printed).toContain('keep: 1 in service.post')
  expect(await findTables('ada@acme.example')).toContain('service.post')
  expect((await exportRows('ada@acme.example')).map(({ table }) => table)).toEqual(['service.post'])
  for (const email of ['nada@acme.example', 'ada@acme.example.org', 'b.ada@acme.example'])
    expect(await findTables(email)).toEqual([
      'service.idempotency_key',
      'service.log',
      'service.person',
      'upnext.audit_entry',
      'upnext.known_record',
      'upnext.outbox_item',
    ])
})

it('finds a name whose address is no longer stored, because the service still knows the address', async () => {
  await mara.runAndHear('/upnext use Acme', 'linked')
  await mara.submitAndHear(await fillInvitation(WILHELMINA), 'Invited')
  upnext.wait({ minutes: 31 * 24 * 60 })
  await upnext.settled()
  await upnext.service.pool.query('delete from upnext.audit_entry')
  expect(await findTables('Wilhelmina')).toContain('upnext.known_record')
  await erase([ADDRESS])
  expect(await findTables('Wilhelmina')).toEqual([])
})

it("erases a Slack user's id, and continues the digests and posts that they set up", async () => {
  const yuki = upnext.person('yuki')
  await yuki.runAndHear('/upnext use Acme', 'linked')
  await yuki.runAndHear('/upnext zone Lisbon', 'Europe/Lisbon')
  await yuki.runAndHear('/upnext digest weekdays at 9am', 'Digests in')
  await yuki.run('/schedule-post Hello! tomorrow 9am on X')
  const { id: view } = await yuki.form('Schedule a post')
  await yuki.submitAndHear({ view, values: yuki.fill({ notify: ['yes'] }) }, 'Posted in')
  await vi.waitFor(
    async () =>
      expect(await findTables(yuki.userId)).toEqual([
        'upnext.audit_entry',
        'upnext.channel_project',
        'upnext.digest',
        'upnext.open_form',
        'upnext.outbox_item',
        'upnext.post_message',
        'upnext.user_settings',
      ]),
    MAX_WAIT,
  )
  await upnext.settled()
  await erase([yuki.userId])
  expect(await findTables(yuki.userId)).toEqual([])
  await mara.runAndHear('/upnext use', /\*Acme\* is linked to/)
  await mara.runAndHear('/upnext digest list', /set up by \(erased\): Weekdays at 09:00/)
  await mara.runAndHear('/upnext audit schedule', '(erased) *schedule* · done')
  await mara.runAndHear('/upnext digest pause', 'paused')
  await mara.runAndHear('/upnext cancel hello', 'Cancel this post?')
  await mara.pressLast('cancel:confirm')
  const inChannel = () => JSON.stringify(mara.state().messages[mara.channel])
  await vi.waitFor(() => expect(inChannel()).toMatch(/By \(erased\) · cancelled by <@U/), MAX_WAIT)
  await upnext.settled()
  // Nobody is told, and Slack isn't asked to send a message to an erased user.
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await vi.waitFor(async () => {
    // The check after the post's time names only the project.
    const query = "select kind, due_at from upnext.job where kind <> 'project check'"
    const { rows } = await upnext.service.pool.query(query)
    expect(rows).toEqual([])
  }, MAX_WAIT)
})

it('refuses while Upnext holds a post of the Slack user', async () => {
  await upnext.close()
  upnext = await openUpnext({ disableRateLimits: true, respond: withoutExtensions })
  const yuki = upnext.person('yuki')
  await yuki.run('/schedule-post Hello! tomorrow 9am on X')
  const { id: view } = await yuki.form('Schedule a post')
  await yuki.submitAndHear({ view, values: yuki.fill({ Status: 'HELD' }) }, 'Held in Upnext for Acme')
  await expect(erase([yuki.userId])).rejects.toThrow(
    /^Upnext holds a post by U\w+ in Acme until 2026-11-20T23:45:00\.000Z\. Cancel it with .*\nNothing was erased\.$/,
  )
  await yuki.runAndHear('/upnext cancel hello', 'Cancel this post?')
  await yuki.pressLast('cancel:confirm')
  await yuki.hears('Cancelled')
  await upnext.settled()
  await erase([yuki.userId])
  expect(await findTables(yuki.userId)).toEqual([])
})

it('refuses while an invitation is on its way, and erases the person afterwards', async () => {
  await mara.runAndHear('/upnext use Acme', 'linked')
  simulate = fetchUnreachable
  const { view, values } = await fillInvitation(WILHELMINA)
  await mara.submitView({ view, values })
  const before = await findTables('Wilhelmina')
  await expect(erase([ADDRESS])).rejects.toThrow(
    /^"invite" in Acme, submitted by U\w+ at 2026-11-20T[\d:.]+Z, is on its way\. Wait until.*\nNothing was erased\.$/,
  )
  expect(await findTables('Wilhelmina')).toEqual(before)
  simulate = undefined
  upnext.wait({ minutes: 1 })
  await mara.hears('Invited')
  await upnext.settled()
  await erase([ADDRESS])
  expect(await findTables('Wilhelmina')).toEqual([])
})

it('erases a result that could not be sent to Slack yet', async () => {
  await mara.runAndHear('/upnext use Acme', 'linked')
  simulate = fetchUnreachable
  const { view, values } = await fillInvitation(WILHELMINA)
  await mara.submitView({ view, values })
  simulate = undefined
  upnext.slack.controls.injectFault({ method: 'chat.postEphemeral', error: 'internal_error', times: 1000 })
  upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'internal_error', times: 1000 })
  upnext.wait({ minutes: 1 })
  const listNotifications = async () => (await upnext.service.pool.query('select from upnext.job')).rows
  await vi.waitFor(async () => expect(await listNotifications()).toHaveLength(1), MAX_WAIT)
  await upnext.settled()
  await erase([ADDRESS])
  upnext.slack.controls.clearFaults()
  upnext.wait({ minutes: 5 })
  await upnext.settled()
  expect(await findTables(ADDRESS)).toEqual([])
  expect(await listNotifications()).toEqual([])
})

it('refuses if an item that could be erased is sent again before the confirmation', async () => {
  await inviteWilhelmina()
  const before = await findTables('Wilhelmina')
  simulate = fetchUnreachable
  const confirm = async () => {
    await mara.runAndHear('/upnext outbox', 'tried to send it for a day')
    await mara.pressLast('outbox:retry')
    await mara.hears('Sending it now.')
    return true
  }
  await expect(erase([ADDRESS], { confirm })).rejects.toThrow('is on its way')
  expect(await findTables('Wilhelmina')).toEqual(before)
})

it('lists data that was stored while the command ran', async () => {
  await inviteWilhelmina()
  const sleep = () => mara.invite(ADDRESS, 'EDITOR')
  await expect(erase([ADDRESS], { sleep })).rejects.toThrow(
    /^Erased, but more data was stored while the command ran\. Run the command again to erase:\n(.*\n)* {2}blank: 1 in upnext\.outbox_item/,
  )
  await erase([ADDRESS])
  expect(await findTables(ADDRESS)).toEqual([])
})

/** Some people's settings of npm answer its own questions. */
const NPM_SAYS_YES = { npm_config_yes: 'true', npm_lifecycle_event: 'personal-data' }

it('erases nothing without a confirmation', async () => {
  await inviteWilhelmina()
  const before = await findTables('Wilhelmina')
  const confirm = async () => false
  expect(await erase([ADDRESS], { confirm })).toMatch(
    /^Stored about .*service\.person.*Nothing was erased\.$/s,
  )
  const { exitCode, output, errors } = await runProgramWith(['erase', ADDRESS], NPM_SAYS_YES)
  expect(output).toMatch(/^Stored about .*Erase this\? It can't be undone\. \[y\/N\] $/s)
  expect(errors).toContain(
    'Nothing was erased, because there was no answer. To skip the question, add --yes.',
  )
  expect(exitCode).toBe(1)
  expect(await findTables('Wilhelmina')).toEqual(before)
})

it('refuses to erase the last admin of a project', async () => {
  const { email } = await upnext.service.addMember(await upnext.service.addProject('Solo'), 'ADMIN')
  await expect(erase([email])).rejects.toThrow(
    /This person is the last admin of the project .*Nothing was erased\./s,
  )
  expect(await findTables(email)).toEqual(['service.person'])
})

it('says that a separate service needs its own erasure', async () => {
  await mara.runAndHear('/upnext use Acme', 'linked')
  await mara.invite('ada@acme.example', 'EDITOR')
  const env = { API_BASE_URL: 'http://127.0.0.1:1' }
  const { errors } = await runProgramWith(['erase', 'ada@acme.example', '--yes'], env)
  expect(errors).toContain(
    'The service at http://127.0.0.1:1 stores its data separately. Erase the user there first.',
  )
  expect(await findTables('ada@acme.example')).toEqual([])
})

it('says that a database is still empty', async () => {
  const { errors } = await runProgramWith(['export', ADDRESS], { DATABASE_URL: await createDatabase() })
  expect(errors).toBe('This database has no Upnext tables yet. Start Upnext first.\n')
})

it.each([
  [[], 'Usage: npm run'],
  [['forget', 'ada@acme.example'], 'Usage: npm run'],
  [['erase'], 'Usage: npm run'],
  [['erase', 'Wilhelmina'], '"Wilhelmina" is neither an email address nor a Slack user id.'],
  [['erase', '+49 30 5550199'], '"+49 30 5550199" is neither'],
])('explains wrong arguments: %j', async (args, message) => {
  expect(await runProgramWith(args)).toMatchObject({
    exitCode: 1,
    output: '',
    errors: expect.stringContaining(message),
  })
})
