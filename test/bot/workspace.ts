import { createApi } from '../../src/api/client.ts'
import { startBot } from '../../src/bot/start-bot.ts'
import { type AtDesk, type LocalSlack, openLocalSlack } from '../../src/local-slack/open-local-slack.ts'
import { createLog } from '../../src/log.ts'
import { connectStore } from '../../src/store/connect.ts'
import { realWorld } from '../../src/world.ts'
import { startTestService, type TestService } from '../support/service.ts'

export type Upnext = {
  slack: LocalSlack
  service: TestService
  project: string
  close: () => Promise<void>
  /** A person in #launch, with what they see there. */
  person: (handle: string) => Member
}

export type Member = AtDesk & {
  channel: string
  run: (text: string) => Promise<unknown>
  /** What the bot told them last. */
  told: () => string | undefined
}

type Options = { api?: { fetch?: typeof fetch; token?: string }; admins?: string[]; projects?: string[] }

/** The bot on the real service, the real database and the local Slack: all of it but the process. */
export async function openUpnext({
  api = {},
  admins = [],
  projects = ['Acme'],
}: Options = {}): Promise<Upnext> {
  const service = await startTestService()
  const ids: string[] = []
  for (const name of projects) ids.push(await service.addProject(name))
  const [project = ''] = ids
  const { token } = await service.addMember(project, 'ADMIN')
  const slack = await openLocalSlack({ manifest: 'manifest.yml', world: realWorld })
  const db = await connectStore(service.pool)
  const { botToken, appToken } = slack.secrets
  const bot = await startBot({
    bot: {
      api: createApi({ ...realWorld, baseUrl: service.url, token, ...api }),
      db,
      log: createLog('silent'),
      world: realWorld,
      admins,
      guestsMayWrite: false,
    },
    slack: { botToken, appToken, apiUrl: slack.apiUrl },
    host: '127.0.0.1',
    port: 0,
  })
  return {
    slack,
    service,
    project,
    async close() {
      await bot.stop()
      await slack.close()
      await service.stop()
    },
    person(handle) {
      const desk = slack.sit(handle)
      const channel = desk.sees().channels.find(({ name }) => name === 'launch')?.id ?? ''
      return Object.assign(desk, {
        channel,
        run: (text: string) => desk.runCommand({ channel, text }),
        told: () =>
          textOf(
            Object.values(desk.sees().messages)
              .flat()
              .filter((message) => 'bot_id' in message)
              .sort((one, other) => (one.ts < other.ts ? -1 : 1))
              .at(-1),
          ),
      })
    },
  }
}

/** All words of a message, whichever block they stand in. */
function textOf(message: unknown): string | undefined {
  if (!message) return undefined
  const words: string[] = []
  JSON.stringify(message, (key, value) => {
    if (key === 'text' && typeof value === 'string') words.push(value)
    return value
  })
  return words.join('\n')
}
