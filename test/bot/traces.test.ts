import { beforeAll, expect, it, vi } from 'vitest'
import { collectTraces, NAMES_AND_TOKENS } from '../support/collect-traces.ts'
import { MAX_WAIT, openPublishingWorkspace } from './publishing-workspace.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: object }[]
}

const WORDS = 'Quagga launch at Zephyr Street'

/** What a collector received while a post went through a service that failed at first, and was published. */
let received: string[]
let spans: Span[]

beforeAll(async () => {
  const stopTracing = await collectTraces()
  let isDown = true
  const upnext = await openPublishingWorkspace({
    respond: ({ method }) => (isDown && method === 'POST' ? Response.json({}, { status: 503 }) : undefined),
  })
  await upnext.addTelegram()
  upnext.telegram.plan(({ index }) =>
    index === 0 ? { kind: 'status', status: 429, retryAfter: 3 } : undefined,
  )
  const { mara } = upnext
  await mara.run(`/schedule-post ${WORDS} today 14:00 Berlin time on Telegram`)
  const { id: view } = await mara.form('Schedule a post')
  expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
  await mara.closeView({ view })
  isDown = false
  await upnext.passTime({ minutes: 1 })
  await mara.hears(/Done, after a delay/)
  await upnext.settled()
  await upnext.passTo('14:00')
  const attempts = () => upnext.telegram.requests.filter(({ method }) => method === 'sendMessage')
  await vi.waitFor(() => expect(attempts()).toHaveLength(1), MAX_WAIT)
  await upnext.settled()
  await upnext.passTime({ minutes: 0.2 })
  await vi.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1), MAX_WAIT)
  await upnext.hearOfResults()
  await upnext.close()
  received = await stopTracing()
  spans = received.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
})

/** The names of a part and of those that led to it. */
function pathOf(span: Span | undefined): string[] {
  if (!span) return []
  return [...pathOf(spans.find(({ spanId }) => spanId === span.parentSpanId)), span.name]
}

const statusOf = ({ attributes }: Pick<Span, 'attributes'>): unknown =>
  Object.values(attributes.find(({ key }) => key === 'http.response.status_code')?.value ?? {})[0]

const SENT = [
  'view_submission',
  'job outbox item',
  'POST /api/v1/projects/{id}/posts',
  'POST /api/v1/projects/:project_id/posts',
]

it('leads from the submission through the queue and its retries to the statements of the service', () => {
  const inserted = spans.filter(({ name }) => name === 'INSERT post')
  expect(inserted.map(pathOf)).toEqual([[...SENT, 'INSERT post']])
  const refused = spans.filter(({ name, ...span }) => name === SENT.at(2) && statusOf(span) === 503)
  expect(refused.length).toBeGreaterThan(0)
  for (const attempt of refused) expect(pathOf(attempt)).toEqual(['view_submission', SENT[2]])
})

it('leads from the submission to the network, through both attempts', () => {
  const published = spans.filter((span) => span.name === 'POST' && pathOf(span).includes('publish'))
  const path = [...SENT, 'job publish', 'publish', 'POST']
  expect(published.map((span) => [pathOf(span), statusOf(span)])).toEqual([
    [path, 429],
    [path, 200],
  ])
})

it('contains no text, no names and no tokens', () => {
  const all = received.join('\n')
  expect(all).toContain('upnext.platform')
  for (const secret of [/quagga/i, /zephyr/i, ...NAMES_AND_TOKENS]) expect(all).not.toMatch(secret)
})
