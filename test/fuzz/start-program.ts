import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openLocalSlack } from 'local-slack'
import { systemRuntime } from '../../src/runtime.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { findFreePort } from '../support/servers.ts'

export type Memory = { heapUsed: number; rss: number }

/** A request of Slack to the bot, as it was sent. */
export type RecordedRequest = { contentType: string; body: string }

export type FuzzedProgram = Awaited<ReturnType<typeof startProgram>>

const MAX_ERROR_LENGTH = 1500
const ADMIN_TOKEN = 'token-for-fuzzing-and-nothing-else'

/** Starts the built program, which serves the API and the bot over HTTP, and a local Slack for the bot. */
export async function startProgram() {
  const folder = await mkdtemp(join(tmpdir(), 'upnext-fuzz-'))
  await chmod(folder, 0o755) // as root, PostgreSQL runs as another account
  const [servicePort, botPort] = [await findFreePort(), await findFreePort()]
  const [serviceUrl, botUrl] = [servicePort, botPort].map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
  ]
  const recorder = await startRecorder(botUrl)
  const slack = await openLocalSlack({
    manifest: resolve('manifest.yml'),
    runtime: systemRuntime,
    requestUrl: recorder.url,
    disableRateLimits: true,
    onError: () => {},
  })
  const dataDir = join(folder, 'data')
  const env = {
    DATA_DIR: dataDir,
    API_TOKEN: ADMIN_TOKEN,
    SERVICE_PORT: String(servicePort),
    PORT: String(botPort),
    SLACK_BOT_TOKEN: slack.secrets.botToken,
    SLACK_SIGNING_SECRET: slack.secrets.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    LOG_LEVEL: 'error',
    USER_ACTIONS_PER_MINUTE: '0',
    WORKSPACE_ACTIONS_PER_MINUTE: '0',
    SERVICE_REQUESTS_PER_MINUTE: '0',
    NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/fuzz/report-memory.mjs'))}`,
  }
  let program: RunningProgram
  const start = async () => {
    program = runProgram('dist/main.js', [], env)
    await program.waitForLine('ready')
  }
  await start()

  const lastErrors = () => program.errors().trim().slice(-MAX_ERROR_LENGTH)

  async function addToken(email: string): Promise<string> {
    const command = runProgram('dist/service/command-line.js', ['token', 'add', email], { DATA_DIR: dataDir })
    await command.exitCode
    return command.output().trim().split('\n').at(-1) ?? ''
  }

  return {
    slack,
    serviceUrl,
    botUrl,
    recorded: recorder.recorded,
    tokens: [ADMIN_TOKEN, await addToken('tomas@upnext.example'), await addToken('ines@upnext.example')],
    /** Waits a moment for the program to end, because its connections close first. */
    async hasCrashed(): Promise<boolean> {
      return (await Promise.race([program.exitCode.then(() => true), sleep(500, false)])) === true
    },
    /** What the program logged or printed last. */
    lastErrors,
    /** Returns what the ended program printed last. */
    async restart(): Promise<string> {
      const errors = lastErrors()
      await start()
      return errors
    },
    async measureMemory(): Promise<Memory> {
      const countReports = () => program.output().split('\nmemory ').length
      const before = countReports()
      program.process.kill('SIGUSR2')
      while (countReports() === before && program.process.exitCode === null) await sleep(20)
      return JSON.parse(/.*/.exec(program.output().split('\nmemory ').at(-1) ?? '')?.[0] ?? '')
    },
    async stop() {
      await slack.close()
      await recorder.close()
      await program.stop('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Passes the requests of Slack on to the bot, and keeps them. */
async function startRecorder(botUrl: string) {
  const recorded: RecordedRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers
    recorded.push({ contentType: headers['content-type'] ?? '', body })
    const response = await fetch(botUrl + incoming.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    }).catch(() => undefined)
    const contentType = response?.headers.get('content-type')
    outgoing.writeHead(response?.status ?? 502, contentType ? { 'content-type': contentType } : {})
    outgoing.end(await response?.text())
  })
  const port = await findFreePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    recorded,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  }
}
