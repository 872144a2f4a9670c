import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { WebClient } from '@slack/web-api'
import { afterEach, describe, expect, it } from 'vitest'
import { openLocalSlack } from '../../src/local-slack/open-local-slack.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { type Running, run } from '../support/service-process.ts'
import { MANIFEST } from './workspace.ts'

let running: Running[] = []
afterEach(async () => {
  for (const program of running) await program.end('SIGKILL')
  running = []
})

const start = (...args: string[]) => {
  const program = run('dist/local-slack/command-line.js', args)
  running.push(program)
  return program
}
const manifest = resolve(MANIFEST)
const urlIn = (line: string) => /http:\/\/\S+/.exec(line)?.[0] ?? ''
const fileWith = async (text: string) => {
  const file = join(await mkdtemp(join(tmpdir(), 'local-slack-')), 'file.yml')
  await writeFile(file, text)
  return file
}

describe('npm run local-slack', () => {
  it('prints the address and what the app needs, serves the page, and ends on Ctrl-C', async () => {
    const program = start('--manifest', manifest, '--port', '0', '--bot-token', 'xoxb-known')
    const url = urlIn(await program.printed('ready'))
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(program.output()).toContain('on this machine only')
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1]
    expect((await fetch(url + script)).headers.get('content-type')).toContain('text/javascript')
    const [, apiUrl = ''] = /SLACK_API_URL=(\S+)/.exec(program.output()) ?? []
    const client = new WebClient('xoxb-known', { slackApiUrl: apiUrl })
    expect((await client.auth.test()).user).toBe('sample_bot')
    expect(await program.end('SIGINT')).toBe(0)
  })

  it('takes another seed', async () => {
    const seed = await fileWith(
      'team: { name: Two, domain: two }\npeople: [{ handle: ada, name: Ada, tz: Europe/London }]\nchannels: [{ name: only, members: [ada] }]',
    )
    const slack = await openLocalSlack({ manifest, seed, runtime: systemRuntime })
    const { workspaceName, channels, users } = slack.openSession('ada').sees()
    expect([workspaceName, channels.map(({ name }) => name)]).toEqual(['Two', ['only']])
    expect(users.map(({ handle }) => handle)).toEqual(['ada', 'sample_bot', 'slackbot'])
    await slack.close()
  })

  it.each([
    ['a port that is none', ['--manifest', manifest, '--port', 'http'], '--port http is no port'],
    ['an option that there is not', ['--nonsense'], '--nonsense'],
    ['a manifest that is not there', ['--manifest', '/nowhere.yml'], '/nowhere.yml'],
  ])('says what is wrong with %s', async (_what, args, said) => {
    const program = start(...args)
    expect(await program.ended).toBe(1)
    expect(program.errors()).toContain(said)
    expect(program.errors()).not.toContain('    at ') // no stack of ours
  })

  it('says what is wrong with a manifest, with a seed, and with a port that is taken', async () => {
    const wrong = await fileWith(
      'display_information: { name: X }\nfeatures: { slash_commands: [{ command: Book }] }',
    )
    const open = (options: object) => openLocalSlack({ manifest, runtime: systemRuntime, ...options })
    await expect(open({ manifest: wrong })).rejects.toThrow(
      /no manifest that Slack would take:\n {2}features.slash_commands.0.command: .*\n {2}features.slash_commands.0.description/,
    )
    const seed = await fileWith(
      'team: { name: A, domain: a }\npeople: [{ handle: ada, name: Ada, tz: Mars/Base }]\nchannels: [{ name: only, members: [bob] }]',
    )
    await expect(open({ seed })).rejects.toThrow('people.0.tz: no time zone of this name')
    const slack = await open({})
    const port = Number(new URL(slack.url).port)
    await expect(open({ port })).rejects.toThrow(`Port ${port} is taken`)
    await slack.close()
  })
})

describe('npm start', () => {
  it('opens the local Slack with this app in it, unless another is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upnext-slack-'))
    await chmod(folder, 0o755)
    const env = { DATA_DIR: folder, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0' }
    const own = run('dist/main.js', [], env)
    running.push(own)
    const [, url = ''] = /slack (http\S+)/.exec(await own.printed('ready')) ?? []
    expect(await (await fetch(url)).text()).toContain('<title>')
    expect(await (await fetch(`${url}/control/sockets`)).json()).toEqual({ ok: true, connections: 1 })
    expect(await own.end('SIGTERM')).toBe(0)

    const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime: systemRuntime })
    const { botToken, appToken } = slack.secrets
    const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl }
    const other = run('dist/main.js', [], { ...env, ...tokens })
    running.push(other)
    expect(await other.printed('ready')).toContain(slack.apiUrl)
    expect(slack.control.connections()).toBe(1)
    expect(other.output() + other.errors()).not.toContain(botToken)
    expect(await other.end('SIGTERM')).toBe(0)
    await slack.close()
  })
})

describe('what is made anew at each start', () => {
  it('is not taken for what was made at an earlier one', async () => {
    const publish = async () => {
      const slack = await openLocalSlack({ manifest, runtime: systemRuntime })
      const client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })
      const { userId } = slack.openSession('mara').sees()
      const { view } = await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [] } })
      await slack.close()
      return { userId, id: view?.id }
    }
    const [before, after] = [await publish(), await publish()]
    expect(before.id).toMatch(/^V\w+$/)
    expect(after.id).not.toBe(before.id)
    // People stay who they are: what an app knows of them is theirs.
    expect(after.userId).toBe(before.userId)
  })
})
