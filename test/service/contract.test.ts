import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { operations } from '../../src/service/operations/index.ts'
import { insertTemplate } from '../../src/service/stores/prompts-and-templates-store.ts'
import { insertSource } from '../../src/service/stores/sources-store.ts'
import { saveWebhook } from '../../src/service/stores/webhooks-store.ts'
import { startTestService, type TestResponse, type TestService } from '../support/service.ts'

type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref: string }> }>>
  components: {
    responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>
  }
}

const contract: Document = parse(readFileSync('openapi/social-scheduling.v1.yaml', 'utf8'))
const extensions: Document = parse(readFileSync('openapi/extensions.v1.yaml', 'utf8'))

const declaredIn = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        ...operation,
      })),
  )

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema(contract, 'contract')

/** Whether the document describes this answer of this operation, by the most exact entry for its status. */
function expectDescribed(id: string, reply: TestResponse): void {
  const responses = declaredIn(contract).find((declared) => declared.id === id)?.responses ?? {}
  const exact = responses[reply.status] ?? responses[`${String(reply.status)[0]}XX`]
  expect(exact, `${id} declares no answer ${reply.status}`).toBeDefined()
  const name = exact?.$ref.split('/').at(-1) ?? ''
  const schema = contract.components.responses[name]?.content?.['application/json'].schema.$ref
  if (!schema) {
    expect(reply.body).toEqual({ detail: expect.any(String) })
    return
  }
  const validate = ajv.getSchema(`contract${schema}`)
  expect(validate?.(reply.body), `${id} ${reply.status}: ${JSON.stringify(validate?.errors)}`).toBe(true)
}

let service: TestService
let project: string
let admin: { id: string; token: string }

beforeAll(async () => {
  service = await startTestService()
  project = await service.addProject()
  admin = await service.addMember(project, 'ADMIN')
})
afterAll(() => service.stop())

const inProject = (path: string) => `/api/v1/projects/${project}${path}`
const nobody = '00000000-0000-4000-8000-000000000000'

describe('the routes', () => {
  it('serve exactly the operations that the contract and the extensions declare', () => {
    const served = operations.map(({ id, method, path }) => `${method} ${path} ${id}`).sort()
    const declared = [...declaredIn(contract), ...declaredIn(extensions)].map(
      ({ id, method, path }) => `${method} ${path} ${id}`,
    )
    expect(declaredIn(contract)).toHaveLength(14)
    expect(served).toEqual(declared.sort())
  })

  it('are there: each answers something else than that there is no such path', async () => {
    for (const { method, path } of operations) {
      const reply = await service.request(method, path.replace(/\{\w+\}/g, nobody), {
        json: method === 'GET' ? undefined : {},
      })
      expect([path, reply.status]).toEqual([path, 401])
    }
  })

  it('answer 405 to a method that is not declared, and say which are', async () => {
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const reply = await service.request('PATCH', path.replace(/\{\w+\}/g, nobody), { token: admin.token })
      expect([path, reply.status, reply.body.detail]).toEqual([path, 405, 'Method Not Allowed'])
      const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method)
      expect(reply.headers.get('allow')?.split(', ')).toEqual(methods)
    }
  })

  it('answer 404 in JSON to a path that is not declared', async () => {
    const reply = await service.request('GET', '/api/v1/nothing')
    expect([reply.status, reply.body]).toEqual([404, { detail: 'Not Found' }])
  })

  it('take a trailing slash for no other path', async () => {
    expect((await service.request('GET', '/api/v1/projects/', { token: admin.token })).status).toBe(200)
  })
})

type TestCall = [status: number, method: string, path: string, json?: unknown]

/** For each operation, calls that go well and calls that do not, with the status that each must get. */
const calls: Record<string, () => Promise<TestCall[]> | TestCall[]> = {
  listProjects: () => [[200, 'GET', '/api/v1/projects']],
  listPosts: () => [
    [200, 'GET', inProject('/posts')],
    [200, 'GET', inProject('/posts?skip=1&limit=2&platforms=X&platforms=REDDIT&status=DRAFT')],
    [
      200,
      'GET',
      inProject('/posts?schedule_date_from=2026-01-01&schedule_date_to=2027-01-01T00:00:00%2B02:00'),
    ],
    [422, 'GET', inProject('/posts?skip=abc&limit=501&schedule_date_from=soon&platforms=MYSPACE')],
    [404, 'GET', `/api/v1/projects/${nobody}/posts`],
  ],
  createPost: () => [
    [201, 'POST', inProject('/posts'), { Content: 'A draft' }],
    [201, 'POST', inProject('/posts'), { ...later, Status: 'SCHEDULED' }],
    [422, 'POST', inProject('/posts'), { Status: 'SCHEDULED' }],
    [422, 'POST', inProject('/posts'), []],
  ],
  addNonPlatformUserToProject: () => [
    [201, 'POST', inProject('/users/invite'), { Email: 'new@upnext.example', FirstName: 'New' }],
    [422, 'POST', inProject('/users/invite'), { Email: 'new@upnext.example' }],
    [422, 'POST', inProject('/users/invite'), { Email: 'nope', Role: 'KING', FirstName: 7 }],
  ],
  updateProjectUser: async () => {
    const user = await service.addMember(project, 'VIEWER')
    return [
      [200, 'PUT', inProject(`/users/${user.id}`), { Role: 'EDITOR', Status: 'INACTIVE' }],
      [422, 'PUT', inProject(`/users/${user.id}`), { Role: 'KING' }],
      [404, 'PUT', inProject(`/users/${nobody}`), { Role: 'EDITOR' }],
      [404, 'PUT', inProject('/users/17'), { Role: 'EDITOR' }],
    ]
  },
  createPrompt: () => [
    [201, 'POST', inProject('/prompts'), { Title: 'Short', PromptText: 'Be brief.' }],
    [422, 'POST', inProject('/prompts'), { Title: '', Description: null }],
  ],
  listTemplates: () => [[200, 'GET', inProject('/templates')]],
  getTemplate: async () => {
    const { id } = await insertTemplate(service.db, {
      project_id: project,
      title: 'T',
      content: 'C',
      description: null,
    })
    return [
      [200, 'GET', inProject(`/templates/${id}`)],
      [404, 'GET', inProject(`/templates/${nobody}`)],
    ]
  },
  listSources: () => [[200, 'GET', inProject('/sources')]],
  updateSource: async () => {
    const { id } = await insertSource(service.db, {
      project_id: project,
      source: 'https://a.example',
      description: null,
    })
    return [
      [
        200,
        'PUT',
        inProject(`/sources/${id}`),
        { Description: 'D', Source: { Source: 'https://b.example' } },
      ],
      [422, 'PUT', inProject(`/sources/${id}`), { Source: { Source: 5 } }],
      [404, 'PUT', inProject(`/sources/${nobody}`), { Description: 'D' }],
    ]
  },
  listLogs: () => [[200, 'GET', inProject('/logs')]],
  getUpnextPost: () => [[200, 'GET', inProject('/dashboard/upnext-post')]],
  deleteWebhook: async () => {
    await saveWebhook(service.db, { project_id: project, url: 'https://a.example', secret: 'whsec_' })
    return [
      [200, 'DELETE', inProject('/webhook')],
      [404, 'DELETE', inProject('/webhook')],
    ]
  },
  deleteFile: async () => {
    const staged = await service.request('PUT', '/extensions/v1/staged-file?name=a.png', {
      ...admin,
      body: 'a',
    })
    expect(staged.status).toBe(200)
    return [
      [200, 'DELETE', '/api/v1/common/file'],
      [404, 'DELETE', '/api/v1/common/file'],
    ]
  },
}

const later = { Content: 'Later', ScheduleDate: '2099-01-01T09:00', Timezone: 'Asia/Tokyo', Platforms: ['X'] }

describe('every answer', () => {
  it.each(declaredIn(contract))('of $id is as the contract describes it', async ({ id, method, path }) => {
    const made = await calls[id]?.()
    expect(made?.length).toBeGreaterThan(0)
    for (const [status, method, path, json] of made ?? []) {
      const reply = await service.request(method, path, { ...admin, json })
      expect([reply.status, reply.body]).toEqual([status, reply.body])
      expectDescribed(id, reply)
      if (status < 300) expect(reply.body.success).toBe(true)
    }
    const reply = await service.request(method, path.replace(/\{\w+\}/g, project))
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expectDescribed(id, reply)
  })
})
