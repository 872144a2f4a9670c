import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { makeCode } from './workspace/oauth-codes.ts'
import { mayManageApps } from './workspace/people.ts'
import type { Slack } from './workspace/slack.ts'

const Wish = z.object({
  client_id: z.string(),
  scope: z.string().default(''),
  user_scope: z.string().default(''),
  redirect_uri: z.string().optional(),
  state: z.string().default(''),
})
const Choice = Wish.extend({ person: z.string(), choice: z.enum(['allow', 'cancel']) })

type Wish = z.output<typeof Wish>

/** The page on which a person lets the app into the workspace. */
export function addOauthPage(server: FastifyInstance, slack: Slack): void {
  server.get('/oauth/v2/authorize', async ({ query }, reply) => {
    const wish = Wish.safeParse(query).data
    const fault = wish ? faultIn(slack, wish) : 'client_id is missing'
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
    return fault || !wish ? reply.code(400).send(sorry(fault ?? '')) : reply.send(question(slack, wish))
  })

  server.post('/oauth/v2/authorize', async ({ body }, reply) => {
    const chosen = Choice.safeParse(Object.fromEntries(new URLSearchParams(String(body)))).data
    const fault = chosen ? faultIn(slack, chosen) : 'the form is incomplete'
    if (fault || !chosen)
      return reply
        .code(400)
        .header('content-type', 'text/html; charset=utf-8')
        .send(sorry(fault ?? ''))
    const redirect_uri = redirectOf(slack, chosen)
    const address = new URL(redirect_uri)
    if (chosen.choice === 'allow')
      address.searchParams.set(
        'code',
        makeCode(slack, {
          user: chosen.person,
          scopes: split(chosen.scope),
          userScopes: split(chosen.user_scope),
          redirect_uri,
        }),
      )
    else address.searchParams.set('error', 'access_denied')
    address.searchParams.set('state', chosen.state)
    return reply.redirect(address.href, 302)
  })
}

/** Nobody is to be led into allowing what they do not see. */
const POLICY = "default-src 'self'; frame-ancestors 'none'"

const split = (scopes: string) => scopes.split(/[\s,]+/).filter(Boolean)

const redirectOf = ({ app }: Slack, { redirect_uri }: Wish) =>
  redirect_uri ?? app.manifest.oauth_config.redirect_urls[0] ?? ''

/** The same place, or one below it: never another host that merely begins alike. */
function isBelow(address: string, allowed: string): boolean {
  if (!URL.canParse(address)) return false
  const [given, known] = [new URL(address), new URL(allowed)]
  const folder = known.pathname.replace(/\/?$/, '/')
  return (
    given.origin === known.origin &&
    !given.username &&
    !given.password &&
    `${given.pathname}/`.startsWith(folder)
  )
}

const managers = ({ people }: Slack) => [...people.values()].filter(mayManageApps)

function faultIn(slack: Slack, wish: Wish & { person?: string }): string | undefined {
  const { redirect_urls, scopes } = slack.app.manifest.oauth_config
  if (wish.client_id !== slack.app.secrets.clientId) return 'invalid_client_id'
  if (!redirect_urls.some((url) => isBelow(redirectOf(slack, wish), url))) return 'bad_redirect_uri'
  const unknown = [
    ...split(wish.scope).filter((scope) => !scopes.bot.includes(scope)),
    ...split(wish.user_scope).filter((scope) => !scopes.user.includes(scope)),
  ]
  if (unknown.length) return `invalid_scope: ${unknown.join(', ')}`
  if (wish.person !== undefined && !managers(slack).some(({ id }) => id === wish.person))
    return 'only owners and admins install apps here'
  return undefined
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/oauth.css">
<main>${body}</main></html>`

const sorry = (fault: string) =>
  page(
    'This does not work',
    `<h1>This does not work</h1><p>The app asked in a way that Slack refuses: <code>${escaped(fault)}</code></p>`,
  )

function question(slack: Slack, wish: Wish): string {
  const { name } = slack.app.manifest.display_information
  const title = `${name} asks to come into ${slack.team.name}`
  const hidden = Object.entries(wish)
    .map(([key, value]) => `<input type="hidden" name="${key}" value="${escaped(value ?? '')}">`)
    .join('')
  const people = managers(slack)
    .map(({ id, name }) => `<option value="${id}">${escaped(name)}</option>`)
    .join('')
  const scopes = [...split(wish.scope), ...split(wish.user_scope)].map(
    (scope) => `<li><code>${escaped(scope)}</code></li>`,
  )
  return page(
    title,
    `<h1>${escaped(title)}</h1><p>It would like to:</p><ul>${scopes.join('')}</ul>
<form method="post">${hidden}<label>You are <select name="person">${people}</select></label>
<p><button name="choice" value="allow">Allow</button> <button name="choice" value="cancel">Cancel</button></p></form>`,
  )
}

export const OAUTH_STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:10vh auto;padding:0 1.5rem}button,select{font:inherit;padding:.4rem .9rem}`
