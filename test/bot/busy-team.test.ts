import type { UserSession } from 'local-slack'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { type ServiceAndSlack, startServiceAndSlack } from '../support/service-and-slack.ts'

const PEOPLE = Array.from({ length: 24 }, (_, index) => `person-${index}`)
const POSTS_EACH = 2
const MAX_CONCURRENT_PEOPLE = 4
const MAX_WAIT = { timeout: 60_000, interval: 20 }

let shared: ServiceAndSlack
let upnext: RunningProgram
let channel: string

beforeAll(async () => {
  shared = await startServiceAndSlack({
    name: 'busy-team',
    people: PEOPLE.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin' })),
    channels: [{ name: 'launch' }],
    disableRateLimits: true,
  })
  // Without an address, Upnext uses its own service.
  upnext = runProgram('dist/main.js', [], {
    ...shared.env,
    API_BASE_URL: '',
    SERVICE_PORT: '0',
    SERVICE_REQUESTS_PER_MINUTE: '60',
    LOG_LEVEL: 'warn',
  })
  await upnext.waitForLine('ready')
  const person = shared.slack.openSession('person-0')
  channel = person.state().channels[0]?.id ?? ''
  await person.runCommand({ channel, text: '/upnext use Northwind' })
  await vi.waitFor(
    () => expect(JSON.stringify(person.state().messages[channel])).toContain('linked'),
    MAX_WAIT,
  )
})
afterAll(async () => {
  await upnext.stop('SIGTERM')
  await shared.stop()
})

async function schedulePosts(person: UserSession, name: string): Promise<void> {
  for (let number = 1; number <= POSTS_EACH; number++) {
    await person.runCommand({
      channel,
      text: `/schedule-post Post ${number} of ${name}! in 3 days at 9am on X`,
    })
    const view = await vi.waitFor(() => {
      const top = person.state().views.at(-1)
      if (!JSON.stringify(top).includes('"block_id":"project"')) throw new Error('The form is not ready.')
      return top?.id ?? ''
    }, MAX_WAIT)
    // On a busy machine, Slack may ask them to try again.
    await vi.waitFor(
      async () => expect(await person.submitView({ view, values: {} })).toEqual({ done: true }),
      MAX_WAIT,
    )
    for (const { id } of person.state().views) await person.closeView({ view: id })
  }
}

it('sends the posts of 24 people without delay, whatever the limit of the embedded service', async () => {
  const waiting = [...PEOPLE]
  const takeTurns = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      await schedulePosts(shared.slack.openSession(name), name)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PEOPLE }, takeTurns))
  const { database } = await shared.openBotDatabase()
  const count = "select count(*)::int from service.post where content like 'Post % of person-%!'"
  await vi.waitFor(
    async () =>
      expect((await database.pool.query(count)).rows).toEqual([{ count: PEOPLE.length * POSTS_EACH }]),
    MAX_WAIT,
  )
  await database.close()
  expect(upnext.errors()).not.toContain('rate-limited')
})
