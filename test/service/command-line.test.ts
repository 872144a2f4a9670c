import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { run } from '../support/service-process.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const operate = async (...args: string[]) => {
  const program = run('dist/service/command-line.js', args, { DATABASE_URL: service.databaseUrl })
  const code = await program.ended
  return { code, said: program.output().trim(), fault: program.errors().trim() }
}
const lastLine = (said: string) => said.split('\n').at(-1) ?? ''

describe('the operator', () => {
  it('sets a project up beside the running service, and its token works at once', async () => {
    expect(await operate('project', 'add', 'Acme')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Acme'),
    })
    await operate(
      'user',
      'add',
      'ada@upnext.example',
      '--project',
      'acme',
      '--role',
      'admin',
      '--first-name',
      'Ada',
    )
    const { said } = await operate('token', 'add', 'ada@upnext.example')
    const token = lastLine(said)
    const projects = (await service.request('GET', '/api/v1/projects', { token })).body.data.Items
    expect(projects).toMatchObject([{ Name: 'Acme', Role: 'ADMIN' }])

    const path = `/api/v1/projects/${projects[0].Id}`
    await operate('template', 'add', 'Launch', '--project', 'Acme', '--content', 'We launch {name}!')
    await operate(
      'source',
      'add',
      'https://acme.example/feed',
      '--project',
      'Acme',
      '--description',
      'The blog',
    )
    const templates = (await service.request('GET', `${path}/templates`, { token })).body.data.Items
    expect(templates).toMatchObject([{ Title: 'Launch', Content: 'We launch {name}!' }])
    const sources = (await service.request('GET', `${path}/sources`, { token })).body.data.Items
    expect(sources).toMatchObject([
      { Source: { Source: 'https://acme.example/feed' }, Description: 'The blog' },
    ])

    const webhook = await operate('webhook', 'set', 'https://acme.example/hook', '--project', 'Acme')
    expect(lastLine(webhook.said)).toMatch(/^whsec_/)
    expect((await operate('webhook', 'show', '--project', 'Acme')).said).toBe('https://acme.example/hook')
    expect((await service.request('DELETE', `${path}/webhook`, { token })).status).toBe(200)

    const tokens = (await operate('token', 'list')).said
    expect(tokens).not.toContain(token)
    const id = tokens.split(' ')[0] ?? ''
    expect(await operate('file', 'stage', resolve('package.json'), '--token', id)).toMatchObject({ code: 0 })
    expect((await operate('file', 'list')).said).toContain('package.json')
    expect((await service.request('DELETE', '/api/v1/common/file', { token })).body.data).toEqual({
      Name: 'package.json',
    })

    const log = (await operate('log', 'list', '--project', 'Acme')).said
    for (const entry of ['Made the project Acme', 'ada@upnext.example is ADMIN', 'Launch', 'acme.example'])
      expect(log).toContain(entry)
    expect(log).not.toContain('whsec_')

    expect(await operate('token', 'revoke', id)).toMatchObject({ code: 0 })
    expect((await service.request('GET', '/api/v1/projects', { token })).status).toBe(401)
  })

  it('cannot take the last admin from a project, and changes only what it names', async () => {
    await operate('project', 'add', 'Solo')
    const add = (...more: string[]) =>
      operate('user', 'add', 'solo@upnext.example', '--project', 'Solo', ...more)
    await add('--role', 'ADMIN', '--first-name', 'Sol', '--phone', '1')
    const { code, fault } = await add('--role', 'VIEWER')
    expect([code, fault]).toEqual([1, expect.stringContaining('last admin of Solo')])
    await add('--role', 'ADMIN', '--phone', '2')
    const { rows } = await service.pool.query("select * from service.project_user where phone_number = '2'")
    expect(rows).toMatchObject([{ first_name: 'Sol', role: 'ADMIN' }])
  })

  it.each([
    [['project', 'add'], '<name> is missing'],
    [['project', 'rename', 'x'], 'no command "project rename"'],
    [['project', 'add', 'Two', 'words'], 'put words that belong together in quotes'],
    [['user', 'add', 'a@upnext.example', '--role', 'ADMIN'], '--project is missing'],
    [['user', 'add', 'nope', '--project', 'Nowhere', '--role', 'ADMIN'], '"nope" is not an e-mail address'],
    [['user', 'add', 'a@upnext.example', '--project', 'Nowhere', '--role', 'ADMIN'], 'no project "Nowhere"'],
    [['user', 'add', 'a@upnext.example', '--project', 'Nowhere', '--role', 'KING'], 'VIEWER, EDITOR, ADMIN'],
    [['user', 'list', '--projekt', 'x'], '--projekt'],
    [['token', 'add', 'nobody@upnext.example'], 'no user nobody@upnext.example'],
    [['token', 'revoke', 'x'], 'no valid token x'],
    [['webhook', 'set', 'ftp://x', '--project', 'Nowhere'], 'no project'],
    [['file', 'stage', '/no/such/file', '--token', 'x'], '/no/such/file cannot be read'],
  ])('is told what is wrong with %j', async (args, words) => {
    const { code, said, fault } = await operate(...args)
    expect([code, said]).toEqual([1, ''])
    expect(fault).toContain(words)
    expect(fault).not.toMatch(/\n\s+at /)
  })

  it('finds every command in --help, and the usage of some by their first word', async () => {
    const { code, said } = await operate('--help')
    expect(code).toBe(0)
    for (const words of ['project add <name>', 'token revoke <id>', 'webhook set <url> --project <project>'])
      expect(said).toContain(words)
    const some = (await operate('token', '--help')).said
    expect(some).toContain('token list')
    expect(some).not.toContain('project add')
  })

  it('is told in one line that the database is not there', async () => {
    const program = run('dist/service/command-line.js', ['project', 'list'], {
      DATABASE_URL: 'postgresql://u:a-secret@127.0.0.1:1/x',
    })
    expect(await program.ended).toBe(1)
    expect(program.errors()).toContain('postgresql://127.0.0.1:1/x cannot be used')
    expect(program.errors()).not.toContain('a-secret')
  })
})
