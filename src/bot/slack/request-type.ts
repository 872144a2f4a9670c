/** The types of requests from Slack, as labels of metrics. */
export const REQUEST_TYPES = [
  'command',
  'block_actions',
  'block_suggestion',
  'view_submission',
  'view_closed',
  'shortcut',
  'message_action',
  'event_callback',
  'other',
] as const

export type RequestType = (typeof REQUEST_TYPES)[number]

export const requestType = ({ command, type }: { command?: unknown; type?: unknown }): RequestType =>
  command ? 'command' : (REQUEST_TYPES.find((candidate) => candidate === type) ?? 'other')
