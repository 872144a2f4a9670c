import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { sendWithFate } from '../support/lose-answers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let admins: string[]
/** Simulates what becomes of a request that creates something. Undefined lets it through. */
let simulate: ((request: Request) => Promise<Response>) | undefined
/** The keys of the requests that create something, in order. */
let keys: (string | null)[]

beforeEach(async () => {
  simulate = undefined
  keys = []
  admins = []
  upnext = await openUpnext({
    admins,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.method !== 'POST') return systemRuntime.fetch(request)
        keys.push(request.headers.get('idempotency-key'))
        return simulate ? simulate(request.clone()) : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

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

it('sends a post that is lost several times until there is a response', async () => {
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
  let creations = 0
  upnext = await openUpnext({
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        request.headers.delete('idempotency-key')
        if (request.method !== 'POST') return systemRuntime.fetch(request)
        creations += 1
        return loseResponse(request)
      },
    },
  })
  mara = upnext.person('mara')
  await submitPost('Launch day!')
  upnext.wait({ minutes: 1 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(creations).toBe(1)
})

it("finds an invitation whose response was lost, and doesn't send it twice", async () => {
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
  expect(new Set(keys).size).toBe(1)
})
