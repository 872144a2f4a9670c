import { parseDocument } from 'yaml'

/** Turns a manifest for Socket Mode into one whose commands, buttons and events go to a public URL. */
export function toHttpManifest(socketModeManifest: string, url: string): string {
  const manifest = parseDocument(socketModeManifest.replace('for Socket Mode.', 'for HTTP.'))
  const requestUrl = new URL('/slack/events', url).href
  const { features } = manifest.toJS()
  for (const index of features.slash_commands.keys())
    manifest.setIn(['features', 'slash_commands', index, 'url'], requestUrl)
  manifest.setIn(['settings', 'interactivity', 'request_url'], requestUrl)
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], requestUrl)
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], requestUrl)
  manifest.setIn(['settings', 'socket_mode_enabled'], false)
  return manifest.toString({ lineWidth: 0 })
}
