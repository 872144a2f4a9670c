import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { parse } from 'yaml'
import { PACKAGE_FOLDER } from '../package-folder.ts'

export type ApiDocument = {
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, { post?: { parameters?: unknown[] } }>
  components: Record<string, Record<string, unknown>>
}

const OPENAPI_FOLDER = join(PACKAGE_FOLDER, 'openapi')
const CONTRACT_FILE = 'social-scheduling.v1.yaml'
const EXTENSIONS_FILE = 'extensions.v1.yaml'

/** Merges the contract and its extensions into one OpenAPI document. */
export function readApiDocument(): ApiDocument {
  const read = (file: string) => readFileSync(join(OPENAPI_FOLDER, file), 'utf8')
  const contract: ApiDocument = parse(read(CONTRACT_FILE))
  // The files become one document, so references from one to the other become local.
  const extensions: ApiDocument = parse(read(EXTENSIONS_FILE).replaceAll(`./${CONTRACT_FILE}#`, '#'))
  // Only POST creates records, so only POST takes an idempotency key.
  for (const { post } of Object.values(contract.paths))
    if (post) post.parameters = [...(post.parameters ?? []), IDEMPOTENCY_KEY_PARAMETER]
  const sections = Object.keys({ ...contract.components, ...extensions.components })
  const addedTags = extensions.tags.filter(({ name }) => !contract.tags.some((tag) => tag.name === name))
  return {
    ...contract,
    servers: [{ url: '/' }],
    tags: [...contract.tags, ...addedTags],
    paths: { ...contract.paths, ...extensions.paths },
    components: Object.fromEntries(
      sections.map((name) => [name, { ...contract.components[name], ...extensions.components[name] }]),
    ),
  }
}

const IDEMPOTENCY_KEY_PARAMETER = { $ref: '#/components/parameters/IdempotencyKey' }

const VIEWER_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const readViewerFile = (name: string) => readFileSync(join(VIEWER_FOLDER, name))

const VIEWER_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Social Post Scheduling Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
`
const VIEWER_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true })
`

/** Swagger UI sets inline styles and draws its icons from data URLs. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"

/** Serves the API document as JSON and in a viewer (Swagger UI). Neither needs a token. */
export function addDocumentRoutes(
  server: FastifyInstance,
  onRequest: onRequestAsyncHookHandler,
  document: ApiDocument,
): void {
  server.get('/openapi.json', { onRequest }, async () => document)
  const addFile = (path: string, type: string, read: () => string | Buffer) =>
    server.get(path, { onRequest }, async (_request, reply) =>
      reply
        .headers({
          'content-type': `text/${type}; charset=utf-8`,
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        .send(read()),
    )
  addFile('/docs', 'html', () => VIEWER_PAGE)
  addFile('/docs/start.js', 'javascript', () => VIEWER_SCRIPT)
  addFile('/docs/swagger-ui.css', 'css', () => readViewerFile('swagger-ui.css'))
  addFile('/docs/swagger-ui-bundle.js', 'javascript', () => readViewerFile('swagger-ui-bundle.js'))
}
