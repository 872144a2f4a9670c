import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openLocalSlack } from 'local-slack'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isProcessAlive } from '../src/database/start-lock.ts'
import { systemRuntime } from '../src/runtime.ts'
import { waitUntil } from './support/clock.ts'
import { type RunningProgram, runProgram } from './support/run-program.ts'
import { startTcpServer, unreachableUrl } from './support/servers.ts'
import { createTempFolder } from './support/temp-folder.ts'

const running: RunningProgram[] = []
const folders: string[] = []
/** The data of a program that was started once. Copying it is faster than creating a database. */
let usedFolder: string
/** The demo token of the data in `usedFolder`. */
let token: string

beforeAll(async () => {
  usedFolder = await createTempFolder('upnext-main-')
  const program = startService(usedFolder)
  await program.waitForLine('ready')
  token = findToken(program.output())
  await stopAll()
})
afterAll(() => rm(usedFolder, { recursive: true, force: true }))

const stopAll = async () => {
  for (const program of running.splice(0)) await program.stop('SIGTERM')
}
afterEach(async () => {
  await stopAll()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const createFolder = async (mode?: number) => {
  const folder = await createTempFolder('upnext-main-', mode)
  folders.push(folder)
  return folder
}

const copyUsedFolder = async () => {
  const folder = await createFolder()
  // Unlike Node's cp, this keeps the owner, without whom PostgreSQL doesn't start.
  await promisify(execFile)('cp', ['-a', `${usedFolder}/.`, folder])
  return folder
}

/** Starts a program on free ports. */
const start = (path: string, dataDir: string, env: Record<string, string> = {}) => {
  const program = runProgram(path, [], {
    DATA_DIR: dataDir,
    SERVICE_PORT: '0',
    LOCAL_SLACK_PORT: '0',
    ...env,
  })
  running.push(program)
  return program
}
const startUpnext = (dataDir: string, env?: Record<string, string>) => start('dist/main.js', dataDir, env)

/** Starts the service alone. It opens the database like the whole program, and starts much faster. */
const startService = (dataDir: string) => start('dist/service/command-line.js', dataDir)

/** Starts the service with a line of code that it runs when it receives SIGUSR2. */
const startFaultyService = (dataDir: string, fault: string) => {
  const module = encodeURIComponent(`process.on('SIGUSR2', () => { ${fault} })`)
  const NODE_OPTIONS = `--import=data:text/javascript,${module}`
  return start('dist/service/command-line.js', dataDir, { NODE_OPTIONS })
}

const findUrl = (line: string) => /http:\/\/\S+/.exec(line)?.[0] ?? ''
const findToken = (output: string) => /upn_\S+/.exec(output)?.[0] ?? ''
const listProjects = async (url: string, token: string) => {
  const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data?: { Items: { Name: string }[] } }
  return { status: response.status, names: data?.Items.map(({ Name }) => Name) }
}
const readPostmasterPid = async (dataDir: string) => {
  // PostgreSQL deletes the file when it stops.
  const content = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => undefined)
  return content === undefined ? undefined : Number(content.split('\n')[0])
}

const readCluster = async (dataDir: string) => {
  const read = (file: string) => readFile(join(dataDir, 'postgres', file), 'utf8')
  const [password, pidFile] = await Promise.all([read('password'), read('data/postmaster.pid')])
  return { password, url: `postgresql://upnext:${password}@127.0.0.1:${pidFile.split('\n')[3]}/postgres` }
}

describe('npm start', () => {
  it('prints its parts, the demo token on the first start only, and a ready line', async () => {
    const folder = await createFolder()
    const first = startUpnext(folder)
    const ready = await first.waitForLine('ready')
    const lines = first.output().trim().split('\n')
    expect(lines.map((line) => line.split(/\s/)[0])).toEqual([
      'upnext',
      'database',
      '',
      'demo',
      '',
      'service',
      'slack',
      'bot',
      'ready',
    ])
    const printedToken = findToken(first.output())
    expect(await listProjects(findUrl(ready), printedToken)).toEqual({
      status: 200,
      names: ['Harbor Cycling', 'Northwind Coffee'],
    })
    expect(await first.stop('SIGINT')).toBe(0)

    const second = startUpnext(folder)
    const secondReady = await second.waitForLine('ready')
    expect(findToken(second.output())).toBe('')
    expect((await listProjects(findUrl(secondReady), printedToken)).names).toHaveLength(2)
  })

  it('stops with its embedded database on Ctrl-C', async () => {
    const folder = await copyUsedFolder()
    const program = startUpnext(folder)
    await program.waitForLine('ready')
    expect(isProcessAlive((await readPostmasterPid(folder)) ?? 0)).toBe(true)
    program.process.kill('SIGINT') // npm forwards the Ctrl-C that the terminal has already sent.
    expect(await program.stop('SIGINT')).toBe(0)
    expect(await readPostmasterPid(folder)).toBeUndefined()
    expect(program.errors()).toBe('')
  })

  it('keeps its data after it was killed', async () => {
    const folder = await copyUsedFolder()
    const first = startUpnext(folder)
    await first.waitForLine('ready')
    await first.stop('SIGKILL')

    const second = startUpnext(folder)
    expect((await listProjects(findUrl(await second.waitForLine('ready')), token)).status).toBe(200)
    expect(await second.stop('SIGTERM')).toBe(0)
    expect(await readPostmasterPid(folder)).toBeUndefined()
  })

  it('keeps its data after it and its database were killed', async () => {
    const folder = await copyUsedFolder()
    const first = startService(folder)
    await first.waitForLine('ready')
    process.kill((await readPostmasterPid(folder)) ?? 0, 'SIGKILL')
    await first.stop('SIGKILL')

    const second = startService(folder)
    expect((await listProjects(findUrl(await second.waitForLine('ready')), token)).status).toBe(200)
  })

  it.each([1, 2])('restarts a killed database while %i programs use it', async (count) => {
    const folder = await copyUsedFolder()
    const programs = Array.from({ length: count }, () => startService(folder))
    const ready = await Promise.all(programs.map((program) => program.waitForLine('ready')))
    process.kill((await readPostmasterPid(folder)) ?? 0, 'SIGKILL')

    for (const line of ready)
      await waitUntil(async () => (await listProjects(findUrl(line), token)).status === 200)
    for (const program of programs) expect(await program.stop('SIGTERM')).toBe(0)
    expect(await readPostmasterPid(folder)).toBeUndefined()
  })

  it('keeps the database running until the last program that uses it has stopped', async () => {
    const folder = await copyUsedFolder()
    const [first, second] = [startUpnext(folder), startService(folder)]
    const ready = await Promise.all([first.waitForLine('ready'), second.waitForLine('ready')])
    expect(await first.stop('SIGTERM')).toBe(0)
    expect((await listProjects(findUrl(ready[1]), token)).status).toBe(200)
    expect(await second.stop('SIGTERM')).toBe(0)
    expect(await readPostmasterPid(folder)).toBeUndefined()
  })

  it('logs an unhandled rejection, and keeps running', async () => {
    const program = startFaultyService(
      await copyUsedFolder(),
      "Promise.reject(Error('Nobody waits for this'))",
    )
    const url = findUrl(await program.waitForLine('ready'))
    program.process.kill('SIGUSR2')
    await waitUntil(() => program.errors().includes('Nobody waits for this'))
    expect(program.errors()).toContain('Unhandled promise rejection')
    expect((await listProjects(url, token)).status).toBe(200)
    expect(await program.stop('SIGTERM')).toBe(0)
  })

  it('logs a crash with its cause, even while the thread pool is busy', async () => {
    const folder = await copyUsedFolder()
    const fault = `
      const { pbkdf2 } = process.getBuiltinModule('crypto')
      for (let thread = 0; thread < 4; thread++) pbkdf2('', '', 1e6, 64, 'sha512', () => {})
      throw Error('It broke', { cause: Error('The wire was cut') })`
    const program = startFaultyService(folder, fault)
    await program.waitForLine('ready')
    program.process.kill('SIGUSR2')
    expect(await program.exitCode).not.toBe(0)
    const [line] = program.errors().split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 60,
      msg: 'Upnext crashed',
      err: { message: 'It broke: The wire was cut' },
    })
    // The database that the crash left running stops with the next program.
    await startService(folder).waitForLine('ready')
  })

  it('is not ready while its disk is full', async () => {
    const fault = `
      const { promises } = process.getBuiltinModule('fs')
      promises.statfs = async () => ({ bavail: 1000, bsize: 4096 })
      process.getBuiltinModule('module').syncBuiltinESMExports()
      console.log('full')`
    const program = startFaultyService(await copyUsedFolder(), fault)
    const url = findUrl(await program.waitForLine('ready'))
    program.process.kill('SIGUSR2')
    await program.waitForLine('full')
    const detail = "The database can't store anything. Check whether its disk is full."
    await waitUntil(async () => {
      const response = await fetch(`${url}/readyz`)
      return response.status === 503 && (await response.text()).includes(detail)
    })
  })

  it('lets operator commands use the running database, which they leave running', async () => {
    const folder = await copyUsedFolder()
    const program = startService(folder)
    await program.waitForLine('ready')
    const operator = runProgram('dist/service/command-line.js', ['project', 'list'], { DATA_DIR: folder })
    expect(await operator.exitCode).toBe(0)
    expect(operator.output()).toContain('Northwind Coffee')
    expect(isProcessAlive((await readPostmasterPid(folder)) ?? 0)).toBe(true)
  })

  it('stops when the npm process that started it is stopped', async () => {
    const folder = await copyUsedFolder()
    const settings = {
      DATA_DIR: folder,
      SERVICE_PORT: '0',
      PORT: '0',
      LOCAL_SLACK_PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      API_BASE_URL: '',
    }
    const env = { ...process.env, ...settings }
    const npm = spawn('npm', ['start', '--ignore-scripts'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    for await (const chunk of npm.stdout) {
      output += chunk
      if (/^ready/m.test(output) && npm.kill('SIGTERM')) break
    }
    await waitUntil(async () => (await readPostmasterPid(folder)) === undefined)
    await expect(fetch(findUrl(output))).rejects.toThrow()
  })

  it.runIf(process.platform === 'linux')(
    'starts if another process now has the pid of its previous database',
    async () => {
      const folder = await copyUsedFolder()
      const first = startService(folder)
      await first.waitForLine('ready')
      const pidFile = join(folder, 'postgres/data/postmaster.pid')
      const lines = (await readFile(pidFile, 'utf8')).split('\n')
      await first.stop('SIGTERM')
      await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
      await startService(folder).waitForLine('ready')
    },
  )

  it('keeps its database running after operator commands, even if it lost its connections', async () => {
    const folder = await copyUsedFolder()
    const program = startService(folder)
    const url = findUrl(await program.waitForLine('ready'))
    const cluster = await readCluster(folder)
    const admin = new pg.Client(cluster.url)
    admin.on('error', () => {})
    await admin.connect()
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    await admin.end()
    for (let run = 0; run < 3; run++) {
      const operator = runProgram('dist/service/command-line.js', ['project', 'list'], { DATA_DIR: folder })
      expect([await operator.exitCode, operator.errors()]).toEqual([0, ''])
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await program.stop('SIGTERM')).toBe(0)
    expect(await readPostmasterPid(folder)).toBeUndefined()
  })

  it('starts despite the lock file of a killed program', async () => {
    const folder = await createFolder()
    await mkdir(join(folder, 'postgres'))
    await writeFile(join(folder, 'postgres/starting.lock'), `${process.pid} 12345`)
    await startService(folder).waitForLine('ready')
  })

  it('reports a port that is in use, and stops the database again', async () => {
    const folder = await copyUsedFolder()
    const otherServer = await startTcpServer(() => {})
    const { port } = new URL(otherServer.url)
    const program = startUpnext(folder, { SERVICE_PORT: port })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toBe(
      `Port ${port} is already in use, maybe by another instance of Upnext. Stop it, or set SERVICE_PORT to another port.\n`,
    )
    expect(await readPostmasterPid(folder)).toBeUndefined()
    await otherServer.close()
  })

  it('reports that the port of the bot is in use', async () => {
    const otherServer = await startTcpServer(() => {})
    const { port } = new URL(otherServer.url)
    const program = startUpnext(await copyUsedFolder(), { PORT: port })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toBe(
      `Port ${port} is already in use, maybe by another instance of Upnext. Stop it, or set PORT to another port.\n`,
    )
    await otherServer.close()
  })

  it('starts while Slack is down, and says so', async () => {
    const program = startUpnext(await copyUsedFolder(), {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_API_URL: `${await unreachableUrl()}/api/`,
    })
    await program.waitForLine('ready')
    expect(program.output()).toContain("slack     Slack can't be reached right now. Upnext keeps trying.")
    expect((await fetch(`${findUrl(await program.waitForLine('bot'))}/readyz`)).status).toBe(503)
    expect(await program.stop('SIGTERM')).toBe(0)
  })

  it('fails to start with a token that Slack rejects', async () => {
    const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime: systemRuntime })
    const program = startUpnext(await copyUsedFolder(), {
      SLACK_BOT_TOKEN: slack.secrets.botToken,
      SLACK_APP_TOKEN: 'xapp-wrong',
      SLACK_API_URL: slack.apiUrl,
    })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toContain(
      'Slack rejected SLACK_APP_TOKEN (invalid_auth). Copy the token from "Basic Information" in your Slack app\'s settings.',
    )
    await slack.close()
  })

  it('names all invalid settings', async () => {
    const program = startUpnext(await createFolder(), {
      SERVICE_PORT: 'http',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      METRICS_PORT: '1.5',
    })
    expect(await program.exitCode).toBe(1)
    for (const name of ['SERVICE_PORT: must be a number', 'DATABASE_URL', 'LOG_LEVEL'])
      expect(program.errors()).toContain(name)
    expect(program.errors()).toContain('METRICS_PORT: must be a whole number')
  })

  it('requires a secret key with DATABASE_URL', async () => {
    const settings = { DATABASE_URL: 'postgresql://db.example/upnext', SECRET_KEY: '' }
    const program = startUpnext(await createFolder(), settings)
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toContain(
      'SECRET_KEY: is required with DATABASE_URL, to encrypt stored data. Create one with: openssl rand -base64 32',
    )
  })

  it.runIf(process.getuid?.() === 0)(
    'stores the data in /var/lib/upnext if PostgreSQL cannot access the configured folder',
    async () => {
      const program = startService(await createFolder(0o700))
      await program.waitForLine('ready')
      const home = (await program.waitForLine('database')).split(/\s+/)[1] ?? ''
      expect(home).toMatch(/^\/var\/lib\/upnext\//)
      await program.stop('SIGTERM')
      await rm(home, { recursive: true })
    },
  )
})
