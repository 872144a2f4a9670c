import { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import { toBoltLogger } from '../src/bot/slack/bolt-logger.ts'
import { createLog } from '../src/log.ts'
import { waitUntil } from './support/clock.ts'
import { createDatabase, openTestDatabase } from './support/database.ts'
import { runProgram } from './support/run-program.ts'
import { startHttpServer, startProxy } from './support/servers.ts'
import { TEST_SECRET } from './support/test-secret.ts'

/** What the log says about the error of a promise. */
async function logError(promise: Promise<unknown>): Promise<string> {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  await promise.catch((err) => log.error({ err }, 'It failed'))
  return lines.join('')
}

it('logs an error of Slack without its response, which may repeat the request', async () => {
  const server = await startHttpServer(({ headers, body }, response) => {
    response.writeHead(500, { 'x-debug': headers.authorization ?? '' }).end(body)
  })
  const slackApiUrl = `${server.url}/api/`
  const client = new WebClient('xoxb-a-secret-token', { slackApiUrl, retryConfig: { retries: 0 } })
  const logged = await logError(client.chat.postMessage({ channel: 'C1', text: 'LaunchDay' }))
  await server.close()
  expect(logged).toContain('statusCode = 500')
  expect(logged).not.toMatch(/xoxb|LaunchDay/)
})

it('logs an error of Slack without the parts that repeat the request, and an address without its path', async () => {
  const address = 'https://hooks.slack.example/commands/T1/secret?text=LaunchDay'
  const server = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        ok: false,
        error: `invalid_blocks: LaunchDay ${address}\nLaunchDay in a second line`,
      }),
    )
  })
  const client = new WebClient('xoxb-a-secret-token', { slackApiUrl: `${server.url}/api/` })
  const logged = await logError(client.chat.postMessage({ channel: 'C1', text: 'LaunchDay' }))
  await server.close()
  expect(logged).toContain('An API error occurred: invalid_blocks')
  const other = await logError(Promise.reject(new Error(`Posting to ${address} failed`)))
  expect(other).toContain('Posting to https://hooks.slack.example/… failed')
  const lines: string[] = []
  toBoltLogger(createLog('trace', { write: (line) => void lines.push(line) })).error(
    'Unhandled',
    new Error(address),
  )
  for (const text of [logged, other, ...lines]) expect(text).not.toMatch(/xoxb|LaunchDay|secret/)
})

it("logs an error of PostgreSQL with its table and constraint, and without the row's values", async () => {
  const { pool, close } = await openTestDatabase(await createDatabase())
  await pool.query("create table person (email text primary key check (email <> 'root@acme.example'))")
  const insert = (email: string) => pool.query('insert into person values ($1)', [email])
  await insert('ada@acme.example')
  const logged = [
    await logError(insert('ada@acme.example')),
    await logError(insert('root@acme.example')),
    await logError(pool.query('select $1::jsonb', ['{"email": "ada@acme.example" "'])),
  ]
  await close()
  expect(logged[0]).toMatch(/person_pkey.*It failed/)
  for (const text of logged) expect(text).not.toContain('@acme.example')
})

it("logs a lost connection to the database in a short line, without the connection's secret key", async () => {
  const proxy = await startProxy(await createDatabase())
  const service = runProgram('dist/service/command-line.js', [], {
    DATABASE_URL: proxy.url,
    SECRET_KEY: TEST_SECRET,
    SERVICE_PORT: '0',
  })
  await service.waitForLine('ready')
  proxy.disconnect()
  await waitUntil(() => service.errors().includes('Database error'))
  await service.stop('SIGTERM')
  await proxy.close()
  expect(service.errors()).not.toMatch(/secretKey|processID/)
  for (const line of service.errors().split('\n')) expect(line.length).toBeLessThan(5000)
})
