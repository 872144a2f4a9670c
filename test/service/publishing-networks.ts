import { type FakePostizOptions, startFakePostiz } from '../support/fake-postiz.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { startHttpServer } from '../support/servers.ts'

export const BOT_TOKEN = '123456:telegram-token-of-the-test'
export const CHAT = -1001234567890

type Telegram = Awaited<ReturnType<typeof startFakeTelegram>>
type Postiz = Awaited<ReturnType<typeof startFakePostiz>>

type Networks = { telegram: Telegram; postiz: Postiz; files: Awaited<ReturnType<typeof startFileServer>> }

/** Starts fakes of the networks, with a bot that may post in a channel, and a server for the files of posts. */
export async function startNetworks(now: () => Date, options: FakePostizOptions = {}): Promise<Networks> {
  const telegram = await startFakeTelegram({ now })
  telegram.addBot({ token: BOT_TOKEN, username: 'acme_bot' })
  telegram.addChat(createChat())
  const postiz = await startFakePostiz({ now, ...options })
  return { telegram, postiz, files: await startFileServer() }
}

/** The channel of the project. */
export const createChat = (change: Partial<Parameters<Telegram['addChat']>[0]> = {}) => ({
  id: CHAT,
  type: 'channel' as const,
  title: 'Acme',
  username: 'acme',
  botStatus: 'administrator' as const,
  ...change,
})

/** A server for the files of posts. */
async function startFileServer() {
  const contents = new Map<string, Buffer>()
  let failure: { status: number; location?: string } | undefined
  const server = await startHttpServer(({ url }, response) => {
    const content = contents.get(url)
    const status = failure?.status ?? (content ? 200 : 404)
    const isPage = content?.toString().startsWith('<!doctype html>')
    response.writeHead(status, {
      ...(failure?.location && { location: failure.location }),
      ...(isPage && { 'content-type': 'text/html; charset=utf-8' }),
    })
    response.end(status === 200 ? content : 'Not a file')
  })
  return {
    ...server,
    /** Returns the link of the file. */
    add(name: string, content: Buffer, folder = 'media'): string {
      contents.set(`/${folder}/${name}`, content)
      return `${server.url}/${folder}/${name}`
    },
    /** Responds to all requests with this status. */
    fail(newFailure: typeof failure) {
      failure = newFailure
    },
  }
}
