import type { ClientState, StatePatch } from './protocol.ts'

/** Returns the client state after a change. What the change doesn't concern stays the same object. */
export function applyPatch(state: ClientState, patch: StatePatch): ClientState {
  if (patch.type === 'state') return patch.state
  if (patch.type === 'views') return { ...state, views: patch.views }
  if (patch.type === 'home') return { ...state, home: patch.home }
  const { channel, ts } = patch.type === 'message' ? patch.message : patch
  const messages = (state.messages[channel] ?? []).filter((message) => message.ts !== ts)
  if (patch.type === 'message') {
    messages.push(patch.message)
    messages.sort((a, b) => (a.ts < b.ts ? -1 : 1))
  }
  return { ...state, messages: { ...state.messages, [channel]: messages } }
}
