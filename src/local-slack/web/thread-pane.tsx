import type { ClientChannel } from '../protocol.ts'
import { Composer } from './composer.tsx'
import { Icon } from './icon.tsx'
import { MessageList } from './message-list.tsx'
import { useSlack } from './slack.tsx'

type Props = { channel: ClientChannel; thread: string; close: () => void }

export function ThreadPane({ channel, thread, close }: Props) {
  const { seen, me } = useSlack()
  const messages = (seen.messages[channel.id] ?? []).filter(
    ({ ts, thread_ts }) => ts === thread || thread_ts === thread,
  )
  return (
    <aside
      className="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close()
      }}
    >
      <header className="page-head">
        <h2>Thread</h2>
        <button type="button" className="icon-button" aria-label="Close the thread" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList messages={messages} label="Replies" />
      {channel.members.includes(me.id) && <Composer channel={channel} thread={thread} placeholder="Reply…" />}
    </aside>
  )
}
