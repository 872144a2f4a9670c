import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findTokenOwner, readBearerToken } from './web-api/tokens.ts'
import { addFile, canReadFile } from './workspace/files.ts'
import type { Slack } from './workspace/slack.ts'

const MAX_FILE_BYTES = 100 * 1024 * 1024

/** Uploads by the app and by users, and downloads of shared files. */
export function addFileRoutes(server: FastifyInstance, slack: Slack): void {
  server.post('/upload/v1/:key', { bodyLimit: MAX_FILE_BYTES }, async (request, reply) => {
    const upload = slack.uploads.get((request.params as { key: string }).key)
    if (!upload) return reply.code(404).send('Upload not found')
    const bytes = await readBytes(request)
    if (!bytes) return reply.code(400).send('The form contains no file')
    if (bytes.length !== upload.length)
      return reply.code(400).send(`Expected ${upload.length} bytes, got ${bytes.length}`)
    upload.bytes = bytes
    return reply.type('text/plain').send(`OK - ${bytes.length}`)
  })

  server.post('/page/files', { bodyLimit: MAX_FILE_BYTES }, async (request, reply) => {
    const { session: id = '', name = '' } = request.query as { session?: string; name?: string }
    const session = slack.sessions.get(id)
    if (!session || !name) return reply.code(403).send({ ok: false })
    const file = addFile(slack, {
      name: name.toWellFormed(),
      title: name,
      bytes: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      user: session.user,
    })
    return { ok: true, id: file.id }
  })

  for (const url of ['/files-pri/:teamAndFile/:name', '/files-pri/:teamAndFile/download/:name'])
    server.get(url, async (request, reply) => {
      const { teamAndFile } = request.params as { teamAndFile: string }
      const file = slack.files.get(teamAndFile.split('-')[1] ?? '')
      const reader = findReader(slack, request)
      if (!reader) return sendSignInPage(reply)
      if (!file || !canReadFile(slack, file, reader)) return reply.code(404).send('File not found')
      if (url.includes('download')) reply.header('content-disposition', 'attachment')
      // An uploaded HTML page must not run scripts on this origin.
      reply.header('content-security-policy', 'sandbox')
      return reply.type(file.mimetype).send(file.bytes)
    })
}

/** The user of the request's token or session. */
function findReader({ app, sessions }: Slack, { headers, query }: FastifyRequest): string | undefined {
  const caller = findTokenOwner(app, readBearerToken(headers) ?? '')
  if (caller?.scopes.includes('files:read')) return caller.user
  return sessions.get((query as { session?: string }).session ?? '')?.user
}

/** Like Slack, this answers with status 200: apps without a valid token download this page as their file. */
const sendSignInPage = (reply: FastifyReply) =>
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
    return undefined // The form is malformed.
  }
}
