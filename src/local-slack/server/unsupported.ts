import type { Manifest } from '../manifest.ts'
import { SCOPES_OF_EVENTS, SUPPORTED_EVENTS } from './delivery/deliver-events.ts'
import { methods } from './web-api/methods.ts'

/** Scopes that do more than allow methods or events. */
const OTHER_SCOPES = ['chat:write.customize', 'chat:write.public', 'commands', 'im:read', 'mpim:read']

/** What the manifest asks for that isn't there, so that a developer doesn't look for the fault in the app. */
export function findUnsupported({
  features,
  functions,
  workflows,
  oauth_config,
  settings,
}: Manifest): string[] {
  const { bot_events, user_events } = settings.event_subscriptions
  const { bot, user } = oauth_config.scopes
  const scopes = new Set([
    ...methods.flatMap((method) => method.scopes),
    ...SCOPES_OF_EVENTS,
    ...OTHER_SCOPES,
  ])
  const nameAll = (kind: string, names: string[]) =>
    names.length ? [`the ${kind}${names.length > 1 ? 's' : ''} ${names.join(', ')}`] : []
  return [
    ...(Object.keys(functions).length ? ['functions'] : []),
    ...(Object.keys(workflows).length ? ['workflows'] : []),
    ...(features.assistant_view === undefined ? [] : ['assistants']),
    ...(features.unfurl_domains.length ? ['link unfurling'] : []),
    ...(settings.org_deploy_enabled ? ['org-wide installation'] : []),
    ...nameAll(
      'event',
      bot_events.filter((event) => !SUPPORTED_EVENTS.includes(event)),
    ),
    ...nameAll('user event', user_events),
    ...nameAll(
      'scope',
      [...new Set([...bot, ...user])].filter((scope) => !scopes.has(scope)),
    ),
  ]
}
