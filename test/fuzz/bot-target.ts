import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '../support/seeded-random.ts'
import { breakBytes, hostileJson, hostileString, mutateJson } from './hostile-values.ts'
import { describeRequest, type HttpInput, sendRequest } from './send-request.ts'
import type { FuzzedProgram, RecordedRequest } from './start-program.ts'
import type { Target } from './target.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Signed requests to the bot: those of Slack, changed a little or completely. */
export async function createBotTarget(program: FuzzedProgram, random: SeededRandom): Promise<Target> {
  const { below, oneOf } = random
  const { botUrl, slack } = program
  const requests = await recordRequests(program)

  function changeRequest({ contentType, body }: RecordedRequest): RecordedRequest {
    const kind = below(20)
    if (kind === 0) return { contentType, body }
    if (kind === 1) return { contentType: oneOf([FORM, JSON_TYPE, 'text/plain', '']), body }
    if (kind === 2) return { contentType: JSON_TYPE, body: hostileJson(random) }
    if (kind === 3)
      return { contentType: FORM, body: String(new URLSearchParams({ payload: hostileJson(random) })) }
    if (contentType.startsWith(JSON_TYPE)) return { contentType, body: mutateJson(JSON.parse(body), random) }
    const fields = new URLSearchParams(body)
    const payload = fields.get('payload')
    if (payload) fields.set('payload', mutateJson(JSON.parse(payload), random))
    else fields.set(below(3) ? 'text' : oneOf([...fields.keys()]), createCommandText())
    return { contentType, body: String(fields) }
  }

  const createCommandText = () =>
    below(2) ? `${oneOf(VERBS)} ${hostileString(random)}` : hostileString(random)

  function createRequest(): HttpInput {
    const { contentType, body: text } = changeRequest(oneOf(requests))
    const body = below(10) ? Buffer.from(text) : breakBytes(text, random)
    return { method: 'POST', path: '/slack/events', headers: { 'content-type': contentType }, body }
  }

  return {
    name: 'bot',
    concurrency: 150,
    createInput() {
      const request = createRequest()
      return {
        description: describeRequest(request),
        async run() {
          const signature = sign(request.body, slack.secrets.signingSecret)
          const status = await sendRequest(botUrl, {
            ...request,
            headers: { ...request.headers, ...signature },
          })
          // Bolt waits 3 s for a listener of an unknown request before it answers 404.
          return {
            outcome: String(status),
            isFault: status >= 500 && status !== 503,
            mayBeSlow: status === 404,
          }
        },
      }
    },
  }
}

const VERBS = [
  'next',
  'schedule',
  'posts',
  'templates',
  'prompt',
  'invite',
  'user',
  'source',
  'logs',
  'outbox',
  'digest',
  'use',
  'zone',
]

function sign(body: Buffer, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}

const COMMANDS = [
  ...[
    '/upnext',
    '/upnext help',
    '/upnext use Northwind',
    '/upnext posts',
    '/upnext posts drafts from monday to friday',
    '/list-logs',
  ],
  ...[
    '/upnext templates',
    '/upnext projects',
    '/upnext outbox',
    '/upnext zone Lisbon',
    '/upnext digest weekdays at 9am',
    '/upnext digest now',
  ],
  ...[
    '/schedule-post Launch day! tomorrow 9am on LinkedIn and X',
    '/invite-user',
    '/update-source',
    '/upnext user',
    '/upnext prompt',
  ],
  ...['/upnext digest', '/upnext delete-webhook', '/upnext delete-file'],
]

const FORM_TIMEOUT_MS = 5000

/** Lets an admin and a guest do everything once, and returns what Slack sent to the bot. */
async function recordRequests({ slack, recorded }: FuzzedProgram): Promise<RecordedRequest[]> {
  for (const handle of ['mara', 'noor']) {
    const user = slack.openSession(handle)
    const channel = user.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
    await user.openAppTab({ tab: 'home' })
    for (const text of COMMANDS) {
      await user.runCommand({ channel, text })
      await sleep(100)
      const view = await waitForForm(() => user.state().views.at(-1))
      if (view) {
        await user.submitView({ view: view.id, values: {} })
        await user.closeView({ view: view.id })
      }
      const message = user.state().messages[channel]?.at(-1)
      await pressButtons(user, { channel, ts: message?.ts ?? '' }, message?.blocks as Block[] | undefined)
    }
    const { id = '', blocks } = user.state().home ?? {}
    await pressButtons(user, { view: id }, blocks as Block[] | undefined)
  }
  const shapes = new Set<string>()
  return recorded.filter(({ body }) => {
    // Similar requests would only make the rare ones rarer.
    const shape = body.replace(/[0-9a-z.+-]{12,}|\d+/gi, '')
    return !shapes.has(shape) && shapes.add(shape)
  })
}

async function waitForForm<View extends { blocks: { block_id?: string }[] }>(
  findView: () => View | undefined,
) {
  if (!findView()) return undefined
  const deadline = Date.now() + FORM_TIMEOUT_MS
  while (!findView()?.blocks.some(({ block_id }) => block_id === 'project') && Date.now() < deadline)
    await sleep(50)
  return findView()
}

type Session = ReturnType<FuzzedProgram['slack']['openSession']>
type Block = { block_id?: string; elements?: { action_id?: string }[]; accessory?: { action_id?: string } }

type Container = Parameters<Session['dispatchAction']>[0]['container']

/** Presses every button and opens every menu. */
async function pressButtons(user: Session, container: Container, blocks: Block[] = []): Promise<void> {
  for (const { block_id = '', elements = [], accessory } of blocks)
    for (const { action_id } of [...elements, ...(accessory ? [accessory] : [])]) {
      if (!action_id) continue
      await Promise.allSettled([
        user.dispatchAction({ container, block_id, action_id }),
        user.loadOptions({ container, block_id, action_id, query: 'a' }),
      ])
      const opened = user.state().views.at(-1)
      if (opened) await user.closeView({ view: opened.id })
    }
}
