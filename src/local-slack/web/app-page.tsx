import { useEffect } from 'react'
import type { Where } from './app.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Place } from './blocks/place.tsx'
import { Composer } from './composer.tsx'
import { Icon } from './icon.tsx'
import { MessageList } from './message-list.tsx'
import { Mishap } from './mishap.tsx'
import { standsInChannel, useSlack } from './slack.tsx'

type Tab = Extract<Where, { app: string }>['app']
type Props = { tab: Tab; go: (to: Where) => void; openDrawer: () => void }

/** The app's own page. */
export function AppPage({ tab, go, openDrawer }: Props) {
  const { seen, act } = useSlack()
  const { app } = seen
  useEffect(() => {
    if (tab !== 'about') void act('openAppTab', { tab })
  }, [tab, act])
  const tabs: Tab[] = [
    ...(app.hasHomeTab ? ['home' as const] : []),
    ...(app.hasMessagesTab ? ['messages' as const] : []),
    'about',
  ]
  return (
    <>
      <header className="page-head">
        <button type="button" className="drawer-button" aria-label="Channels" onClick={openDrawer}>
          <Icon name="menu" />
        </button>
        <img src={`/avatars/${app.botUserId}.svg`} alt="" width="28" height="28" />
        <h1>{app.name}</h1>
        <div role="tablist" aria-label={app.name} className="tabs">
          {tabs.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={one === tab}
              onClick={() => go({ app: one })}
            >
              {{ home: 'Home', messages: 'Messages', about: 'About' }[one]}
            </button>
          ))}
        </div>
      </header>
      {tab === 'home' && <Home />}
      {tab === 'messages' && <Messages go={go} />}
      {tab === 'about' && <About />}
    </>
  )
}

function Home() {
  const { seen } = useSlack()
  const { home, app } = seen
  return (
    <div className="home" role="tabpanel" aria-label="Home">
      {home ? (
        <Place at={{ view: home.id }} blocks={home.blocks} key={home.id}>
          <Mishap key={home.hash}>
            <Blocks blocks={home.blocks} />
          </Mishap>
        </Place>
      ) : (
        <p className="empty">{app.name} has put nothing on its Home yet. Is it running?</p>
      )}
    </div>
  )
}

function Messages({ go }: { go: (to: Where) => void }) {
  const { seen } = useSlack()
  const channel = seen.channels.find(
    ({ kind, members }) => kind === 'im' && members.includes(seen.app.botUserId),
  )
  if (!channel) return <p className="empty">Opening…</p>
  return (
    <>
      <MessageList
        messages={(seen.messages[channel.id] ?? []).filter(standsInChannel)}
        label={`Messages of ${seen.app.name}`}
        openThread={(thread) => go({ channel: channel.id, thread })}
      />
      <Composer channel={channel} placeholder={`Message ${seen.app.name}`} go={go} />
    </>
  )
}

function About() {
  const { seen, me, act, say } = useSlack()
  const { app } = seen
  const manages = me.role === 'owner' || me.role === 'admin'
  const change = async () => {
    const result = await act(app.isInstalled ? 'uninstallApp' : 'installApp', {})
    if ('error' in result) say(result.error)
  }
  return (
    <div className="home about" role="tabpanel" aria-label="About">
      <p>{app.description || 'This app says nothing about itself.'}</p>
      <p>
        {app.isInstalled ? 'It is in this workspace.' : 'It is not in this workspace.'}{' '}
        {manages ? (
          <button type="button" onClick={change}>
            {app.isInstalled ? 'Remove the app' : 'Install the app'}
          </button>
        ) : (
          'Owners and admins can change that.'
        )}
      </p>
      {app.commands.length > 0 && (
        <>
          <h2>Commands</h2>
          <dl>
            {app.commands.map(({ command, usage_hint, description }) => (
              <div key={command}>
                <dt>
                  <code>
                    {command} {usage_hint}
                  </code>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  )
}
