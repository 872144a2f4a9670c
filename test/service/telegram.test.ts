import { afterEach, describe, expect, it } from 'vitest'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { createRunningClock, TEST_START, waitUntil } from '../support/clock.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { startTestService, type TestService } from '../support/service.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const TOKEN = '123456:telegram-token-of-the-test'
const CHAT = -1001234567890

/** A project whose Telegram posts are published by a bot in a channel. */
async function startProject() {
  const telegram = await startFakeTelegram()
  cleanups.push(telegram.close)
  telegram.addBot({ token: TOKEN, username: 'acme_bot' })
  telegram.addChat({
    id: CHAT,
    type: 'channel',
    title: 'Acme',
    username: 'acme',
    botStatus: 'administrator',
    canPost: true,
  })
  const clock = createRunningClock()
  const service = await startTestService({
    runtime: clock.runtime,
    publishing: { telegramApiUrl: telegram.url },
    timing: { publishIntervalMs: 20 },
  })
  cleanups.push(service.stop)
  const project_id = await service.addProject()
  const account = await saveAccount(service.db, {
    project_id,
    platform: 'TELEGRAM',
    publisher: 'TELEGRAM',
    name: 'Acme',
    target: String(CHAT),
    credentials: TOKEN,
    settings: '{}',
    checked_at: TEST_START,
  })
  await connectAccount(service.db, account)
  const admin = await service.addMember(project_id, 'ADMIN')
  const posts = `/api/v1/projects/${project_id}/posts`
  const extension = `/extensions/v1/projects/${project_id}`
  return {
    telegram,
    clock,
    service,
    admin,
    project_id,
    account,
    /** Creates a post that is due in a second, and returns its id. */
    async schedule(fields: Record<string, unknown>) {
      const json = {
        ScheduleDate: new Date(clock.now().getTime() + 60_000).toISOString(),
        Timezone: 'UTC',
        Platforms: ['TELEGRAM'],
        ...fields,
      }
      const { status, body } = await service.request('POST', posts, { ...admin, json })
      expect([status, body]).toEqual([201, body])
      clock.advance(60_000)
      return String(body.data.Id)
    },
    async getPost(id: string) {
      return (await service.request('GET', `${extension}/posts/${id}`, admin)).body.data
    },
    async settle(id: string) {
      let post: Awaited<ReturnType<typeof this.getPost>>
      await waitUntil(async () => {
        post = await this.getPost(id)
        return post.Status !== 'SCHEDULED'
      })
      return post
    },
  }
}

describe('publishing on Telegram', () => {
  it('publishes the text as it is, and records the link', async () => {
    const project = await startProject()
    const Content = 'Launch <b>day</b> & more!\n\n*Not* _markup_ 🚀 https://acme.example/?a=1&copy=2'
    const post = await project.settle(await project.schedule({ Content }))
    expect(project.telegram.sent.map(({ text }) => text)).toEqual([Content])
    expect(post).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ Platform: 'TELEGRAM', Account: 'Acme', State: 'PUBLISHED', Error: null }],
    })
    expect(post.Results[0].Link).toBe(`https://t.me/acme/${project.telegram.sent[0]?.messageId}`)
  })
})
