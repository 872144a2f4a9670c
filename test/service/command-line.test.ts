import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatHelp, parseCommand, runCommand } from '../../src/service/commands/run-command.ts'
import { createTestClock } from '../support/clock.ts'
import { runProgram } from '../support/run-program.ts'
import { NO_PUBLISHERS, startTestService, type TestService } from '../support/service.ts'
import { TEST_SECRET } from '../support/test-secret.ts'

const clock = createTestClock()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ runtime: clock.runtime })
})
afterAll(() => service.stop())

/** Runs a command in this process, which is much faster than starting the program. */
const runOperatorCommand = async (...args: string[]): Promise<{ output: string; error: string }> => {
  try {
    const output = await runCommand(parseCommand(args), {
      db: service.db,
      now: clock.now(),
      runtime: clock.runtime,
      publishing: { ...NO_PUBLISHERS, allowPrivateWebhooks: false },
    })
    return { output, error: '' }
  } catch (error) {
    return { output: '', error: (error as Error).message }
  }
}
const lastLine = (output: string) => output.split('\n').at(-1) ?? ''

describe('the service commands', () => {
  it('names the commands that begin with the typed words', async () => {
    expect((await runOperatorCommand('account', 'add', '--project', 'Acme')).error).toBe(
      'There is no command "account add". Use one of these: account add postiz, account add telegram, account add webhook. Add --help to see what they need.',
    )
    expect((await runOperatorCommand('acount', 'list')).error).toBe(
      'There is no command "acount list". Use --help to see all commands.',
    )
  })

  it('sets up a project while the service is running', async () => {
    expect((await runOperatorCommand('project', 'add', 'Acme')).output).toContain('Acme')
    const user = ['ada@upnext.example', '--project', 'acme', '--role', 'admin', '--first-name', 'Ada']
    await runOperatorCommand('user', 'add', ...user)
    const token = lastLine((await runOperatorCommand('token', 'add', 'ada@upnext.example')).output)
    const projects = (await service.request('GET', '/api/v1/projects', { token })).body.data.Items
    expect(projects).toMatchObject([{ Name: 'Acme', Role: 'ADMIN' }])

    const path = `/api/v1/projects/${projects[0].Id}`
    await runOperatorCommand(
      'template',
      'add',
      'Launch',
      '--project',
      'Acme',
      '--content',
      'We launch {name}!',
    )
    const source = ['https://acme.example/feed', '--project', 'Acme', '--description', 'The blog']
    await runOperatorCommand('source', 'add', ...source)
    const templates = (await service.request('GET', `${path}/templates`, { token })).body.data.Items
    expect(templates).toMatchObject([{ Title: 'Launch', Content: 'We launch {name}!' }])
    const sources = (await service.request('GET', `${path}/sources`, { token })).body.data.Items
    expect(sources).toMatchObject([
      { Source: { Source: 'https://acme.example/feed' }, Description: 'The blog' },
    ])

    const url = 'https://acme.example/hook'
    const webhook = await runOperatorCommand('webhook', 'set', url, '--project', 'Acme')
    expect(lastLine(webhook.output)).toMatch(/^whsec_/)
    const again = await runOperatorCommand('webhook', 'set', url, '--project', 'Acme')
    expect(again.output).toMatch(/\(shown only once; the previous one is no longer used\):\nwhsec_/)
    expect((await runOperatorCommand('webhook', 'show', '--project', 'Acme')).output).toBe(url)
    expect((await service.request('DELETE', `${path}/webhook`, { token })).status).toBe(200)

    const tokens = (await runOperatorCommand('token', 'list')).output
    expect(tokens).not.toContain(token)
    const tokenId = tokens.split(' ')[0] ?? ''
    const staged = await runOperatorCommand('file', 'stage', resolve('package.json'), '--token', tokenId)
    expect(staged.error).toBe('')
    expect((await runOperatorCommand('file', 'list')).output).toContain('package.json')
    expect((await service.request('DELETE', '/api/v1/common/file', { token })).body.data).toEqual({
      Name: 'package.json',
    })

    const log = (await runOperatorCommand('log', 'list', '--project', 'Acme')).output
    const messages = ['Created the project Acme', 'ada@upnext.example is now ADMIN', 'Launch', 'acme.example']
    for (const message of messages) expect(log).toContain(message)
    expect(log).not.toContain('whsec_')

    expect((await runOperatorCommand('token', 'revoke', tokenId)).error).toBe('')
    clock.advance(1000)
    expect((await service.request('GET', '/api/v1/projects', { token })).status).toBe(401)
  })

  it('lets only the bot schedule posts of a project, and says so in the list', async () => {
    await runOperatorCommand('project', 'add', 'Guarded')
    const restrict = (state: string) =>
      runOperatorCommand('project', 'bot-only', state, '--project', 'Guarded')
    expect((await restrict('on')).output).toContain(
      'From now on, only the bot can schedule posts in Guarded.',
    )
    expect((await runOperatorCommand('project', 'list')).output).toMatch(/Guarded +bot only/)
    expect((await restrict('off')).output).toContain('All tokens can schedule posts in Guarded again.')
    expect((await runOperatorCommand('project', 'list')).output).not.toContain('bot only')
  })

  it('renames a project, unless another one has the name', async () => {
    await runOperatorCommand('project', 'add', 'Old name')
    await runOperatorCommand('project', 'add', 'Taken')
    const rename = (name: string) => runOperatorCommand('project', 'rename', name, '--project', 'old name')
    expect((await rename('taken')).error).toContain('already a project called "taken"')
    expect((await rename('Old Name')).output).toContain('is now called Old Name')
    expect((await rename('New name')).output).toBe('The project Old Name is now called New name.')
    expect((await runOperatorCommand('project', 'list')).output).toContain('New name')
    expect((await runOperatorCommand('log', 'list', '--project', 'New name')).output).toContain('now called')
  })

  it('removes a user from a project, except for its last admin', async () => {
    await runOperatorCommand('project', 'add', 'Shrinking')
    const inProject = ['--project', 'Shrinking']
    for (const [email = '', role = ''] of [
      ['ada@shrinking.example', 'ADMIN'],
      ['bo@shrinking.example', 'EDITOR'],
    ])
      await runOperatorCommand('user', 'add', email, ...inProject, '--role', role)
    const remove = (email: string) => runOperatorCommand('user', 'remove', email, ...inProject)
    expect((await remove('ada@shrinking.example')).error).toContain('last admin of Shrinking')
    expect((await remove('who@shrinking.example')).error).toContain('no user who@shrinking.example')
    expect((await remove('BO@shrinking.example')).output).toContain('is no longer a user of Shrinking')
    const { output } = await runOperatorCommand('user', 'list', ...inProject)
    expect(output).toContain('ada@')
    expect(output).not.toContain('bo@')
  })

  it('keeps the last admin of a project in "user add", and changes only the given details', async () => {
    await runOperatorCommand('project', 'add', 'Solo')
    const addUser = (...options: string[]) =>
      runOperatorCommand('user', 'add', 'solo@upnext.example', '--project', 'Solo', ...options)
    await addUser('--role', 'ADMIN', '--first-name', 'Sol', '--phone', '1')
    expect((await addUser('--role', 'VIEWER')).error).toContain('last admin of Solo')
    await addUser('--role', 'ADMIN', '--phone', '2')
    const { rows } = await service.pool.query("select * from service.project_user where phone_number = '2'")
    expect(rows).toMatchObject([{ first_name: 'Sol', role: 'ADMIN' }])
  })

  it('says in "user add" that a deactivated user is active again', async () => {
    await runOperatorCommand('project', 'add', 'Back')
    const user = ['bo@back.example', '--project', 'Back', '--role', 'editor']
    expect((await runOperatorCommand('user', 'add', ...user)).output).toBe(
      'bo@back.example is now EDITOR in Back.',
    )
    await service.pool.query(
      "update service.project_user set status = 'INACTIVE' where user_id = (select id from service.person where email = 'bo@back.example')",
    )
    expect((await runOperatorCommand('user', 'add', ...user)).output).toBe(
      'bo@back.example is now EDITOR in Back, and active again.',
    )
  })

  it.each([
    [['project', 'add'], 'Missing: <name>'],
    [['project', 'merge', 'x'], 'no command "project merge"'],
    [['project', 'add', 'Two', 'words'], 'Put text with spaces in quotes'],
    [['user', 'add', 'a@upnext.example', '--role', 'ADMIN'], 'Missing: --project'],
    [['user', 'add', 'nope', '--project', 'Acme', '--role', 'ADMIN'], `"nope" isn't a valid email address`],
    [['user', 'add', 'a@upnext.example', '--project', 'Nowhere', '--role', 'ADMIN'], 'no project "Nowhere"'],
    [['template', 'add', ' ', '--project', 'Acme', '--content', 'x'], 'The title is empty.'],
    [['template', 'add', 'Launch', '--project', 'Acme', '--content', '\u200b'], 'The content is empty.'],
    [['source', 'add', '', '--project', 'Acme'], 'The source is empty.'],
    [['user', 'add', 'a@upnext.example', '--project', 'Acme', '--role', 'KING'], 'VIEWER, EDITOR, ADMIN'],
    [['user', 'list', '--projekt', 'x'], '--projekt'],
    [['project', 'bot-only', 'yes', '--project', 'Acme'], 'Use on or off'],
    [['token', 'add', 'nobody@upnext.example'], 'no user nobody@upnext.example'],
    [['token', 'revoke', 'x'], 'no valid token x'],
    [['token', 'add', 'ada@upnext.example', '--label', 'API_TOKEN'], 'Choose another label'],
    [['webhook', 'set', 'http://[::1]:9/', '--project', 'Acme'], 'WEBHOOKS_TO_PRIVATE_ADDRESSES=true'],
    [['webhook', 'set', 'https://localhost/', '--project', 'Acme'], 'private network'],
    [
      ['webhook', 'set', 'https://ada:secret@acme.example/', '--project', 'Acme'],
      "can't contain a user name",
    ],
    [
      [
        ...['account', 'add', 'webhook', '--project', 'Acme', '--platform', 'pinterest'],
        ...['--url', 'https://ada:secret@acme.example/'],
      ],
      "can't contain a user name",
    ],
    [['webhook', 'set', 'ftp://x', '--project', 'Nowhere'], 'no project'],
    [['file', 'stage', '/no/such/file', '--token', 'x'], "/no/such/file is empty or can't be read"],
  ])('explains the mistake in %j', async (args, message) => {
    const { output, error } = await runOperatorCommand(...args)
    expect(output).toBe('')
    expect(error).toContain(message)
  })

  it.each(['İstanbul Kahve', 'ΚΑΦΕΣ', 'Ärzte'])('finds the project %s by its name', async (name) => {
    await runOperatorCommand('project', 'add', name)
    const user = ['kemal@upnext.example', '--project', name, '--role', 'ADMIN']
    expect((await runOperatorCommand('user', 'add', ...user)).output).toContain('ADMIN')
  })

  it('prints each entry of the log in one line, without control characters', async () => {
    await runOperatorCommand('project', 'add', 'Forged')
    const { rows } = await service.pool.query("select id from service.project where name = 'Forged'")
    await service.pool.query(
      `insert into service.log (project_id, level, action, message, actor, created_at)
        values ($1, 'INFO', 'prompt.created', E'Created x.\\n2026-11-25 INFO operator\\u001b[2K', 'ada', now())`,
      [rows[0].id],
    )
    const { output } = await runOperatorCommand('log', 'list', '--project', 'Forged')
    expect(output).toContain('Created x. 2026-11-25 INFO operator [2K')
  })

  it('lists all commands in the help, or only those of one subject', () => {
    const help = formatHelp(['--help'])
    for (const usage of ['project add <name>', 'token revoke <id>', 'webhook set <url> --project <project>'])
      expect(help).toContain(usage)
    const tokenHelp = formatHelp(['token', '--help'])
    expect(tokenHelp).toContain('token list')
    expect(tokenHelp).not.toContain('project add')
  })
})

describe('the service program', () => {
  const runService = async (args: string[], env: Record<string, string> = {}) => {
    const program = runProgram('dist/service/command-line.js', args, { SECRET_KEY: TEST_SECRET, ...env })
    const exitCode = await program.exitCode
    return { exitCode, output: program.output(), errors: program.errors() }
  }

  it('runs a command and prints its result', async () => {
    await service.addProject('Printed')
    const listed = await runService(['project', 'list'], { DATABASE_URL: service.databaseUrl })
    expect(listed).toMatchObject({ exitCode: 0, errors: '', output: expect.stringContaining('Printed') })
  })

  it('prints the help without a database', async () => {
    const help = await runService(['--help'])
    expect(help).toMatchObject({ exitCode: 0, output: `${formatHelp([])}\n` })
  })

  it('exits with 1 and prints the usage after a mistake', async () => {
    const failed = await runService(['project', 'add'])
    expect(failed).toMatchObject({ exitCode: 1, output: '' })
    expect(failed.errors).toContain('Usage: npm run service -- project add <name>')
    expect(failed.errors).not.toMatch(/\n\s+at /)
  })

  it('reports an unreachable database in one line, without the password', async () => {
    const DATABASE_URL = 'postgresql://u:a-secret@127.0.0.1:1/x'
    const failed = await runService(['project', 'list'], { DATABASE_URL })
    expect(failed.exitCode).toBe(1)
    expect(failed.errors).toContain("Can't connect to the database at postgresql://127.0.0.1:1/x")
    expect(failed.errors.trim()).not.toContain('\n')
    expect(failed.errors).not.toContain('a-secret')
  })
})
