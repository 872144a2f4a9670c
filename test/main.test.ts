import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isProcessAlive } from '../src/database/start-lock.ts'
import { type RunningProgram, runProgram } from './support/run-program.ts'

const running: RunningProgram[] = []
const folders: string[] = []
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop('SIGTERM')
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const newFolder = async (mode = 0o755) => {
  const folder = await mkdtemp(join(tmpdir(), 'upnext-main-'))
  await chmod(folder, mode)
  folders.push(folder)
  return folder
}

/** The whole program on a folder of its own, with no port that could be taken. */
const start = (dataDir: string, env: Record<string, string> = {}) => {
  const program = runProgram('dist/main.js', [], {
    DATA_DIR: dataDir,
    SERVICE_PORT: '0',
    LOCAL_SLACK_PORT: '0',
    ...env,
  })
  running.push(program)
  return program
}

const urlIn = (line: string) => /http:\/\/\S+/.exec(line)?.[0] ?? ''
const tokenIn = (output: string) => /upn_\S+/.exec(output)?.[0] ?? ''
const projectsAt = async (url: string, token: string) => {
  const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data?: { Items: { Name: string }[] } }
  return { status: response.status, names: data?.Items.map(({ Name }) => Name) }
}
const postmaster = async (dataDir: string) => {
  const file = join(dataDir, 'postgres/data/postmaster.pid')
  return existsSync(file) ? Number((await readFile(file, 'utf8')).split('\n')[0]) : undefined
}

const clusterIn = async (dataDir: string) => {
  const read = (file: string) => readFile(join(dataDir, 'postgres', file), 'utf8')
  const [password, pidFile] = await Promise.all([read('password'), read('data/postmaster.pid')])
  return { password, url: `postgresql://upnext:${password}@127.0.0.1:${pidFile.split('\n')[3]}/postgres` }
}

describe('npm start', () => {
  it('prints each part, the demo token once, and at last where it is ready', async () => {
    const folder = await newFolder()
    const first = start(folder)
    const ready = await first.waitForLine('ready')
    const lines = first.output().trim().split('\n')
    expect(lines.map((line) => line.split(/\s/)[0])).toEqual([
      'database',
      'demo',
      '',
      'service',
      'slack',
      'ready',
    ])
    const token = tokenIn(first.output())
    expect(await projectsAt(urlIn(ready), token)).toEqual({
      status: 200,
      names: ['Harbor Cycling', 'Northwind Coffee'],
    })
    expect(await first.stop('SIGINT')).toBe(0)

    const second = start(folder)
    const again = await second.waitForLine('ready')
    expect(tokenIn(second.output())).toBe('')
    expect((await projectsAt(urlIn(again), token)).names).toHaveLength(2)
  })

  it('stops everything on Ctrl-C, the embedded database included', async () => {
    const folder = await newFolder()
    const program = start(folder)
    await program.waitForLine('ready')
    expect(isProcessAlive((await postmaster(folder)) ?? 0)).toBe(true)
    program.process.kill('SIGINT') // npm passes on what the terminal has sent already
    expect(await program.stop('SIGINT')).toBe(0)
    expect(await postmaster(folder)).toBeUndefined()
    expect(program.errors()).toBe('')
  })

  it('starts after it was killed, with what it had', async () => {
    const folder = await newFolder()
    const first = start(folder)
    await first.waitForLine('ready')
    const token = tokenIn(first.output())
    await first.stop('SIGKILL')

    const second = start(folder)
    expect((await projectsAt(urlIn(await second.waitForLine('ready')), token)).status).toBe(200)
    expect(await second.stop('SIGTERM')).toBe(0)
    expect(await postmaster(folder)).toBeUndefined()
  })

  it('starts after its database was killed too', async () => {
    const folder = await newFolder()
    const first = start(folder)
    await first.waitForLine('ready')
    const token = tokenIn(first.output())
    process.kill((await postmaster(folder)) ?? 0, 'SIGKILL')
    await first.stop('SIGKILL')

    const second = start(folder)
    expect((await projectsAt(urlIn(await second.waitForLine('ready')), token)).status).toBe(200)
  })

  it.each([1, 2])('brings the database back when it is killed under it, with %i at work', async (count) => {
    const folder = await newFolder()
    const programs = Array.from({ length: count }, () => start(folder))
    const ready = await Promise.all(programs.map((program) => program.waitForLine('ready')))
    const token = tokenIn(programs.map((program) => program.output()).join())
    process.kill((await postmaster(folder)) ?? 0, 'SIGKILL')

    for (const line of ready)
      await vi.waitFor(
        async () => expect((await projectsAt(urlIn(line), token)).names).toContain('Northwind Coffee'),
        { timeout: 30_000, interval: 200 },
      )
    for (const program of programs) expect(await program.stop('SIGTERM')).toBe(0)
    expect(await postmaster(folder)).toBeUndefined()
  })

  it('leaves the database running for another that uses it, whoever started it', async () => {
    const folder = await newFolder()
    const [one, two] = [start(folder), start(folder)]
    const ready = await Promise.all([one.waitForLine('ready'), two.waitForLine('ready')])
    const token = tokenIn(one.output() + two.output())
    expect(await one.stop('SIGTERM')).toBe(0)
    expect((await projectsAt(urlIn(ready[1]), token)).status).toBe(200)
    expect(await two.stop('SIGTERM')).toBe(0)
    expect(await postmaster(folder)).toBeUndefined()
  })

  it('is joined by the command line', async () => {
    const folder = await newFolder()
    const program = start(folder)
    await program.waitForLine('ready')
    const operator = runProgram('dist/service/command-line.js', ['project', 'list'], { DATA_DIR: folder })
    expect(await operator.exitCode).toBe(0)
    expect(operator.output()).toContain('Northwind Coffee')
    expect(isProcessAlive((await postmaster(folder)) ?? 0)).toBe(true)
  })

  it('is ended with the npm that started it', async () => {
    const folder = await newFolder()
    const own = {
      DATA_DIR: folder,
      SERVICE_PORT: '0',
      LOCAL_SLACK_PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      API_BASE_URL: '',
    }
    const env = { ...process.env, ...own }
    const npm = spawn('npm', ['start', '--ignore-scripts'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    for await (const chunk of npm.stdout) {
      output += chunk
      if (/^ready/m.test(output) && npm.kill('SIGTERM')) break
    }
    while (await postmaster(folder)) await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(fetch(urlIn(output))).rejects.toThrow()
  })

  it.runIf(process.platform === 'linux')(
    'starts where its last database seems alive and is somebody else',
    async () => {
      const folder = await newFolder()
      const first = start(folder)
      await first.waitForLine('ready')
      const pidFile = join(folder, 'postgres/data/postmaster.pid')
      const lines = (await readFile(pidFile, 'utf8')).split('\n')
      await first.stop('SIGTERM')
      await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
      await start(folder).waitForLine('ready')
    },
  )

  it('keeps its database from the command line though its connections were cut', async () => {
    const folder = await newFolder()
    const program = start(folder)
    const url = urlIn(await program.waitForLine('ready'))
    const cluster = await clusterIn(folder)
    const admin = new pg.Client(cluster.url)
    admin.on('error', () => {})
    await admin.connect()
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    await admin.end()
    for (let count = 0; count < 3; count++) {
      const operator = runProgram('dist/service/command-line.js', ['project', 'list'], { DATA_DIR: folder })
      expect([await operator.exitCode, operator.errors()]).toEqual([0, ''])
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await program.stop('SIGTERM')).toBe(0)
    expect(await postmaster(folder)).toBeUndefined()
  })

  it('is not kept from starting by the lock of one that was killed', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'postgres'))
    await writeFile(join(folder, 'postgres/starting.lock'), `${process.pid} 12345`)
    await start(folder).waitForLine('ready')
  })

  it('says what to do about a port that is taken, and stops what it had started', async () => {
    const folder = await newFolder()
    const port = new URL(urlIn(await start(await newFolder()).waitForLine('ready'))).port
    const program = start(folder, { SERVICE_PORT: port })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toBe(
      `Port ${port} is taken, perhaps by another Upnext. Stop that one, or set SERVICE_PORT to another port.\n`,
    )
    expect(await postmaster(folder)).toBeUndefined()
  })

  it('says which settings it cannot use', async () => {
    const program = start(await newFolder(), {
      SERVICE_PORT: 'http',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
    })
    expect(await program.exitCode).toBe(1)
    for (const name of ['SERVICE_PORT', 'DATABASE_URL', 'LOG_LEVEL']) expect(program.errors()).toContain(name)
  })

  it("takes API_TOKEN for a token of the demo's admin, in place of the one before", async () => {
    const folder = await newFolder()
    const first = start(folder, { API_TOKEN: 'a-token-for-scripts-1' })
    expect((await projectsAt(urlIn(await first.waitForLine('ready')), 'a-token-for-scripts-1')).status).toBe(
      200,
    )
    await first.stop('SIGTERM')
    const second = start(folder, { API_TOKEN: 'a-token-for-scripts-2' })
    const url = urlIn(await second.waitForLine('ready'))
    expect((await projectsAt(url, 'a-token-for-scripts-2')).status).toBe(200)
    expect((await projectsAt(url, 'a-token-for-scripts-1')).status).toBe(401)
    await second.stop('SIGTERM')
    const third = start(folder)
    expect((await projectsAt(urlIn(await third.waitForLine('ready')), 'a-token-for-scripts-2')).status).toBe(
      401,
    )
  })

  it('fills no database that somebody named', async () => {
    const folder = await newFolder()
    const embedded = start(folder)
    await embedded.waitForLine('ready')
    const { url, password } = await clusterIn(folder)
    const program = start(folder, { DATABASE_URL: url })
    await program.waitForLine('ready')
    expect(program.output()).not.toContain('demo')
    expect(program.output()).not.toContain(password)
  })

  it.runIf(process.getuid?.() === 0)(
    'finds another place for its data where PostgreSQL cannot reach the folder',
    async () => {
      const program = start(await newFolder(0o700))
      await program.waitForLine('ready')
      const home = (await program.waitForLine('database')).split(/\s+/)[1] ?? ''
      expect(home).toMatch(/^\/var\/lib\/upnext\//)
      await program.stop('SIGTERM')
      await rm(home, { recursive: true })
    },
  )
})
