import { useEffect, useRef } from 'react'
import type { ClientMessage } from '../protocol.ts'
import { Message } from './message.tsx'
import { Mishap } from './mishap.tsx'
import { dayOf } from './moments.ts'
import { useSlack } from './slack.tsx'

type Props = {
  messages: ClientMessage[]
  label: string
  openThread?: (ts: string) => void
  highlight?: string | undefined
}

/** As many as the server sends at first. */
const MOST = 200

/** Near enough to the end to be taken along by what comes. */
const NEAR_PX = 120

/** Whose name stands above it. */
const signatureOf = (message: ClientMessage) => ('username' in message && message.username) || message.user

export function MessageList({ messages, label, openThread, highlight }: Props) {
  const { zone } = useSlack()
  const list = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const shown = useRef<string>(undefined)
  const last = messages.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came last is what makes it scroll
  useEffect(() => {
    const marked = highlight !== shown.current && document.getElementById(`message-${highlight}`)
    shown.current = highlight
    if (marked) {
      marked.scrollIntoView({ block: 'center' })
      follows.current = false
    } else if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [last, messages.length, highlight])
  const onScroll = () => {
    if (!list.current) return
    const { scrollHeight, scrollTop, clientHeight } = list.current
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="messages" role="log" aria-label={label} ref={list} onScroll={onScroll} tabIndex={0}>
      {messages.length >= MOST && <p className="empty">What was said before that is not shown here.</p>}
      {messages.length === 0 && <p className="empty">Nothing has been said here yet.</p>}
      {messages.map((message, index) => {
        const before = messages[index - 1]
        const day = dayOf(message.ts, zone)
        const newDay = !before || dayOf(before.ts, zone) !== day
        const continued =
          !newDay &&
          signatureOf(before) === signatureOf(message) &&
          before.isEphemeral === message.isEphemeral &&
          Number(message.ts) - Number(before.ts) < 300
        return (
          <div key={message.ts}>
            {newDay && <h2 className="day">{day}</h2>}
            <Mishap key={message.edited?.ts}>
              <Message
                message={message}
                continued={continued}
                openThread={openThread}
                highlighted={message.ts === highlight}
              />
            </Mishap>
          </div>
        )
      })}
    </section>
  )
}
