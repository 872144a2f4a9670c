import { useEffect } from 'react'
import { Blocks } from './blocks/blocks.tsx'
import { BlockSurface } from './blocks/surface.tsx'
import { isShownInChannel, useClient } from './client.tsx'
import { Composer } from './composer.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Icon } from './icon.tsx'
import { MessageList } from './message-list.tsx'
import type { PageLocation } from './page-url.ts'

type Tab = Extract<PageLocation, { appTab: string }>['appTab']
type Props = { tab: Tab; navigate: (target: PageLocation) => void; openDrawer: () => void }

const TAB_LABELS: Record<Tab, string> = { home: 'Home', messages: 'Messages', about: 'About' }

/** The app's own page: its App Home, its direct messages and a description. */
export function AppPage({ tab, navigate, openDrawer }: Props) {
  const { state, runAction } = useClient()
  const { app } = state
  useEffect(() => {
    if (tab !== 'about') void runAction('openAppTab', { tab })
  }, [tab, runAction])
  const tabs: Tab[] = ['about']
  if (app.hasMessagesTab) tabs.unshift('messages')
  if (app.hasHomeTab) tabs.unshift('home')
  return (
    <>
      <header className="page-header">
        <button type="button" className="drawer-button" aria-label="Channels" onClick={openDrawer}>
          <Icon name="menu" />
        </button>
        <img src={`/avatars/${app.botUserId}.svg`} alt="" width="28" height="28" />
        <h1>{app.name}</h1>
        <div role="tablist" aria-label={app.name} className="tabs">
          {tabs.map((appTab) => (
            <button
              key={appTab}
              type="button"
              role="tab"
              aria-selected={appTab === tab}
              onClick={() => navigate({ appTab })}
            >
              {TAB_LABELS[appTab]}
            </button>
          ))}
        </div>
      </header>
      {tab === 'home' && <HomeTab />}
      {tab === 'messages' && <MessagesTab navigate={navigate} />}
      {tab === 'about' && <AboutTab />}
    </>
  )
}

function HomeTab() {
  const { home, app } = useClient().state
  return (
    <div className="app-tab" role="tabpanel" aria-label="Home">
      {home ? (
        <BlockSurface surfaceId={{ view: home.id }} blocks={home.blocks} key={home.id}>
          <ErrorBoundary key={home.hash}>
            <Blocks blocks={home.blocks} />
          </ErrorBoundary>
        </BlockSurface>
      ) : (
        <p className="empty">{app.name} hasn't published its Home tab yet. Check that the app is running.</p>
      )}
    </div>
  )
}

function MessagesTab({ navigate }: { navigate: Props['navigate'] }) {
  const { state } = useClient()
  const { app, channels, messages } = state
  const channel = channels.find(({ kind, members }) => kind === 'im' && members.includes(app.botUserId))
  if (!channel) return <p className="empty">Loading…</p>
  return (
    <>
      <MessageList
        messages={(messages[channel.id] ?? []).filter(isShownInChannel)}
        label={`Messages with ${app.name}`}
        openThread={(thread) => navigate({ channel: channel.id, thread })}
      />
      <Composer channel={channel} placeholder={`Message ${app.name}`} />
    </>
  )
}

function AboutTab() {
  const { state, currentUser, runActionWithToast } = useClient()
  const { app } = state
  const canManageApps = (currentUser.role === 'owner' || currentUser.role === 'admin') && !state.isVisitor
  const toggleInstallation = () => runActionWithToast(app.isInstalled ? 'uninstallApp' : 'installApp', {})
  return (
    <div className="app-tab about" role="tabpanel" aria-label="About">
      <p>{app.description || 'This app has no description.'}</p>
      <p>
        {app.isInstalled ? 'Installed in this workspace.' : 'Not installed in this workspace.'}{' '}
        {canManageApps && (
          <button type="button" onClick={toggleInstallation}>
            {app.isInstalled ? 'Remove app' : 'Install app'}
          </button>
        )}
        {!canManageApps && !state.isVisitor && 'Only owners and admins can install or remove apps.'}
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
