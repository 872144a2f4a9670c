import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/service/operations/index.ts'
import { updateProject } from '../../src/service/stores/projects-store.ts'
import { listTokens, revokeToken, saveToken } from '../../src/service/stores/tokens-store.ts'
import { ROLES } from '../../src/service/values.ts'
import { createTestClock } from '../support/clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

const clock = createTestClock()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ runtime: clock.runtime })
})
afterAll(() => service.stop())

const postsPath = (project: string) => `/api/v1/projects/${project}/posts`

describe('authentication', () => {
  it.each([
    ['no Authorization header', undefined],
    ['Basic authentication', 'Basic YTpi'],
    ['an empty token', 'Bearer '],
    ['an unknown token', 'Bearer upn_unknown'],
    ['two tokens', 'Bearer upn_a upn_b'],
  ])('returns 401 and a WWW-Authenticate header for a request with %s', async (_case, authorization) => {
    const response = await service.request('GET', '/api/v1/projects', {
      headers: authorization ? { authorization } : {},
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.body.detail).toBeTypeOf('string')
  })

  it('rejects a revoked token within a second', async () => {
    const project = await service.addProject()
    const viewer = await service.addMember(project, 'VIEWER')
    expect((await service.request('GET', postsPath(project), viewer)).status).toBe(200)
    const tokens = await listTokens(service.db)
    const id = tokens.find(({ email }) => email === viewer.email)?.id ?? ''
    expect(await revokeToken(service.db, id, clock.now())).toMatchObject({ id })
    clock.advance(1000)
    expect((await service.request('GET', postsPath(project), viewer)).status).toBe(401)
  })

  it('rejects an unauthorized request before its body is read', async () => {
    const body = 'x'.repeat(2_000_000) // Larger than any JSON body may be.
    const response = await service.request('POST', postsPath('00000000-0000-4000-8000-000000000000'), {
      body,
    })
    expect(response.status).toBe(401)
  })

  it('stores only hashes of tokens in the database', async () => {
    const project = await service.addProject()
    const { token } = await service.addMember(project, 'VIEWER')
    const { rows } = await service.pool.query(
      'select hash, id::text || label as other_columns from service.token',
    )
    const hashes = rows.map(({ hash }) => hash.toString('hex'))
    expect(hashes).toContain(createHash('sha256').update(token).digest('hex'))
    expect(hashes).not.toContain(Buffer.from(token).toString('hex'))
    for (const { other_columns } of rows) expect(other_columns).not.toContain(token)
  })

  it('returns the same for a project of others as for one that does not exist', async () => {
    const [own, other] = [await service.addProject(), await service.addProject()]
    const admin = await service.addMember(own, 'ADMIN')
    const [hidden, absent, odd] = await Promise.all(
      [other, '00000000-0000-4000-8000-000000000000', "x' or 1=1"].map((id) =>
        service.request('GET', postsPath(encodeURIComponent(id)), admin),
      ),
    )
    expect([hidden?.status, hidden?.body]).toEqual([404, { detail: "This project doesn't exist." }])
    expect([absent?.status, absent?.body]).toEqual([hidden?.status, hidden?.body])
    expect([odd?.status, odd?.body]).toEqual([hidden?.status, hidden?.body])
  })

  it('returns 403 to an inactive user, and does not list the project for them', async () => {
    const project = await service.addProject()
    const inactive = await service.addMember(project, 'ADMIN', 'INACTIVE')
    expect((await service.request('GET', postsPath(project), inactive)).status).toBe(403)
    expect((await service.request('GET', '/api/v1/projects', inactive)).body.data.Items).toEqual([])
  })
})

describe('roles', () => {
  /** The lowest role that may run each operation. */
  const requiredRoles: Record<string, 'VIEWER' | 'EDITOR' | 'ADMIN'> = {
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
    getPost: 'VIEWER',
    updatePost: 'EDITOR',
    deletePost: 'EDITOR',
    setResults: 'EDITOR',
    confirmPublication: 'EDITOR',
    listAccounts: 'VIEWER',
    connectAccount: 'ADMIN',
    checkAccount: 'ADMIN',
  }

  it.each(ROLES)(
    'lets a user with the %s role run only the operations that the role permits',
    async (role) => {
      const project = await service.addProject()
      const member = await service.addMember(project, role)
      const { listProjects: _, ...others } = operations
      for (const [id, { method, path }] of Object.entries(others)) {
        const url = path.replace('{project_id}', project).replace(/\{\w+\}/, member.id)
        const { status } = await service.request(method, url, member)
        const requiredRole = requiredRoles[id]
        if (!requiredRole) throw new Error(`The table lacks ${id}.`)
        const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(requiredRole)
        expect([id, status === 403]).toEqual([id, !isAllowed])
      }
    },
  )
})

describe('project users', () => {
  const updateUser = (project: string, user: string, token: string, json: object) =>
    service.request('PUT', `/api/v1/projects/${project}/users/${user}`, { token, json })

  it('rejects the demotion and deactivation of the last admin of a project', async () => {
    const project = await service.addProject()
    const admin = await service.addMember(project, 'ADMIN')
    await service.addMember(project, 'ADMIN', 'INACTIVE')
    const demoted = await updateUser(project, admin.id, admin.token, { Role: 'EDITOR' })
    expect([demoted.status, demoted.body.detail[0].loc]).toEqual([422, ['body', 'Role']])
    expect(demoted.body.detail[0].msg).toContain('last admin')
    const deactivated = await updateUser(project, admin.id, admin.token, { Status: 'INACTIVE' })
    expect([deactivated.status, deactivated.body.detail[0].loc]).toEqual([422, ['body', 'Status']])

    const second = await service.addMember(project, 'ADMIN')
    expect((await updateUser(project, admin.id, second.token, { Role: 'EDITOR' })).status).toBe(200)
  })

  it('keeps one admin if two demote each other at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const project = await service.addProject()
      const [a, b] = [await service.addMember(project, 'ADMIN'), await service.addMember(project, 'ADMIN')]
      const responses = await Promise.all([
        updateUser(project, a.id, b.token, { Role: 'VIEWER' }),
        updateUser(project, b.id, a.token, { Role: 'VIEWER' }),
      ])
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  it('treats the same email address, in any letter case, as the same person in two projects', async () => {
    const [firstProject, secondProject] = [await service.addProject(), await service.addProject()]
    const [firstAdmin, secondAdmin] = [
      await service.addMember(firstProject, 'ADMIN'),
      await service.addMember(secondProject, 'ADMIN'),
    ]
    const invite = (project: string, token: string, json: object) =>
      service.request('POST', `/api/v1/projects/${project}/users/invite`, { token, json })
    const first = await invite(firstProject, firstAdmin.token, {
      Email: 'Sam@upnext.example',
      FirstName: 'Sam',
      PhoneNumber: '1',
    })
    const second = await invite(secondProject, secondAdmin.token, {
      Email: 'sam@UPNEXT.example',
      Role: 'ADMIN',
    })
    expect(second.body.data.Id).toBe(first.body.data.Id)
    // Names and phone numbers belong to one project and are not shown to another.
    expect(second.body.data).toMatchObject({
      FirstName: null,
      PhoneNumber: null,
      Role: 'ADMIN',
      Status: 'ACTIVE',
    })
    const duplicate = await invite(firstProject, firstAdmin.token, { Email: 'SAM@upnext.example' })
    expect(duplicate.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'Email'] }])
  })
})

describe('a project in which only the bot schedules', () => {
  it('accepts drafts from other tokens, but scheduled posts only from the bot', async () => {
    const botToken = 'upn_of_the_bot'
    const other = await startTestService({ runtime: clock.runtime, botToken })
    try {
      const project = await other.addProject()
      const editor = await other.addMember(project, 'EDITOR')
      const { id: user_id } = await other.addMember(project, 'ADMIN')
      await saveToken(other.db, { user_id, token: botToken, label: 'bot' })
      const bot = { token: botToken }
      const post = {
        Content: 'Launch day!',
        ScheduleDate: '2999-01-01T09:00:00Z',
        Timezone: 'UTC',
        Platforms: ['X'],
      }
      const draft = { ...post, Status: 'DRAFT' }
      const create = (body: object, caller: { token: string }) =>
        other.request('POST', postsPath(project), { ...caller, json: body })
      expect((await create(post, editor)).status).toBe(201)
      await updateProject(other.db, project, { is_bot_only: true })
      clock.advance(1000)
      const refused = await create(post, editor)
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        'Posts of this project are approved and scheduled in Slack. Save a draft instead, with the Status DRAFT.',
      ])
      const saved = await create(draft, editor)
      expect(saved.status).toBe(201)
      const path = `/extensions/v1/projects/${project}/posts/${saved.body.data.Id}`
      const change = (body: object, caller: { token: string }) =>
        other.request('PUT', path, {
          ...caller,
          headers: { 'if-match': '"1"' },
          json: body,
        })
      expect((await change(post, editor)).status).toBe(403)
      expect((await change(post, bot)).status).toBe(200)
      expect((await create(post, bot)).status).toBe(201)
    } finally {
      await other.stop()
    }
  })
})
