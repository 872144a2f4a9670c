import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalSlack } from 'local-slack'
import { afterEach, expect, it } from 'vitest'
import { systemRuntime } from '../src/runtime.ts'
import { type RunningProgram, runProgram } from './support/run-program.ts'

let running: RunningProgram[] = []
afterEach(async () => {
  for (const program of running) await program.stop('SIGKILL')
  running = []
})

it('opens the local Slack with this app installed, unless the settings name another Slack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'upnext-slack-'))
  await chmod(folder, 0o755)
  const env = { DATA_DIR: folder, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0' }
  const own = runProgram('dist/main.js', [], env)
  running.push(own)
  const [, url = ''] = /slack (http\S+)/.exec(await own.waitForLine('ready')) ?? []
  expect(await (await fetch(url)).text()).toContain('<title>')
  expect(await (await fetch(`${url}/control/sockets`)).json()).toEqual({ ok: true, connections: 1 })
  expect(await own.stop('SIGTERM')).toBe(0)

  const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime: systemRuntime })
  const { botToken, appToken } = slack.secrets
  const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl }
  const other = runProgram('dist/main.js', [], { ...env, ...tokens })
  running.push(other)
  expect(await other.waitForLine('ready')).toContain(slack.apiUrl)
  expect(slack.controls.socketCount()).toBe(1)
  expect(other.output() + other.errors()).not.toContain(botToken)
  expect(await other.stop('SIGTERM')).toBe(0)
  await slack.close()
})
