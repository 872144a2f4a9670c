import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf, bearerToken } from './web-api/bearer.ts'
import { addFile, mayReadFile } from './workspace/files.ts'
import type { Slack } from './workspace/slack.ts'

const LARGEST = 100 * 1024 * 1024

/** Bytes that come and go: the app's uploads, a person's, and what was shared, for those who may see it. */
export function addFileRoutes(server: FastifyInstance, slack: Slack): void {
  server.post('/upload/v1/:key', { bodyLimit: LARGEST }, async (request, reply) => {
    const upload = slack.uploads.get((request.params as { key: string }).key)
    if (!upload) return reply.code(404).send('There is no such upload.')
    const bytes = await readBytes(request)
    if (!bytes) return reply.code(400).send('There is no file in this form.')
    if (bytes.length !== upload.length)
      return reply.code(400).send(`This has ${bytes.length} bytes; ${upload.length} were announced.`)
    upload.bytes = bytes
    return reply.type('text/plain').send(`OK - ${bytes.length}`)
  })

  server.post('/page/files', { bodyLimit: LARGEST }, async (request, reply) => {
    const { session: id = '', name = '' } = request.query as { session?: string; name?: string }
    const desk = slack.desks.get(id)
    if (!desk || !name) return reply.code(403).send({ ok: false })
    const file = addFile(slack, {
      name: name.toWellFormed(),
      title: name,
      bytes: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      user: desk.user,
    })
    return { ok: true, id: file.id }
  })

  for (const url of ['/files-pri/:place/:name', '/files-pri/:place/download/:name'])
    server.get(url, async (request, reply) => {
      const { place } = request.params as { place: string }
      const file = slack.files.get(place.split('-')[1] ?? '')
      const reader = readerOf(slack, request)
      if (!reader) return askToSignIn(reply)
      if (!file || !mayReadFile(slack, file, reader)) return reply.code(404).send('There is no such file.')
      if (url.includes('download')) reply.header('content-disposition', 'attachment')
      // A page that somebody uploaded is not to act as ours.
      reply.header('content-security-policy', 'sandbox')
      return reply.type(file.mimetype).send(file.bytes)
    })
}

/** Who has a token that reads files, or sits at a desk. */
function readerOf({ app, desks }: Slack, { headers, query }: FastifyRequest): string | undefined {
  const bearer = bearerOf(app, bearerToken(headers) ?? '')
  if (bearer?.scopes.includes('files:read')) return bearer.user
  return desks.get((query as { session?: string }).session ?? '')?.user
}

/** Slack shows a page to sign in, with status 200: many a bot has saved that as its picture. */
const askToSignIn = (reply: FastifyReply) =>
  reply
    .type('text/html; charset=utf-8')
    .send('<!doctype html><title>Slack</title><p>Sign in to see this file.</p>')

async function readBytes({ headers, body }: FastifyRequest): Promise<Buffer | undefined> {
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0)
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return bytes
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    const file = [...form.values()].find((value) => typeof value !== 'string')
    return file && Buffer.from(await (file as File).arrayBuffer())
  } catch {
    return undefined // A form that is none.
  }
}
