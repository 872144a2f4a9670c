import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type LocalSlack, openLocalSlack } from 'local-slack'
import { connectBotDatabase } from '../../src/bot/connect-database.ts'
import type { Db } from '../../src/bot/database/tables.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { readSecretFile } from '../../src/database/secret-keys.ts'
import { openSharedServer } from '../../src/database/shared-server.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { runProgram } from './run-program.ts'

type Options = {
  /** Used for the workspace and the temporary folder. */
  name: string
  people: { handle: string; name: string; tz: string; role?: string }[]
  /** The app is a member of every channel, and by default all people are. */
  channels: { name: string; members?: string[] }[]
  userGroups?: { handle: string; name: string; members: string[] }[]
  disableRateLimits?: boolean
}

export type ServiceAndSlack = {
  slack: LocalSlack
  serviceUrl: string
  /** Accepted by the service. */
  token: string
  /** The settings with which the built program uses this service and this Slack. */
  env: Record<string, string>
  /** Gets the `data` of a response of the service. */
  getData: (path: string) => Promise<unknown>
  /** The id of a project that the token may use. */
  findProject: () => Promise<string>
  /** Settings that name the database of `env` by its URL, which may lead through a proxy. */
  findDatabase: () => Promise<{ DATABASE_URL: string; SECRET_KEY: string }>
  /** Opens the database that the service and the bot share. */
  openBotDatabase: () => Promise<{ database: Database; db: Db }>
  /** Deletes everything. */
  stop: () => Promise<void>
}

/** Starts the built service on a new database, and a local Slack, for long runs and benchmarks. */
export async function startServiceAndSlack(options: Options): Promise<ServiceAndSlack> {
  const { name, people, channels, userGroups = [], disableRateLimits = false } = options
  const token = `token-for-${name}-and-nothing-else`
  const folder = await mkdtemp(join(tmpdir(), `upnext-${name}-`))
  await chmod(folder, 0o755) // as root, PostgreSQL runs as another account
  const dataDir = join(folder, 'data')
  const service = runProgram('dist/service/command-line.js', [], {
    DATA_DIR: dataDir,
    SERVICE_PORT: '0',
    API_TOKEN: token,
    SERVICE_REQUESTS_PER_MINUTE: '0',
  })
  const [, serviceUrl = ''] = /service (http\S+)/.exec(await service.waitForLine('ready')) ?? []
  const seed = join(folder, 'seed.yml')
  const members = people.map(({ handle }) => handle)
  await writeFile(
    seed,
    JSON.stringify({
      team: { name, domain: name },
      users: people,
      channels: channels.map((channel) => ({ members, ...channel, app: true })),
      user_groups: userGroups,
    }),
  )
  const slack = await openLocalSlack({
    manifest: resolve('manifest.yml'),
    runtime: systemRuntime,
    seed,
    disableRateLimits,
    onError: () => {},
  })
  const getData = async (path: string) => {
    const response = await fetch(serviceUrl + path, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as { data: unknown }
    return data
  }
  return {
    slack,
    serviceUrl,
    token,
    env: {
      DATA_DIR: dataDir,
      API_BASE_URL: serviceUrl,
      API_TOKEN: token,
      SLACK_BOT_TOKEN: slack.secrets.botToken,
      SLACK_APP_TOKEN: slack.secrets.appToken,
      SLACK_API_URL: slack.apiUrl,
      LOG_LEVEL: 'fatal',
      USER_ACTIONS_PER_MINUTE: '0',
      WORKSPACE_ACTIONS_PER_MINUTE: '0',
    },
    getData,
    async findProject() {
      const [, id = ''] = /"Id":"([^"]+)"/.exec(JSON.stringify(await getData('/api/v1/projects'))) ?? []
      return id
    },
    async findDatabase() {
      const { url, close } = await openSharedServer(dataDir, systemRuntime.randomBytes)
      await close()
      return { DATABASE_URL: url, SECRET_KEY: (await readSecretFile(dataDir, systemRuntime)).secret }
    },
    async openBotDatabase() {
      const database = await openDatabase({
        config: { DATA_DIR: dataDir, SECRET_KEY: [] },
        onError: () => {},
        runtime: systemRuntime,
      })
      return { database, db: await connectBotDatabase(database) }
    },
    async stop() {
      await slack.close()
      await service.stop('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
