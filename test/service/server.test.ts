import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'

const services: TestService[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop().catch(() => {})
})
const started = async (options: Parameters<typeof startTestService>[0] = {}) => {
  const service = await startTestService(options)
  services.push(service)
  return service
}

/** The database's address by way of a socket of ours, which can be cut as a restart of the database would. */
async function breakableWay(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const way = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => [socket, onward].forEach((end) => void end.destroy()))
    }
    socket.pipe(onward).pipe(socket)
  })
  const listen = (at: number) => new Promise<void>((resolve) => way.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const through = new URL(url)
  through.port = String((way.address() as AddressInfo).port)
  return {
    url: through.href,
    restore: () => listen(Number(through.port)),
    breakOff: () =>
      new Promise<void>((resolve) => {
        way.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

describe('the server', () => {
  it('gives each answer an id that its log lines have too, and no secret', async () => {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const service = await started({ log: pino(stream) })
    const reply = await service.request('GET', '/api/v1/projects', { token: 'upn_very-secret' })
    const id = reply.headers.get('x-request-id')
    const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.reqId === id)
    expect(logged.map(({ msg }) => msg)).toEqual(['incoming request', 'request completed'])
    expect(logged[1].res.statusCode).toBe(401)
    expect(lines.join('')).not.toContain('upn_very-secret')
  })

  it('says that it is there, and that it is ready', async () => {
    const service = await started()
    expect(await service.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('answers in JSON to a path that is no path', async () => {
    const service = await started()
    expect(await service.request('GET', '/%zz')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    })
  })

  it('finishes what is under way when it is stopped, and takes nothing new', async () => {
    const service = await started()
    const project = await service.addProject()
    const editor = await service.addMember(project, 'EDITOR')
    const holder = await service.pool.connect()
    await holder.query('begin; lock table service.prompt in exclusive mode')
    const pending = service.request('POST', `/api/v1/projects/${project}/prompts`, {
      ...editor,
      json: { Title: 'Slow', PromptText: 'x' },
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const stopping = service.stop()
    services.splice(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(service.request('GET', '/healthz')).rejects.toThrow()
    await holder.query('commit')
    holder.release()
    expect((await pending).status).toBe(201)
    await stopping
  })

  it('can be stopped though a client never finishes its request', async () => {
    const service = await started()
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /api/v1/projects/x/posts HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    await new Promise((resolve) => setTimeout(resolve, 100))
    services.splice(0)
    await service.stop()
    socket.destroy()
  }, 60_000)

  it('survives a database that goes away, says so with 503, and goes on when it is back', async () => {
    const way = await breakableWay(await createDatabase())
    const service = await started({ url: way.url })
    const project = await service.addProject()
    const editor = await service.addMember(project, 'EDITOR')
    const listPosts = () => service.request('GET', `/api/v1/projects/${project}/posts`, editor)

    const holder = await service.pool.connect()
    holder.on('error', () => {})
    await holder.query('begin; lock table service.prompt in exclusive mode')
    const json = { Title: 'In the middle', PromptText: 'x' }
    const cut = service.request('POST', `/api/v1/projects/${project}/prompts`, { ...editor, json })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await way.breakOff()
    holder.release(true)
    expect((await cut).status).toBe(503)
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 503 })
    expect(await service.request('GET', '/healthz')).toMatchObject({ status: 200 })
    const refused = await listPosts()
    expect([refused.status, refused.body]).toEqual([503, { detail: expect.stringContaining('database') }])
    expect(refused.headers.get('retry-after')).toBe('1')

    await way.restore()
    expect((await listPosts()).status).toBe(200)
    await service.stop()
    services.splice(0)
    await way.breakOff()
  })

  it('is not upset by a connection that speaks something else', async () => {
    const service = await started()
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
        socket.write('HELO\r\n\r\n'),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toContain('400 Bad Request')
    expect((await service.request('GET', '/healthz')).status).toBe(200)
  })
})

describe('several instances', () => {
  it('that start at once on an empty database all come up, on the same tables', async () => {
    const url = await createDatabase()
    const instances = await Promise.all([
      started({ url }),
      started({ url }),
      started({ url }),
      started({ url }),
    ])
    const project = await (instances[0] as TestService).addProject(`Shared ${randomUUID()}`)
    const viewer = await (instances[1] as TestService).addMember(project, 'VIEWER')
    for (const instance of instances)
      expect((await instance.request('GET', `/api/v1/projects/${project}/posts`, viewer)).status).toBe(200)
  })
})
