import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebClient } from '@slack/web-api'
import { afterEach, describe, expect, it } from 'vitest'
import { openLocalSlack } from '../index.ts'
import { PACKAGE_FOLDER } from '../package-folder.ts'
import { FIXED_NOW, fixedRuntime } from './fixed-runtime.ts'
import { MANIFEST } from './sample-bot/bot.ts'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** Starts the built command line. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [join(PACKAGE_FOLDER, 'dist/command-line.js'), ...args])
  running.push(child)
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      output[stream] += chunk
    })
  const exitCode = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    output,
    exitCode,
    async readyUrl() {
      while (!output.stdout.includes('\nready')) await once(child.stdout, 'data')
      return /^ready\s.*(http:\/\/\S+)/m.exec(output.stdout)?.[1] ?? ''
    },
  }
}

const manifest = MANIFEST
const fileWith = async (text: string) => {
  const file = join(await mkdtemp(join(tmpdir(), 'local-slack-')), 'file.yml')
  await writeFile(file, text)
  return file
}

describe('npm run local-slack', () => {
  it("prints the address and the app's variables, serves the page and stops on Ctrl-C", async () => {
    const program = start('--manifest', manifest, '--port', '0', '--bot-token', 'xoxb-known')
    const url = await program.readyUrl()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(program.output.stdout).toContain('only on this machine')
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1]
    expect((await fetch(url + script)).headers.get('content-type')).toContain('text/javascript')
    // With a client id, the SDK for Python would ignore the bot token.
    expect(program.output.stdout).not.toContain('SLACK_CLIENT')
    expect(program.output.stdout).not.toContain('note')
    const [, apiUrl = ''] = /SLACK_API_URL=(\S+)/.exec(program.output.stdout) ?? []
    const client = new WebClient('xoxb-known', { slackApiUrl: apiUrl })
    expect((await client.auth.test()).user).toBe('sample_bot')
    program.child.kill('SIGINT')
    expect(await program.exitCode).toBe(0)
  })

  it('reads the users and channels from another seed file', async () => {
    const seed = await fileWith(
      'team: { name: Two, domain: two }\nusers: [{ handle: ada, name: Ada, tz: Europe/London }]\nchannels: [{ name: only, members: [ada] }]',
    )
    const slack = await openLocalSlack({ manifest, seed, runtime: fixedRuntime })
    const { workspaceName, channels, users } = slack.openSession('ada').state()
    expect([workspaceName, channels.map(({ name }) => name)]).toEqual(['Two', ['only']])
    expect(users.map(({ handle }) => handle)).toEqual(['ada', 'sample_bot', 'slackbot'])
    await slack.close()
  })

  it.each([
    ['an invalid port', ['--manifest', manifest, '--port', 'http'], '--port http is not a port'],
    ['an unknown option', ['--nonsense'], '--nonsense'],
    ['a missing manifest', ['--manifest', '/nowhere.yml'], '/nowhere.yml'],
  ])('reports %s without a stack trace', async (_what, args, said) => {
    const program = start(...args)
    expect(await program.exitCode).toBe(1)
    expect(program.output.stderr).toContain(said)
    expect(program.output.stderr).not.toContain('    at ')
  })

  it('prints the client id, and no bot token, for an app that starts without being installed', async () => {
    const program = start('--manifest', manifest, '--port', '0', '--not-installed')
    await program.readyUrl()
    expect(program.output.stdout).toMatch(/SLACK_CLIENT_ID=.+\n +SLACK_CLIENT_SECRET=/)
    expect(program.output.stdout).not.toContain('SLACK_BOT_TOKEN')
  })

  it('names the features in a manifest that are not supported', async () => {
    const ambitious = await fileWith(
      `display_information: { name: Ambitious }
features:
  assistant_view: { assistant_description: Hi }
  unfurl_domains: [example.com]
functions: { sum: { title: Sum } }
oauth_config: { scopes: { bot: [chat:write, assistant:write, canvases:write] } }
settings: { event_subscriptions: { bot_events: [link_shared, app_mention] }, org_deploy_enabled: true }`,
    )
    const program = start('--manifest', ambitious, '--port', '0')
    await program.readyUrl()
    expect(program.output.stdout).toContain(
      'note      Not supported here, but in your manifest: functions; assistants; link unfurling; org-wide installation; the event link_shared; the scopes assistant:write, canvases:write.\n',
    )
  })

  it('reports an invalid manifest, an invalid seed and a port in use', async () => {
    const wrong = await fileWith(
      'display_information: { name: X }\nfeatures: { slash_commands: [{ command: Book }] }',
    )
    const open = (options: object) => openLocalSlack({ manifest, runtime: fixedRuntime, ...options })
    await expect(open({ manifest: wrong })).rejects.toThrow(
      /is not a valid app manifest:\n {2}features.slash_commands.0.command: .*\n {2}features.slash_commands.0.description/,
    )
    const seed = await fileWith(
      'team: { name: A, domain: a }\nusers: [{ handle: ada, name: Ada, tz: Mars/Base }]\nchannels: [{ name: only, members: [bob] }]',
    )
    await expect(open({ seed })).rejects.toThrow('users.0.tz: unknown time zone')
    const slack = await open({})
    const port = Number(new URL(slack.url).port)
    await expect(open({ port })).rejects.toThrow(`Port ${port} is already in use`)
    await slack.close()
  })
})

describe('ids', () => {
  it('gives users the same ids at every start, but views new ones', async () => {
    const publish = async (startedAt: Date) => {
      const slack = await openLocalSlack({ manifest, runtime: { ...fixedRuntime, now: () => startedAt } })
      const client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })
      const { userId } = slack.openSession('mara').state()
      const { view } = await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [] } })
      await slack.close()
      return { userId, id: view?.id }
    }
    const [before, after] = [await publish(FIXED_NOW), await publish(new Date(FIXED_NOW.getTime() + 1000))]
    expect(before.id).toMatch(/^V\w+$/)
    expect(after.id).not.toBe(before.id)
    expect(after.userId).toBe(before.userId)
  })
})
