import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/database/database.ts'
import { addMs, systemRuntime } from '../../src/runtime.ts'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { insertProject } from '../../src/service/stores/projects-store.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { runProgram } from '../support/run-program.ts'

/**
 * How soon one instance publishes posts in as many Telegram chats that are all due in the same second. The network responds
 * in 200 ms, and takes as many requests a second as Telegram documents.
 */
const CHATS = Number(process.argv[2] ?? 500)
const LATENCY_MS = 200
const REQUESTS_PER_SECOND = 30
const BOT_TOKEN = '123456:token-of-the-bench-bot'
const chatId = (index: number) => -1_000_000_000_000 - index

for (const perSecond of [undefined, REQUESTS_PER_SECOND]) {
  const telegram = await startFakeTelegram({
    latencyMs: LATENCY_MS,
    ...(perSecond && { limits: { perSecond } }),
  })
  telegram.addBot({ token: BOT_TOKEN, username: 'bench_bot' })
  for (let index = 0; index < CHATS; index++)
    telegram.addChat({
      id: chatId(index),
      type: 'channel',
      title: `Chat ${index}`,
      botStatus: 'administrator',
      canPost: true,
    })
  const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
  await chmod(folder, 0o755)
  const database = await openDatabase({
    config: { DATA_DIR: folder, SECRET_KEY: [] },
    onError: () => {},
    runtime: systemRuntime,
  })
  const db = await openServiceDatabase(database)
  const service = runProgram('dist/service/command-line.js', [], {
    DATA_DIR: folder,
    SERVICE_PORT: '0',
    TELEGRAM_API_URL: telegram.url,
  })
  await service.waitForLine('ready')
  const dueAt = addMs(new Date(), 20_000)
  for (let index = 0; index < CHATS; index++) {
    const project = await insertProject(db, `Bench ${index}`)
    const project_id = project?.id ?? ''
    const account = {
      project_id,
      platform: 'TELEGRAM' as const,
      publisher: 'TELEGRAM' as const,
      name: `Chat ${index}`,
      target: String(chatId(index)),
      credentials: BOT_TOKEN,
      settings: '{}',
      checked_at: new Date(),
    }
    await connectAccount(db, await saveAccount(db, account))
    await insertPost(db, {
      project_id,
      content: `Post ${index}`,
      schedule_date: dueAt,
      timezone: 'UTC',
      platforms: ['TELEGRAM'],
      status: 'SCHEDULED',
    })
  }
  if (new Date() > dueAt) throw new Error('The posts were due before all were stored.')
  while (telegram.sent.length < CHATS) await sleep(200)
  const late = telegram.sent.map(({ at }) => at.getTime() - dueAt.getTime()).sort((a, b) => a - b)
  const chats = new Set(telegram.sent.map(({ chat }) => chat)).size
  console.log(
    `${perSecond ? `${perSecond} requests a second` : 'no limit'}: ${telegram.sent.length} messages in ${chats} chats, ` +
      `median ${late[late.length >> 1]} ms after their time, last ${late.at(-1)} ms, ${telegram.requests.length} requests`,
  )
  await service.stop('SIGTERM')
  await database.close()
  await telegram.close()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
