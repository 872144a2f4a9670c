// Starts the built program and schedules one post, with nothing but Node: `node test/smoke/schedule-one-post.ts`.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalSlack } from 'local-slack'
import { systemRuntime as runtime } from '../../src/runtime.ts'

const API_TOKEN = 'smoke-test-token-0123456789'
const TEXT = 'Hello from the smoke test!'
const MAX_ATTEMPTS = 300

const folder = await mkdtemp(join(tmpdir(), 'upnext-smoke-'))
await chmod(folder, 0o755)
const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime })
const { botToken, appToken } = slack.secrets
const program = spawn(process.execPath, ['dist/main.js'], {
  env: {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    SERVICE_PORT: '0',
    PORT: '0',
    API_TOKEN,
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: slack.apiUrl,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exit = new Promise((resolve) => program.on('exit', resolve))
try {
  const serviceUrl = await readServiceUrl()
  await scheduleInSlack()
  const posts = await waitFor(() => findPosts(serviceUrl), 'The service has no such post.')
  if (posts.length !== 1) throw new Error(`Expected one post, found ${posts.length}.`)
  console.log(`Scheduled one post on Node ${process.version}.`)
} finally {
  program.kill('SIGTERM')
  await exit
  await slack.close()
  await rm(folder, { recursive: true, force: true })
}

async function readServiceUrl(): Promise<string> {
  for await (const line of createInterface({ input: program.stdout })) {
    const [, url] = /^ready\s+service (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The program ended before it was ready.')
}

type ProjectInput = { element: { action_id?: string; options?: { value?: string }[] } }

async function scheduleInSlack(): Promise<void> {
  const session = slack.openSession('mara')
  const channel = session.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
  await session.runCommand({ channel, text: `/schedule-post ${TEXT} tomorrow 9am on X` })
  const view = await waitFor(async () => {
    const [top] = session.state().views
    return top?.blocks.some(({ block_id }) => block_id === 'project') ? top : undefined
  }, 'The form did not open.')
  const project = view.blocks.find(({ block_id }) => block_id === 'project') as ProjectInput | undefined
  const { action_id = '', options = [] } = project?.element ?? {}
  const result = await session.submitView({
    view: view.id,
    values: { project: { [action_id]: options[0]?.value ?? '' } },
  })
  if (!('done' in result)) throw new Error(`The form was not accepted: ${JSON.stringify(result)}`)
}

async function findPosts(serviceUrl: string): Promise<unknown[] | undefined> {
  const load = async (path: string) => {
    const response = await fetch(serviceUrl + path, { headers: { authorization: `Bearer ${API_TOKEN}` } })
    const { data }: { data: { Items: { Id: string; Content?: string }[] } } = JSON.parse(
      await response.text(),
    )
    return data.Items
  }
  const projects = await load('/api/v1/projects')
  const lists = await Promise.all(projects.map(({ Id }) => load(`/api/v1/projects/${Id}/posts?limit=100`)))
  const posts = lists.flat().filter(({ Content }) => Content?.startsWith(TEXT))
  return posts.length ? posts : undefined
}

async function waitFor<T>(find: () => Promise<T | undefined>, message: string): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const value = await find()
    if (value !== undefined) return value
    await sleep(100)
  }
  throw new Error(message)
}
