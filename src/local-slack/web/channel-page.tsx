import { useState } from 'react'
import type { ClientChannel } from '../protocol.ts'
import type { Where } from './app.tsx'
import { Composer } from './composer.tsx'
import { Icon } from './icon.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { MessageList } from './message-list.tsx'
import { standsInChannel, useSlack } from './slack.tsx'

type Props = {
  channel: ClientChannel
  highlight?: string | undefined
  openThread: (ts: string) => void
  openDrawer: () => void
  go: (to: Where) => void
}

export function ChannelPage({ channel, highlight, openThread, openDrawer, go }: Props) {
  const { nameOf, me, act, seen, say } = useSlack()
  const [showsMembers, setShowsMembers] = useState(false)
  const inside = channel.members.includes(me.id)
  const direct = channel.kind === 'im' || channel.kind === 'mpim'
  const join = async () => {
    const joined = await act('joinChannel', { channel: channel.id })
    if ('error' in joined) say(joined.error)
  }
  const shown = (seen.messages[channel.id] ?? []).filter(standsInChannel)
  return (
    <>
      <header className="page-head">
        <button type="button" className="drawer-button" aria-label="Channels" onClick={openDrawer}>
          <Icon name="menu" />
        </button>
        <h1>
          {!direct && <Icon name={channel.kind === 'public' ? 'hash' : 'lock'} />}
          {nameOf(channel)}
        </h1>
        <p className="topic">{channel.topic || channel.purpose}</p>
        {!direct && (
          <button type="button" className="plain" onClick={() => setShowsMembers(true)}>
            {channel.members.length} {channel.members.length === 1 ? 'member' : 'members'}
          </button>
        )}
      </header>
      <MessageList messages={shown} openThread={openThread} highlight={highlight} label={nameOf(channel)} />
      {inside ? (
        <Composer channel={channel} placeholder={`Message ${direct ? '' : '#'}${nameOf(channel)}`} go={go} />
      ) : (
        <div className="join">
          <p>You are looking at #{channel.name}.</p>
          <button type="button" className="primary" onClick={join}>
            Join channel
          </button>
        </div>
      )}
      {showsMembers && <MembersDialog channel={channel} close={() => setShowsMembers(false)} />}
    </>
  )
}
