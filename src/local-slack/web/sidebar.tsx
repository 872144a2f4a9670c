import { useEffect, useRef } from 'react'
import type { ClientChannel } from '../protocol.ts'
import { becomeAddress } from './address.ts'
import type { Where } from './app.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { useSlack } from './slack.tsx'

type Props = { place: Where; go: (to: Where) => void; close: () => void }

export function Sidebar({ place, go, close }: Props) {
  const { seen, me, act, say } = useSlack()
  const isUnread = useUnread(place)
  const here = 'channel' in place ? place.channel : undefined
  const rooms = seen.channels.filter(({ kind }) => kind === 'public' || kind === 'private')
  const direct = seen.channels.filter(({ kind }) => kind === 'im' || kind === 'mpim')
  const strangers = seen.users.filter(
    ({ id, role }) =>
      role !== 'bot' &&
      id !== me.id &&
      !direct.some(({ kind, members }) => kind === 'im' && members.includes(id)),
  )
  const talkTo = async (id: string) => {
    const opened = await act('openDirectMessage', { users: [id] })
    if ('error' in opened) say(opened.error)
    else go({ channel: opened.channel })
  }
  const row = (channel: ClientChannel) => (
    <ChannelRow
      key={channel.id}
      channel={channel}
      current={channel.id === here}
      unread={isUnread(channel)}
      go={go}
    />
  )
  return (
    <>
      <nav className="sidebar" aria-label="Workspace">
        <div className="sidebar-top">
          <strong className="team">{seen.workspaceName}</strong>
          <PersonSwitcher />
        </div>
        <div className="sidebar-lists">
          <h2>Channels</h2>
          <ul>{rooms.map(row)}</ul>
          <h2>Direct messages</h2>
          <ul>{direct.filter(({ members }) => !members.includes(seen.app.botUserId)).map(row)}</ul>
          {strangers.length > 0 && (
            <Menu
              label="Write to somebody"
              className="quiet-row"
              items={strangers.map(({ id, name }) => ({ label: name, choose: () => talkTo(id) }))}
            >
              <Icon name="plus" /> Write to somebody
            </Menu>
          )}
          <h2>Apps</h2>
          <ul>
            <li>
              <button
                type="button"
                className="row"
                aria-current={'app' in place ? 'page' : undefined}
                data-unread={direct.some((dm) => dm.members.includes(seen.app.botUserId) && isUnread(dm))}
                onClick={() => go({ app: seen.app.hasHomeTab ? 'home' : 'messages' })}
              >
                <img src={`/avatars/${seen.app.botUserId}.svg`} alt="" width="18" height="18" />
                {seen.app.name}
              </button>
            </li>
          </ul>
        </div>
      </nav>
      <button type="button" className="curtain" aria-label="Close the list of channels" onClick={close} />
    </>
  )
}

type RowProps = { channel: ClientChannel; current: boolean; unread: boolean; go: (to: Where) => void }

function ChannelRow({ channel, current, unread, go }: RowProps) {
  const { nameOf, me } = useSlack()
  const other = channel.members.find((id) => id !== me.id) ?? me.id
  const sign = { public: 'hash', private: 'lock', im: undefined, mpim: undefined } as const
  const icon = sign[channel.kind]
  return (
    <li>
      <button
        type="button"
        className="row"
        aria-current={current ? 'page' : undefined}
        data-unread={unread}
        data-outside={!channel.members.includes(me.id)}
        onClick={() => go({ channel: channel.id })}
      >
        {icon ? <Icon name={icon} /> : <img src={`/avatars/${other}.svg`} alt="" width="18" height="18" />}
        {nameOf(channel)}
        {unread && <span className="hidden">, unread</span>}
      </button>
    </li>
  )
}

function PersonSwitcher() {
  const { seen, me } = useSlack()
  const people = seen.users.filter(({ role }) => role !== 'bot')
  return (
    <Menu
      label={`${me.name} ${me.role}: be somebody else`}
      className="switcher"
      items={people.map(({ handle, name, role }) => ({
        label: `${name} · ${role}`,
        href: becomeAddress(handle),
        current: handle === me.handle,
      }))}
    >
      <img src={`/avatars/${me.id}.svg`} alt="" width="28" height="28" />
      <span>
        {me.name} <small>{me.role}</small>
      </span>
      <Icon name="down" />
    </Menu>
  )
}

/** A channel is unread when something came after it was last looked at. */
function useUnread(place: Where): (channel: ClientChannel) => boolean {
  const { seen, me } = useSlack()
  const latest = (id: string) => seen.messages[id]?.findLast(({ user }) => user !== me.id)?.ts ?? ''
  // What one looks at is read; that changes nothing to be seen until one looks elsewhere.
  const read = useRef<Record<string, string>>(undefined)
  read.current ??= Object.fromEntries(seen.channels.map(({ id }) => [id, latest(id)]))
  const known = read.current
  const dmOfApp = seen.channels.find(
    ({ kind, members }) => kind === 'im' && members.includes(seen.app.botUserId),
  )
  const here = 'channel' in place ? place.channel : place.app === 'messages' ? dmOfApp?.id : undefined
  useEffect(() => {
    if (here) known[here] = latest(here)
  })
  return ({ id }) => id !== here && latest(id) > (known[id] ?? '')
}
