import type { ReactNode } from 'react'
import { findEmoji, fromCodePoints } from '../../emoji.ts'
import { useClient } from '../client.tsx'
import { formatDateTemplate, formatFullTime } from '../date-time.ts'

// The inline elements that mrkdwn, rich text and Markdown share.

export function UserMention({ id }: { id: string }) {
  const { findUser, currentUser } = useClient()
  return (
    <span className="mention" data-me={id === currentUser.id}>
      @{findUser(id)?.handle ?? id}
    </span>
  )
}

export function ChannelMention({ id, label }: { id: string; label?: string | undefined }) {
  const { findChannel } = useClient()
  const name = findChannel(id)?.name ?? label
  return <span className="mention">{name ? `#${name}` : 'private channel'}</span>
}

export function UserGroupMention({ id, label }: { id: string; label?: string | undefined }) {
  const { state } = useClient()
  const handle = state.userGroups.find((group) => group.id === id)?.handle ?? id
  return <GroupMention text={label ?? `@${handle}`} />
}

/** A mention of several people, such as @here or a user group. */
export const GroupMention = ({ text }: { text: string }) => <span className="mention">{text}</span>

/** Rejects URLs that run code, such as "javascript:" URLs. */
export const isSafeUrl = (url: string) => /^(https?|mailto|tel):/i.test(url)

/** A link, or only its text if the URL isn't safe to open. */
export function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  if (!isSafeUrl(url)) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

type DateProps = { seconds: number; format: string; url?: string | undefined; fallback?: string | undefined }

/** A date in the current user's time zone. */
export function DateText({ seconds, format, url, fallback = '' }: DateProps) {
  const { timeZone } = useClient()
  const date = new Date(seconds * 1000)
  if (!seconds || !Number.isFinite(date.getTime())) return <span>{fallback}</span>
  const text = formatDateTemplate(seconds, format, { timeZone, now: new Date() })
  return (
    <time title={formatFullTime(seconds, timeZone)} dateTime={date.toISOString()}>
      {url ? <SafeLink url={url}>{text}</SafeLink> : text}
    </time>
  )
}

export function EmojiText({ name, unicode }: { name: string; unicode?: string | undefined }) {
  const emoji = unicode ? fromCodePoints(unicode) : findEmoji(name)
  return emoji ? <span title={`:${name}:`}>{emoji}</span> : <span>:{name}:</span>
}
