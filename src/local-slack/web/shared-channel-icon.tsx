import type { ClientChannel } from '../protocol.ts'
import { Icon } from './icon.tsx'

/** Marks a channel that other workspaces share. */
export function SharedChannelIcon({ channel: { sharedWith } }: { channel: ClientChannel }) {
  if (!sharedWith.length) return null
  const text = `shared with ${sharedWith.join(', ')}`
  return (
    <span className="shared-channel" title={text}>
      <Icon name="shared" />
      <span className="visually-hidden">, {text}</span>
    </span>
  )
}
