import type { ClientChannel } from '../protocol.ts'
import { useClient } from './client.tsx'
import { Composer } from './composer.tsx'
import { Icon } from './icon.tsx'
import { MessageList } from './message-list.tsx'

type Props = { channel: ClientChannel; thread: string; onClose: () => void }

export function ThreadPane({ channel, thread, onClose }: Props) {
  const { state, currentUser } = useClient()
  const messages = (state.messages[channel.id] ?? []).filter(
    ({ ts, thread_ts }) => ts === thread || thread_ts === thread,
  )
  return (
    <aside
      className="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className="page-header">
        <h2>Thread</h2>
        <button type="button" className="icon-button" aria-label="Close thread" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList messages={messages} label="Replies" />
      {channel.members.includes(currentUser.id) && (
        <Composer channel={channel} thread={thread} placeholder="Reply…" />
      )}
    </aside>
  )
}
