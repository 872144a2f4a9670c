import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { sendWithFate } from '../support/lose-answers.ts'
import { fetchUnreachable } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** Answers a request that creates something. Undefined lets it through. */
let simulate: ((request: Request) => Promise<Response>) | undefined
/** The keys of the requests that create something, in order. */
let keys: (string | null)[]
/** Whether a proxy drops the key. */
let isKeyDropped: boolean

beforeEach(async () => {
  simulate = undefined
  keys = []
  isKeyDropped = false
  await open()
})
afterEach(() => upnext.close())

async function open(): Promise<void> {
  upnext = await openUpnext({
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (isKeyDropped) request.headers.delete('idempotency-key')
        if (request.method !== 'POST') return systemRuntime.fetch(request)
        keys.push(request.headers.get('idempotency-key'))
        return simulate ? simulate(request.clone()) : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
}

const loseResponse = (request: Request) => sendWithFate(request, 'answer lost')
const loseRequest = (request: Request) => sendWithFate(request, 'request lost')

const listContents = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post order by created_at, id')
  return rows.map(({ content }) => content)
}

async function submitPost(content: string): Promise<void> {
  await mara.run('/schedule-post tomorrow 9am Berlin time on X')
  const { id: view } = await mara.form('Schedule a post')
  await mara.submitView({ view, values: mara.fill({ Content: content }) })
  await mara.closeView({ view })
}

it.each([
  ['response', loseResponse],
  ['request', loseRequest],
])('creates one post if its %s is lost, and sends it again with the same key', async (_what, lose) => {
  simulate = lose
  await submitPost('Launch day!')
  simulate = undefined
  upnext.wait({ minutes: 1 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(await listContents()).toEqual(['Launch day!'])
  expect(keys.length).toBe(2)
  expect(keys[0]).toMatch(/^[\w-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

it('keeps repeating a request until a response arrives', async () => {
  simulate = loseResponse
  await submitPost('Launch day!')
  for (let minutes = 1; minutes <= 4; minutes++) {
    upnext.wait({ minutes })
    await upnext.settled()
  }
  simulate = undefined
  upnext.wait({ minutes: 15 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(await listContents()).toEqual(['Launch day!'])
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThan(2)
})

it('waits while the service is still working on the first request', async () => {
  simulate = loseResponse
  await submitPost('Launch day!')
  simulate = async () => Response.json({ detail: 'in progress' }, { status: 409 })
  upnext.wait({ minutes: 1 })
  await upnext.settled()
  await mara.run('/upnext outbox')
  await mara.hears('Checking whether it arrived…')
  simulate = undefined
  upnext.wait({ minutes: 5 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(await listContents()).toEqual(['Launch day!'])
})

it('looks a post up once its time has passed', async () => {
  simulate = loseResponse
  await submitPost('Launch day!')
  upnext.wait({ minutes: 21 * 60 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(keys).toHaveLength(1)
})

it('looks a post up that an earlier version of Upnext sent without a key', async () => {
  simulate = loseRequest
  await submitPost('Launch day!')
  await upnext.service.pool.query('update upnext.outbox_item set keyed_at = null')
  upnext.wait({ minutes: 0.3 })
  await upnext.settled()
  expect(keys).toHaveLength(1)
  simulate = undefined
  upnext.wait({ minutes: 1 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(await listContents()).toEqual(['Launch day!'])
})

it('looks a post up if a proxy drops the key', async () => {
  await upnext.close()
  isKeyDropped = true
  await open()
  simulate = loseResponse
  await submitPost('Launch day!')
  upnext.wait({ minutes: 1 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(keys).toEqual([null])
})

it('repeats an invitation with the same key', async () => {
  simulate = loseResponse
  await mara.run('/invite-user')
  const { id: view } = await mara.form('Invite someone')
  const values = {
    ...mara.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }),
    ...(await mara.pick('Role', 'EDITOR')).values,
  }
  expect(await mara.submitView({ view, values })).toEqual({ done: true })
  await mara.closeView({ view })
  simulate = undefined
  upnext.wait({ minutes: 1 })
  await mara.hears(/Invited ada@acme\.example to Acme/)
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

describe('a repeated request', () => {
  const answer = (status: number) => async () =>
    Response.json({ detail: 'no' }, { status, headers: status === 429 ? { 'retry-after': '60' } : {} })

  it.each([
    ['does not reach the service', fetchUnreachable],
    ['is limited', answer(429)],
  ])('leaves a post unconfirmed if it %s', async (_how, fail) => {
    simulate = loseResponse
    await submitPost('Launch day!')
    simulate = fail
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    expect(keys.length).toBeGreaterThan(1)
    await mara.run('/upnext outbox')
    await mara.hears('Checking whether it arrived…')
    simulate = undefined
    upnext.wait({ minutes: 20 })
    await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it.each([401, 403, 404, 422])('looks a post up if it gets %i', async (status) => {
    simulate = loseResponse
    await submitPost('Launch day!')
    simulate = answer(status)
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    upnext.wait({ minutes: 1 })
    await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
    expect(await listContents()).toEqual(['Launch day!'])
    expect(keys).toHaveLength(2)
  })

  it.each([401, 422])('is refused with %i if a lookup shows that the first one was lost', async (status) => {
    simulate = loseRequest
    await submitPost('Launch day!')
    simulate = answer(status)
    for (let count = 0; count < 3; count++) {
      upnext.wait({ minutes: 1 })
      await upnext.settled()
    }
    await mara.hears(/Launch day!/)
    await mara.run('/upnext outbox')
    await mara.hears('Try again')
    expect(await listContents()).toEqual([])
  })

  it('is not sent if the service takes no keys anymore', async () => {
    simulate = loseResponse
    await submitPost('Launch day!')
    isKeyDropped = true
    upnext.wait({ minutes: 61 })
    await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
    await upnext.settled()
    expect(await listContents()).toEqual(['Launch day!'])
  })
})
