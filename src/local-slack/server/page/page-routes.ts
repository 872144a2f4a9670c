import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PACKAGE_FOLDER } from '../../package-folder.ts'
import type { Slack } from '../workspace/slack.ts'

/** Where the build puts the page. */
const PAGE_FOLDER = join(PACKAGE_FOLDER, 'dist/web')

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page loads only its own code, but the app's images may come from anywhere. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src * data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws:; frame-ancestors 'none'"

export function addPageRoutes(server: FastifyInstance, slack: Slack): void {
  server.get('/avatars/:file', async ({ params }, reply) => {
    const id = (params as { file: string }).file.replace(/\.svg$/, '')
    return reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(drawAvatar(slack, id))
  })
  server.get('/archives/:channel/:message', async ({ params }, reply) => {
    const { channel, message } = params as { channel: string; message: string }
    const ts = message.replace(/^p(\d+)(\d{6})$/, '$1.$2')
    return reply.redirect(`/?channel=${encodeURIComponent(channel)}&message=${encodeURIComponent(ts)}`, 302)
  })
  server.get('/*', async ({ params }, reply) => {
    const path = (params as { '*': string })['*'] || 'index.html'
    // Normalizing a path that starts with a slash keeps it inside the folder.
    const file = join(PAGE_FOLDER, normalize(`/${path}`))
    const contentType = CONTENT_TYPES[extname(file)]
    if (!contentType || !existsSync(file)) return reply.code(404).type('text/plain').send('Not found')
    return reply
      .type(contentType)
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-store')
      .send(readFileSync(file))
  })
}

/** Draws initials on a color that depends on the id; the app's color comes from its manifest. */
function drawAvatar({ users, app, team }: Slack, id: string): string {
  const name = users.get(id)?.name ?? team.name
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0])
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const hue = [...id].reduce((sum, letter) => (sum * 37 + letter.charCodeAt(0) * 113) % 360, 0)
  const fill =
    id === app.botUserId ? app.manifest.display_information.background_color : `hsl(${hue} 38% 38%)`
  const letters = initials.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="${fill}"/><text x="24" y="31" font-family="system-ui,sans-serif" font-size="19" font-weight="600" fill="#fff" text-anchor="middle">${letters}</text></svg>`
}
