import { useEffect, useRef } from 'react'
import type { ClientChannel } from '../protocol.ts'
import { useClient } from './client.tsx'
import { describeUser, isActivePerson } from './describe-user.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { type PageLocation, switchUserUrl } from './page-url.ts'
import { SharedChannelIcon } from './shared-channel-icon.tsx'

type Navigate = (target: PageLocation) => void
type Props = { location: PageLocation; navigate: Navigate; onClose: () => void }

export function Sidebar({ location, navigate, onClose }: Props) {
  const { state, currentUser, runActionWithToast } = useClient()
  const { app, channels, users } = state
  const isUnread = useUnreadChannels(location)
  const namedChannels = channels.filter(({ kind }) => kind === 'public' || kind === 'private')
  const directMessages = channels.filter(({ kind }) => kind === 'im' || kind === 'mpim')
  const includesApp = ({ members }: ClientChannel) => members.includes(app.botUserId)
  const usersWithoutDirectMessage = users.filter(
    (user) =>
      isActivePerson(user) &&
      user.id !== currentUser.id &&
      !directMessages.some(({ kind, members }) => kind === 'im' && members.includes(user.id)),
  )
  const openDirectMessage = async (userId: string) => {
    const result = await runActionWithToast('openDirectMessage', { users: [userId] })
    if ('channel' in result) navigate({ channel: result.channel })
  }
  const renderChannel = (channel: ClientChannel) => (
    <ChannelRow
      key={channel.id}
      channel={channel}
      isCurrent={'channel' in location && location.channel === channel.id}
      isUnread={isUnread(channel)}
      navigate={navigate}
    />
  )
  return (
    <>
      <nav className="sidebar" aria-label="Workspace">
        <div className="sidebar-header">
          <strong className="workspace-name">{state.workspaceName}</strong>
          <UserSwitcher />
        </div>
        <div className="sidebar-lists">
          <h2>Channels</h2>
          <ul>{namedChannels.map(renderChannel)}</ul>
          <h2>Direct messages</h2>
          <ul>{directMessages.filter((channel) => !includesApp(channel)).map(renderChannel)}</ul>
          {usersWithoutDirectMessage.length > 0 && (
            <Menu
              label="New message"
              className="sidebar-row"
              items={usersWithoutDirectMessage.map(({ id, name, otherTeam }) => ({
                label: name,
                hint: otherTeam,
                onSelect: () => openDirectMessage(id),
              }))}
            >
              <Icon name="plus" /> New message
            </Menu>
          )}
          <h2>Apps</h2>
          <ul>
            <li>
              <button
                type="button"
                className="sidebar-row"
                aria-current={'appTab' in location ? 'page' : undefined}
                data-unread={directMessages.some((channel) => includesApp(channel) && isUnread(channel))}
                onClick={() =>
                  navigate({ appTab: app.hasHomeTab ? 'home' : app.hasMessagesTab ? 'messages' : 'about' })
                }
              >
                <img src={`/avatars/${app.botUserId}.svg`} alt="" width="18" height="18" />
                {app.name}
              </button>
            </li>
          </ul>
        </div>
        <p className="sidebar-note">Messages are lost when this local Slack stops.</p>
      </nav>
      <button type="button" className="drawer-backdrop" aria-label="Close channel list" onClick={onClose} />
    </>
  )
}

type ChannelRowProps = { channel: ClientChannel; isCurrent: boolean; isUnread: boolean; navigate: Navigate }

function ChannelRow({ channel, isCurrent, isUnread, navigate }: ChannelRowProps) {
  const { channelName, currentUser } = useClient()
  const { id, kind, members } = channel
  const partnerId = members.find((memberId) => memberId !== currentUser.id) ?? currentUser.id
  return (
    <li>
      <button
        type="button"
        className="sidebar-row"
        aria-current={isCurrent ? 'page' : undefined}
        data-unread={isUnread}
        data-member={members.includes(currentUser.id)}
        onClick={() => navigate({ channel: id })}
      >
        {kind === 'public' || kind === 'private' ? (
          <Icon name={kind === 'public' ? 'hash' : 'lock'} />
        ) : (
          <img src={`/avatars/${partnerId}.svg`} alt="" width="18" height="18" />
        )}
        {channelName(channel)}
        <SharedChannelIcon channel={channel} />
        {isUnread && <span className="visually-hidden">, unread</span>}
      </button>
    </li>
  )
}

function UserSwitcher() {
  const { state, currentUser } = useClient()
  const description = describeUser(currentUser)
  return (
    <Menu
      label={`${currentUser.name} ${description}, switch user`}
      className="user-switcher"
      items={state.users.filter(isActivePerson).map((user) => ({
        label: `${user.name} · ${describeUser(user)}`,
        href: switchUserUrl(user.handle),
        isCurrent: user.handle === currentUser.handle,
      }))}
    >
      <img src={`/avatars/${currentUser.id}.svg`} alt="" width="28" height="28" />
      <span>
        {currentUser.name} <small>{description}</small>
      </span>
      <Icon name="down" />
    </Menu>
  )
}

/** A channel is unread if a message from someone else arrived since the user last had the channel open. */
function useUnreadChannels(location: PageLocation): (channel: ClientChannel) => boolean {
  const { state, currentUser } = useClient()
  const latestTs = (id: string) =>
    state.messages[id]?.findLast(({ user }) => user !== currentUser.id)?.ts ?? ''
  // A ref instead of state: reading a channel changes nothing on screen until the user opens another channel.
  const lastReadRef = useRef<Record<string, string>>(undefined)
  lastReadRef.current ??= Object.fromEntries(state.channels.map(({ id }) => [id, latestTs(id)]))
  const lastRead = lastReadRef.current
  const appMessages = state.channels.find(
    ({ kind, members }) => kind === 'im' && members.includes(state.app.botUserId),
  )
  const appChannelId = 'appTab' in location && location.appTab === 'messages' ? appMessages?.id : undefined
  const openChannelId = 'channel' in location ? location.channel : appChannelId
  useEffect(() => {
    if (openChannelId) lastRead[openChannelId] = latestTs(openChannelId)
  })
  return ({ id }) => id !== openChannelId && latestTs(id) > (lastRead[id] ?? '')
}
