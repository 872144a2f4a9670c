import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/service/operations/index.ts'
import { listTokens, revokeToken } from '../../src/service/stores/tokens-store.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const postsOf = (project: string) => `/api/v1/projects/${project}/posts`

describe('a caller', () => {
  it.each([
    ['no header', undefined],
    ['another scheme', 'Basic YTpi'],
    ['an empty token', 'Bearer '],
    ['a token that nobody has', 'Bearer upn_nobody'],
    ['a token with more behind it', 'Bearer upn_a upn_b'],
  ])('with %s gets 401 and is told how to authenticate', async (_what, authorization) => {
    const reply = await service.request('GET', '/api/v1/projects', {
      headers: authorization ? { authorization } : {},
    })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expect(reply.body.detail).toBeTypeOf('string')
  })

  it('is let in by a token, and no longer once it is revoked', async () => {
    const project = await service.addProject()
    const viewer = await service.addMember(project, 'VIEWER')
    expect((await service.request('GET', postsOf(project), viewer)).status).toBe(200)
    const tokens = await listTokens(service.db)
    const id = tokens.find(({ email }) => email === viewer.email)?.id ?? ''
    expect(await revokeToken(service.db, id, new Date())).toBe(true)
    expect((await service.request('GET', postsOf(project), viewer)).status).toBe(401)
  })

  it('is turned away before the body is read', async () => {
    const body = 'x'.repeat(2_000_000) // more than any JSON body may have
    const reply = await service.request('POST', postsOf('00000000-0000-4000-8000-000000000000'), { body })
    expect(reply.status).toBe(401)
  })

  it('leaves no token in the database, only its hash', async () => {
    const project = await service.addProject()
    const { token } = await service.addMember(project, 'VIEWER')
    const { rows } = await service.pool.query('select hash, id::text || label as others from service.token')
    const hashes = rows.map(({ hash }) => hash.toString('hex'))
    expect(hashes).toContain(createHash('sha256').update(token).digest('hex'))
    expect(hashes).not.toContain(Buffer.from(token).toString('hex'))
    for (const { others } of rows) expect(others).not.toContain(token)
  })

  it('cannot tell a project of others from one that does not exist', async () => {
    const [own, other] = [await service.addProject(), await service.addProject()]
    const admin = await service.addMember(own, 'ADMIN')
    const [hidden, absent, odd] = await Promise.all(
      [other, '00000000-0000-4000-8000-000000000000', "x' or 1=1"].map((id) =>
        service.request('GET', postsOf(encodeURIComponent(id)), admin),
      ),
    )
    expect([hidden?.status, hidden?.body]).toEqual([404, { detail: 'There is no such project.' }])
    expect([absent?.status, absent?.body]).toEqual([hidden?.status, hidden?.body])
    expect([odd?.status, odd?.body]).toEqual([hidden?.status, hidden?.body])
  })

  it('who is not active in the project gets 403, and does not see it listed', async () => {
    const project = await service.addProject()
    const former = await service.addMember(project, 'ADMIN', 'INACTIVE')
    expect((await service.request('GET', postsOf(project), former)).status).toBe(403)
    expect((await service.request('GET', '/api/v1/projects', former)).body.data.Items).toEqual([])
  })
})

describe('the roles', () => {
  /** What each needs at the least, as the service's README has it. */
  const least: Record<string, 'VIEWER' | 'EDITOR' | 'ADMIN'> = {
    listPosts: 'VIEWER',
    createPost: 'EDITOR',
    addNonPlatformUserToProject: 'ADMIN',
    updateProjectUser: 'ADMIN',
    createPrompt: 'EDITOR',
    listTemplates: 'VIEWER',
    getTemplate: 'VIEWER',
    listSources: 'VIEWER',
    updateSource: 'EDITOR',
    listLogs: 'VIEWER',
    getUpnextPost: 'VIEWER',
    deleteWebhook: 'ADMIN',
    deleteFile: 'ADMIN',
    stageFile: 'ADMIN',
  }
  const order = ['VIEWER', 'EDITOR', 'ADMIN'] as const

  it.each(order)('let a %s do what that role may, and nothing above it', async (role) => {
    const project = await service.addProject()
    const member = await service.addMember(project, role)
    for (const { id, method, path } of operations.filter(({ id }) => id !== 'listProjects')) {
      const url = path.replace('{project_id}', project).replace(/\{\w+\}/, member.id)
      const { status } = await service.request(method, url, member)
      const needed = least[id]
      if (!needed) throw new Error(`${id} is not in the table`)
      const may = order.indexOf(role) >= order.indexOf(needed)
      expect([id, status === 403]).toEqual([id, !may])
    }
  })
})

describe('the people of a project', () => {
  const change = (project: string, user: string, token: string, json: object) =>
    service.request('PUT', `/api/v1/projects/${project}/users/${user}`, { token, json })

  it('keep their last admin', async () => {
    const project = await service.addProject()
    const admin = await service.addMember(project, 'ADMIN')
    await service.addMember(project, 'ADMIN', 'INACTIVE')
    const demoted = await change(project, admin.id, admin.token, { Role: 'EDITOR' })
    expect([demoted.status, demoted.body.detail[0].loc]).toEqual([422, ['body', 'Role']])
    expect(demoted.body.detail[0].msg).toContain('last admin')
    const left = await change(project, admin.id, admin.token, { Status: 'INACTIVE' })
    expect([left.status, left.body.detail[0].loc]).toEqual([422, ['body', 'Status']])

    const second = await service.addMember(project, 'ADMIN')
    expect((await change(project, admin.id, second.token, { Role: 'EDITOR' })).status).toBe(200)
  })

  it('keep one admin when two demote each other at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const project = await service.addProject()
      const [a, b] = [await service.addMember(project, 'ADMIN'), await service.addMember(project, 'ADMIN')]
      const replies = await Promise.all([
        change(project, a.id, b.token, { Role: 'VIEWER' }),
        change(project, b.id, a.token, { Role: 'VIEWER' }),
      ])
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  it('are the same person in two projects, by their e-mail address in any case', async () => {
    const [one, two] = [await service.addProject(), await service.addProject()]
    const [adminOfOne, adminOfTwo] = [
      await service.addMember(one, 'ADMIN'),
      await service.addMember(two, 'ADMIN'),
    ]
    const invite = (project: string, token: string, json: object) =>
      service.request('POST', `/api/v1/projects/${project}/users/invite`, { token, json })
    const first = await invite(one, adminOfOne.token, {
      Email: 'Sam@upnext.example',
      FirstName: 'Sam',
      PhoneNumber: '1',
    })
    const second = await invite(two, adminOfTwo.token, { Email: 'sam@UPNEXT.example', Role: 'ADMIN' })
    expect(second.body.data.Id).toBe(first.body.data.Id)
    // What one project wrote about a person is not shown to another.
    expect(second.body.data).toMatchObject({
      FirstName: null,
      PhoneNumber: null,
      Role: 'ADMIN',
      Status: 'ACTIVE',
    })
    const again = await invite(one, adminOfOne.token, { Email: 'SAM@upnext.example' })
    expect(again.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'Email'] }])
  })
})
