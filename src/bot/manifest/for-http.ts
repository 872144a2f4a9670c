import { parseDocument } from 'yaml'

/** The same app, reached over HTTP at that address: every command, button and event leads there. */
export function manifestForHttp(socketMode: string, url: string): string {
  const manifest = parseDocument(socketMode.replace('for Socket Mode.', 'for HTTP.'))
  const address = new URL('/slack/events', url).href
  const { features } = manifest.toJS()
  for (const index of features.slash_commands.keys())
    manifest.setIn(['features', 'slash_commands', index, 'url'], address)
  manifest.setIn(['settings', 'interactivity', 'request_url'], address)
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], address)
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], address)
  manifest.setIn(['settings', 'socket_mode_enabled'], false)
  return manifest.toString({ lineWidth: 0 })
}
