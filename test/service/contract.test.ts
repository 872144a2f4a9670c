import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { operations } from '../../src/service/operations/index.ts'
import { saveWebhook } from '../../src/service/stores/projects-store.ts'
import { insertSource, insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { createTestClock } from '../support/clock.ts'
import { startTestService, type TestResponse, type TestService } from '../support/service.ts'

type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref: string }> }>>
  components: {
    responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>
  }
}

const contract: Document = parse(readFileSync('openapi/social-scheduling.v1.yaml', 'utf8'))
const extensions: Document = parse(readFileSync('openapi/extensions.v1.yaml', 'utf8'))

const listOperations = (document: Document) =>
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

/** Checks a response against the contract's entry for its status, or for a range such as 4XX. */
function expectContract(id: string, response: TestResponse): void {
  const responses = listOperations(contract).find((declared) => declared.id === id)?.responses ?? {}
  const declared = responses[response.status] ?? responses[`${String(response.status)[0]}XX`]
  expect(declared, `${id} doesn't declare status ${response.status}`).toBeDefined()
  const name = declared?.$ref.split('/').at(-1) ?? ''
  const schema = contract.components.responses[name]?.content?.['application/json'].schema.$ref
  if (!schema) {
    expect(response.body).toEqual({ detail: expect.any(String) })
    return
  }
  const validate = ajv.getSchema(`contract${schema}`)
  expect(validate?.(response.body), `${id} ${response.status}: ${JSON.stringify(validate?.errors)}`).toBe(
    true,
  )
}

let service: TestService
let project: string
let admin: { id: string; token: string }

beforeAll(async () => {
  service = await startTestService({ runtime: createTestClock().runtime })
  project = await service.addProject()
  admin = await service.addMember(project, 'ADMIN')
})
afterAll(() => service.stop())

const inProject = (path: string) => `/api/v1/projects/${project}${path}`
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('routes', () => {
  it('serves exactly the operations that the contract and its extensions declare', () => {
    const served = Object.entries(operations).map(([id, { method, path }]) => `${method} ${path} ${id}`)
    const declared = [...listOperations(contract), ...listOperations(extensions)].map(
      ({ id, method, path }) => `${method} ${path} ${id}`,
    )
    expect(listOperations(contract)).toHaveLength(14)
    expect(served.sort()).toEqual(declared.sort())
  })

  it('requires a token for every operation', async () => {
    for (const { method, path } of Object.values(operations)) {
      const response = await service.request(method, path.replace(/\{\w+\}/g, UNKNOWN_ID), {
        json: method === 'GET' ? undefined : {},
      })
      expect([path, response.status]).toEqual([path, 401])
    }
  })

  it('returns 405 and the list of allowed methods for an undeclared method', async () => {
    for (const path of new Set(Object.values(operations).map((operation) => operation.path))) {
      const response = await service.request('PATCH', path.replace(/\{\w+\}/g, UNKNOWN_ID), {
        token: admin.token,
      })
      expect([path, response.status, response.body.detail]).toEqual([path, 405, 'Method Not Allowed'])
      const served = Object.values(operations).filter((operation) => operation.path === path)
      expect(response.headers.get('allow')?.split(', ')).toEqual(served.map(({ method }) => method).sort())
    }
  })

  it('returns 404 in JSON for an undeclared path', async () => {
    const response = await service.request('GET', '/api/v1/nothing')
    expect([response.status, response.body]).toEqual([404, { detail: 'Not Found' }])
  })

  it('ignores a trailing slash in a path', async () => {
    expect((await service.request('GET', '/api/v1/projects/', { token: admin.token })).status).toBe(200)
  })
})

const SCHEDULED_POST = {
  Content: 'Later',
  ScheduleDate: '2027-01-01T09:00',
  Timezone: 'Asia/Tokyo',
  Platforms: ['X'],
}

type TestRequest = [status: number, method: string, path: string, json?: unknown]

/** Successful and failing requests for each operation, with the expected status. */
const requests: Record<string, () => Promise<TestRequest[]> | TestRequest[]> = {
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
    [404, 'GET', `/api/v1/projects/${UNKNOWN_ID}/posts`],
  ],
  createPost: () => [
    [201, 'POST', inProject('/posts'), { Content: 'A draft' }],
    [201, 'POST', inProject('/posts'), { ...SCHEDULED_POST, Status: 'SCHEDULED' }],
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
      [404, 'PUT', inProject(`/users/${UNKNOWN_ID}`), { Role: 'EDITOR' }],
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
      [404, 'GET', inProject(`/templates/${UNKNOWN_ID}`)],
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
      [404, 'PUT', inProject(`/sources/${UNKNOWN_ID}`), { Description: 'D' }],
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

describe('responses', () => {
  it.each(listOperations(contract))('matches the contract for $id', async ({ id, method, path }) => {
    const cases = await requests[id]?.()
    expect(cases?.length).toBeGreaterThan(0)
    for (const [status, method, path, json] of cases ?? []) {
      const response = await service.request(method, path, { ...admin, json })
      expect([response.status, response.body]).toEqual([status, response.body])
      expectContract(id, response)
      if (status < 300) expect(response.body.success).toBe(true)
    }
    const response = await service.request(method, path.replace(/\{\w+\}/g, project))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expectContract(id, response)
  })
})
