import { useEffect, useRef } from 'react'
import type { ClientMessage } from '../protocol.ts'
import { useClient } from './client.tsx'
import { formatDay } from './date-time.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Message } from './message.tsx'

type Props = {
  messages: ClientMessage[]
  label: string
  openThread?: (ts: string) => void
  highlightedTs?: string | undefined
}

/** The server sends this many messages of a channel. */
const MAX_LOADED_MESSAGES = 200

/** A list that is scrolled to within this distance of its end scrolls along with new messages. */
const FOLLOW_DISTANCE_PX = 120

const MAX_SECONDS_BETWEEN_GROUPED_MESSAGES = 300

const authorOf = (message: ClientMessage) => ('username' in message && message.username) || message.user

export function MessageList({ messages, label, openThread, highlightedTs }: Props) {
  const { timeZone } = useClient()
  const list = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const lastHighlightedTs = useRef<string>(undefined)
  const lastMessage = messages.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last message scrolls the list
  useEffect(() => {
    const isNewHighlight = highlightedTs !== lastHighlightedTs.current
    const highlighted = isNewHighlight ? document.getElementById(`message-${highlightedTs}`) : null
    lastHighlightedTs.current = highlightedTs
    if (highlighted) {
      highlighted.scrollIntoView({ block: 'center' })
      isAtEnd.current = false
    } else if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [lastMessage, messages.length, highlightedTs])
  const onScroll = () => {
    if (!list.current) return
    const { scrollHeight, scrollTop, clientHeight } = list.current
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE_PX
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a region by focusing it
    <section className="messages" role="log" aria-label={label} ref={list} onScroll={onScroll} tabIndex={0}>
      {messages.length >= MAX_LOADED_MESSAGES && <p className="empty">Older messages aren't shown.</p>}
      {messages.length === 0 && <p className="empty">No messages yet.</p>}
      {messages.map((message, index) => {
        const previous = messages[index - 1]
        const day = formatDay(message.ts, timeZone)
        const startsDay = !previous || formatDay(previous.ts, timeZone) !== day
        const isGrouped =
          !startsDay &&
          authorOf(previous) === authorOf(message) &&
          previous.isEphemeral === message.isEphemeral &&
          Number(message.ts) - Number(previous.ts) < MAX_SECONDS_BETWEEN_GROUPED_MESSAGES
        return (
          <div key={message.ts}>
            {startsDay && <h2 className="day">{day}</h2>}
            <ErrorBoundary key={message.edited?.ts}>
              <Message
                message={message}
                isGrouped={isGrouped}
                openThread={openThread}
                isHighlighted={message.ts === highlightedTs}
              />
            </ErrorBoundary>
          </div>
        )
      })}
    </section>
  )
}
