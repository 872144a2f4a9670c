import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Address, rememberPlace } from './address.ts'
import { AppPage } from './app-page.tsx'
import { ChannelPage } from './channel-page.tsx'
import type { Connection } from './connection.ts'
import { Modals } from './modal.tsx'
import { Sidebar } from './sidebar.tsx'
import { SlackProvider, useSlack } from './slack.tsx'
import { ThreadPane } from './thread-pane.tsx'

type Props = { connection: Connection; start: Address }

export function App({ connection, start }: Props) {
  const online = useSyncExternalStore(connection.subscribe, connection.online)
  const [said, setSaid] = useState<{ text: string }>()
  const say = useCallback((text: string) => setSaid({ text }), [])
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(undefined), 6000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <SlackProvider connection={connection} say={say} waiting={<p className="waiting">Connecting…</p>}>
      <Workspace start={start} />
      <Toasts said={said?.text} online={online} />
    </SlackProvider>
  )
}

/** Said in passing, above all else: a dialog that opens later does not cover it. */
function Toasts({ said, online }: { said: string | undefined; online: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.hidePopover()
    if (said || !online) place.current?.showPopover()
  }, [said, online])
  return (
    <div role="status" className="toast-place" ref={place} popover="manual">
      {said && <p className="toast">{said}</p>}
      {!online && <p className="toast">The connection was lost. Reconnecting…</p>}
    </div>
  )
}

/** Where one is: in a channel, perhaps in one of its threads, or on the app's page. */
export type Where = { channel: string; thread?: string | undefined } | { app: 'home' | 'messages' | 'about' }

function Workspace({ start }: { start: Address }) {
  const { seen, channel, me } = useSlack()
  useEffect(() => {
    document.title = `${me.name} · ${seen.workspaceName}`
  }, [me.name, seen.workspaceName])
  const first =
    channel(start.channel ?? '') ?? seen.channels.find(({ members }) => members.includes(seen.userId))
  const [place, setPlace] = useState<Where>(first ? { channel: first.id } : { app: 'home' })
  const [drawerOpen, setDrawerOpen] = useState(false)
  const go = useCallback((to: Where) => {
    setPlace(to)
    setDrawerOpen(false)
    if ('channel' in to) rememberPlace(to.channel)
  }, [])
  const current = 'channel' in place ? channel(place.channel) : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer from wherever one is
    <div
      className="workspace"
      data-drawer={drawerOpen}
      onKeyDown={({ key }) => key === 'Escape' && setDrawerOpen(false)}
    >
      <button
        type="button"
        className="skip"
        onClick={() => document.querySelector<HTMLElement>('[data-composer]')?.focus()}
      >
        Skip to the message field
      </button>
      <Sidebar place={place} go={go} close={() => setDrawerOpen(false)} />
      <main className="main">
        {'app' in place || !current ? (
          <AppPage
            tab={'app' in place ? place.app : 'about'}
            go={go}
            openDrawer={() => setDrawerOpen(true)}
          />
        ) : (
          <ChannelPage
            key={current.id}
            channel={current}
            highlight={start.message}
            openThread={(thread) => go({ channel: current.id, thread })}
            openDrawer={() => setDrawerOpen(true)}
            go={go}
          />
        )}
      </main>
      {'channel' in place && place.thread && current && (
        <ThreadPane
          key={place.thread}
          channel={current}
          thread={place.thread}
          close={() => go({ channel: current.id })}
        />
      )}
      <Modals />
    </div>
  )
}
