import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { AppPage } from './app-page.tsx'
import { ChannelPage } from './channel-page.tsx'
import { ClientProvider, useClient } from './client.tsx'
import type { Connection } from './connection.ts'
import { OpenModals } from './modal.tsx'
import { type PageLocation, type PageUrl, rememberChannel } from './page-url.ts'
import { Sidebar } from './sidebar.tsx'
import { ThreadPane } from './thread-pane.tsx'

const TOAST_TIMEOUT_MS = 6000

type Props = { connection: Connection; pageUrl: PageUrl }

export function App({ connection, pageUrl }: Props) {
  const isOnline = useSyncExternalStore(connection.subscribe, connection.isOnline)
  const [toast, setToast] = useState<{ text: string }>()
  const showToast = useCallback((text: string) => setToast({ text }), [])
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), TOAST_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ClientProvider
      connection={connection}
      showToast={showToast}
      fallback={<p className="connecting">Connecting…</p>}
    >
      <Workspace pageUrl={pageUrl} />
      <Toasts text={toast?.text} isOnline={isOnline} />
    </ClientProvider>
  )
}

function Toasts({ text, isOnline }: { text: string | undefined; isOnline: boolean }) {
  const container = useRef<HTMLDivElement>(null)
  // A popover that is shown again lies above any dialog that opened since.
  useEffect(() => {
    container.current?.hidePopover()
    if (text || !isOnline) container.current?.showPopover()
  }, [text, isOnline])
  return (
    <div role="status" className="toasts" ref={container} popover="manual">
      {text && <p className="toast">{text}</p>}
      {!isOnline && <p className="toast">Connection lost. Reconnecting…</p>}
    </div>
  )
}

function Workspace({ pageUrl }: { pageUrl: PageUrl }) {
  const { state, findChannel, currentUser } = useClient()
  useEffect(() => {
    document.title = `${currentUser.name} · ${state.workspaceName}`
  }, [currentUser.name, state.workspaceName])
  const [location, setLocation] = useState<PageLocation>(() => {
    const channel =
      findChannel(pageUrl.channelId ?? '') ??
      state.channels.find(({ members }) => members.includes(currentUser.id))
    return channel ? { channel: channel.id } : { appTab: state.app.hasHomeTab ? 'home' : 'about' }
  })
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const openDrawer = () => setIsDrawerOpen(true)
  const closeDrawer = () => setIsDrawerOpen(false)
  const navigate = useCallback((target: PageLocation) => {
    setLocation(target)
    setIsDrawerOpen(false)
    if ('channel' in target) rememberChannel(target.channel)
  }, [])
  const channel = 'channel' in location ? findChannel(location.channel) : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer from anywhere on the page
    <div
      className="workspace"
      data-drawer={isDrawerOpen}
      onKeyDown={({ key }) => key === 'Escape' && closeDrawer()}
    >
      <button
        type="button"
        className="skip-link"
        onClick={() => document.querySelector<HTMLElement>('[data-composer]')?.focus()}
      >
        Skip to message field
      </button>
      <Sidebar location={location} navigate={navigate} onClose={closeDrawer} />
      <main className="main">
        {channel ? (
          <ChannelPage
            key={channel.id}
            channel={channel}
            highlightedTs={pageUrl.messageTs}
            openThread={(thread) => navigate({ channel: channel.id, thread })}
            openDrawer={openDrawer}
          />
        ) : (
          <AppPage
            tab={'appTab' in location ? location.appTab : 'about'}
            navigate={navigate}
            openDrawer={openDrawer}
          />
        )}
      </main>
      {channel && 'channel' in location && location.thread && (
        <ThreadPane
          key={location.thread}
          channel={channel}
          thread={location.thread}
          onClose={() => navigate({ channel: channel.id })}
        />
      )}
      <OpenModals />
    </div>
  )
}
