import { useState } from 'react'
import type { ClientChannel, ClientUser } from '../protocol.ts'
import { isShownInChannel, useClient } from './client.tsx'
import { Composer } from './composer.tsx'
import { describeUser, isGuest } from './describe-user.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { MessageList } from './message-list.tsx'

type Props = {
  channel: ClientChannel
  highlightedTs: string | undefined
  openThread: (ts: string) => void
  openDrawer: () => void
}

export function ChannelPage({ channel, highlightedTs, openThread, openDrawer }: Props) {
  const { channelName, currentUser, runActionWithToast, state } = useClient()
  const [isMemberListOpen, setIsMemberListOpen] = useState(false)
  const isDirect = channel.kind === 'im' || channel.kind === 'mpim'
  const name = channelName(channel)
  const join = () => runActionWithToast('joinChannel', { channel: channel.id })
  return (
    <>
      <header className="page-header">
        <button type="button" className="drawer-button" aria-label="Channels" onClick={openDrawer}>
          <Icon name="menu" />
        </button>
        <h1>
          {!isDirect && <Icon name={channel.kind === 'public' ? 'hash' : 'lock'} />}
          {name}
        </h1>
        {channel.sharedWith.length > 0 && (
          <p className="shared-with">
            <Icon name="shared" /> Shared with {channel.sharedWith.join(', ')}
          </p>
        )}
        <p className="topic">{channel.topic || channel.purpose}</p>
        {!isDirect && (
          <button type="button" className="plain" onClick={() => setIsMemberListOpen(true)}>
            {channel.members.length} {channel.members.length === 1 ? 'member' : 'members'}
          </button>
        )}
      </header>
      <MessageList
        messages={(state.messages[channel.id] ?? []).filter(isShownInChannel)}
        openThread={openThread}
        highlightedTs={highlightedTs}
        label={name}
      />
      {channel.isArchived ? (
        <p className="join">This channel is archived.</p>
      ) : currentUser.isDeactivated ? (
        <p className="join">This account is deactivated.</p>
      ) : channel.members.includes(currentUser.id) ? (
        <Composer channel={channel} placeholder={`Message ${isDirect ? '' : '#'}${name}`} />
      ) : (
        <div className="join">
          <p>You're viewing #{channel.name}.</p>
          <button type="button" className="primary" onClick={join}>
            Join channel
          </button>
        </div>
      )}
      {isMemberListOpen && <MembersDialog channel={channel} onClose={() => setIsMemberListOpen(false)} />}
    </>
  )
}

function MembersDialog({ channel, onClose }: { channel: ClientChannel; onClose: () => void }) {
  const { state, currentUser, runActionWithToast } = useClient()
  const canChangeMembers =
    channel.members.includes(currentUser.id) && !isGuest(currentUser) && !state.isVisitor
  const canBeMember = ({ handle, isDeactivated, otherTeam }: ClientUser) =>
    handle !== 'slackbot' && !isDeactivated && (!otherTeam || channel.sharedWith.includes(otherTeam))
  const changeMember = (action: 'inviteToChannel' | 'removeFromChannel', user: string) =>
    runActionWithToast(action, { channel: channel.id, user })
  return (
    <Dialog title={`Members of #${channel.name}`} onClose={onClose}>
      <ul className="members">
        {state.users.filter(canBeMember).map((user) => {
          const { id, name } = user
          const isMember = channel.members.includes(id)
          return (
            <li key={id} data-member={isMember}>
              <img src={`/avatars/${id}.svg`} alt="" width="28" height="28" />
              <span>
                {name} <small>{describeUser(user)}</small>
              </span>
              {canChangeMembers && (
                <button
                  type="button"
                  onClick={() => changeMember(isMember ? 'removeFromChannel' : 'inviteToChannel', id)}
                >
                  {isMember ? 'Remove' : 'Add'}
                  <span className="visually-hidden"> {name}</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
