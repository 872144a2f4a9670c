import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type RunningProgram, runProgram } from './support/run-program.ts'
import { startHttpServer } from './support/servers.ts'
import { type ServiceAndSlack, startServiceAndSlack } from './support/service-and-slack.ts'

let first: ServiceAndSlack
/** The settings of a bot in another workspace, which receives requests over HTTP. */
let otherSlack: Record<string, string>
let closeOtherSlack: () => Promise<void>
let isOtherSlackDown = false
beforeAll(async () => {
  first = await startServiceAndSlack({
    name: 'workspaces',
    people: [{ handle: 'mara', name: 'Mara', tz: 'Europe/Berlin', role: 'owner' }],
    channels: [{ name: 'launch' }],
  })
  const server = await startHttpServer((_request, response) => {
    response.writeHead(isOtherSlackDown ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: true, team_id: 'T0OTHER', user_id: 'U0BOT', bot_id: 'B0BOT' }))
  })
  closeOtherSlack = server.close
  otherSlack = {
    SLACK_BOT_TOKEN: 'xoxb-other',
    SLACK_APP_TOKEN: '',
    SLACK_SIGNING_SECRET: 'secret',
    SLACK_API_URL: server.url,
  }
})
afterAll(async () => {
  await closeOtherSlack()
  await first.stop()
})

const running: RunningProgram[] = []
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop('SIGTERM')
})

/** Starts the bot on the same database each time. */
function start(changes: Record<string, string> = {}) {
  const program = runProgram('dist/main.js', [], { ...first.env, LOCAL_SLACK_PORT: '0', ...changes })
  running.push(program)
  return program
}
const startAndStop = async (changes?: Record<string, string>) => {
  const program = start(changes)
  await program.waitForLine('ready')
  await program.stop('SIGTERM')
}

async function diagnose(changes: Record<string, string>) {
  const doctor = runProgram('dist/doctor/command-line.js', ['--json'], { ...first.env, ...changes })
  await doctor.exitCode
  const { checks } = JSON.parse(doctor.output()) as { checks: { name: string }[] }
  return checks.find(({ name }) => name === 'workspace')
}

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const LOCAL_SLACK = { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', SLACK_API_URL: '' }
const REFUSAL = /belongs to the Slack workspace T0\w+, not to T0OTHER\. Use another database for T0OTHER/

it('binds itself to the first real workspace, and refuses any other until that one removes the app', async () => {
  await startAndStop(LOCAL_SLACK)
  await startAndStop()
  await start().waitForLine('ready')
  expect(await diagnose({})).toBeUndefined()
  const refused = start(otherSlack)
  expect(await refused.exitCode).toBe(1)
  expect(refused.errors()).toMatch(REFUSAL)
  expect(await diagnose(otherSlack)).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(REFUSAL),
  })
  isOtherSlackDown = true
  const undetected = start(otherSlack)
  await undetected.waitForLine('ready')
  isOtherSlackDown = false
  expect(await undetected.exitCode).toBe(1)
  expect(undetected.errors()).toMatch(REFUSAL)

  const mara = first.slack.openSession('mara')
  await mara.uninstallApp({})
  const { database } = await first.openBotDatabase()
  const listUninstallations = async () =>
    (await database.pool.query('select from upnext.uninstallation')).rowCount
  await vi.waitFor(async () => expect(await listUninstallations()).toBe(1), MAX_WAIT)
  await database.close()
  expect(await diagnose(otherSlack)).toBeUndefined()
  await startAndStop(otherSlack)

  await mara.installApp({})
  await Promise.all(
    [{}, LOCAL_SLACK].map(async (settings) => {
      const late = start(settings)
      expect(await late.exitCode).toBe(1)
      expect(late.errors()).toContain('belongs to the Slack workspace T0OTHER')
      expect(await diagnose(settings)).toMatchObject({ status: 'failed' })
    }),
  )
})
