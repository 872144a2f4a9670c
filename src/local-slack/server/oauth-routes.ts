import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createOauthCode } from './workspace/oauth-codes.ts'
import type { Slack } from './workspace/slack.ts'
import { canManageApps } from './workspace/users.ts'

const AuthorizeRequest = z.object({
  client_id: z.string(),
  scope: z.string().default(''),
  user_scope: z.string().default(''),
  redirect_uri: z.string().optional(),
  state: z.string().default(''),
})
const Decision = AuthorizeRequest.extend({ user: z.string(), decision: z.enum(['allow', 'cancel']) })

type AuthorizeRequest = z.output<typeof AuthorizeRequest>

/** The page on which a user installs the app. */
export function addOauthRoutes(server: FastifyInstance, slack: Slack): void {
  server.get('/oauth/v2/authorize', async ({ query }, reply) => {
    const request = AuthorizeRequest.safeParse(query).data
    const error = request ? findError(slack, request) : 'client_id is missing'
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    })
    if (error || !request) return reply.code(400).send(renderError(error ?? ''))
    return reply.send(renderAuthorizePage(slack, request))
  })

  server.post('/oauth/v2/authorize', async ({ body }, reply) => {
    const request = Decision.safeParse(Object.fromEntries(new URLSearchParams(String(body)))).data
    const error = request ? findError(slack, request) : 'the form is incomplete'
    if (error || !request)
      return reply
        .code(400)
        .header('content-type', 'text/html; charset=utf-8')
        .send(renderError(error ?? ''))
    const redirect_uri = redirectUriOf(slack, request)
    const url = new URL(redirect_uri)
    if (request.decision === 'allow') {
      const code = createOauthCode(slack, {
        user: request.user,
        scopes: splitScopes(request.scope),
        userScopes: splitScopes(request.user_scope),
        redirect_uri,
      })
      url.searchParams.set('code', code)
    } else url.searchParams.set('error', 'access_denied')
    url.searchParams.set('state', request.state)
    return reply.redirect(url.href, 302)
  })

  server.get('/oauth.css', async (_request, reply) => reply.type('text/css').send(STYLE))
}

/** Prevents clickjacking: no other page can frame this one. */
const CONTENT_SECURITY_POLICY = "default-src 'self'; frame-ancestors 'none'"

const splitScopes = (scopes: string) => scopes.split(/[\s,]+/).filter(Boolean)

const redirectUriOf = ({ app }: Slack, { redirect_uri }: AuthorizeRequest) =>
  redirect_uri ?? app.manifest.oauth_config.redirect_urls[0] ?? ''

/** Whether a URL equals an allowed URL or lies below it. The origin must match exactly. */
function isAllowedRedirect(url: string, allowedUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const [redirect, allowed] = [new URL(url), new URL(allowedUrl)]
  const allowedFolder = allowed.pathname.replace(/\/?$/, '/')
  return (
    redirect.origin === allowed.origin &&
    !redirect.username &&
    !redirect.password &&
    `${redirect.pathname}/`.startsWith(allowedFolder)
  )
}

const appManagers = (slack: Slack) => [...slack.users.values()].filter((user) => canManageApps(slack, user))

function findError(slack: Slack, request: AuthorizeRequest & { user?: string }): string | undefined {
  const { redirect_urls, scopes } = slack.app.manifest.oauth_config
  if (request.client_id !== slack.app.secrets.clientId) return 'invalid_client_id'
  if (!redirect_urls.some((url) => isAllowedRedirect(redirectUriOf(slack, request), url)))
    return 'bad_redirect_uri'
  const unknownScopes = [
    ...splitScopes(request.scope).filter((scope) => !scopes.bot.includes(scope)),
    ...splitScopes(request.user_scope).filter((scope) => !scopes.user.includes(scope)),
  ]
  if (unknownScopes.length) return `invalid_scope: ${unknownScopes.join(', ')}`
  if (request.user !== undefined && !appManagers(slack).some(({ id }) => id === request.user))
    return 'only owners and admins can install apps'
  return undefined
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const renderPage = (title: string, body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/oauth.css">
<main>${body}</main></html>`

const renderError = (error: string) =>
  renderPage(
    "Can't install this app",
    `<h1>Can't install this app</h1><p>Slack rejected the app's request: <code>${escapeHtml(error)}</code></p>`,
  )

function renderAuthorizePage(slack: Slack, request: AuthorizeRequest): string {
  const { name } = slack.app.manifest.display_information
  const title = `${name} is requesting permission to access ${slack.team.name}`
  const hiddenInputs = Object.entries(request)
    .map(([key, value]) => `<input type="hidden" name="${key}" value="${escapeHtml(value ?? '')}">`)
    .join('')
  const userOptions = appManagers(slack)
    .map(({ id, name }) => `<option value="${id}">${escapeHtml(name)}</option>`)
    .join('')
  const scopeItems = [...splitScopes(request.scope), ...splitScopes(request.user_scope)].map(
    (scope) => `<li><code>${escapeHtml(scope)}</code></li>`,
  )
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1><p>It requests these scopes:</p><ul>${scopeItems.join('')}</ul>
<form method="post">${hiddenInputs}<label>Install as <select name="user">${userOptions}</select></label>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></p></form>`,
  )
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:10vh auto;padding:0 1.5rem}button,select{font:inherit;padding:.4rem .9rem}`
