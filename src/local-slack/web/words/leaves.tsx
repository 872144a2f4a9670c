import type { ReactNode } from 'react'
import { formatDate, fullTime } from '../moments.ts'
import { useSlack } from '../slack.tsx'
import { emoji } from './emoji.ts'

// The smallest things that a text can hold, however it came.

export function Mention({ id }: { id: string }) {
  const { person, me } = useSlack()
  return (
    <span className="mention" data-me={id === me.id}>
      @{person(id)?.handle ?? id}
    </span>
  )
}

export function ChannelName({ id, label }: { id: string; label?: string | undefined }) {
  const { channel } = useSlack()
  const name = channel(id)?.name ?? label
  return <span className="mention">{name ? `#${name}` : 'private channel'}</span>
}

export const Broadcast = ({ text }: { text: string }) => <span className="mention">{text}</span>

/** No link may run anything. */
export const isHarmless = (url: string) => /^(https?|mailto|tel):/i.test(url)

/** Only where a link can do no harm is it one. */
export function Link({ url, children }: { url: string; children: ReactNode }) {
  if (!isHarmless(url)) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

type DateProps = { seconds: number; format: string; url?: string | undefined; fallback?: string | undefined }

/** Each reader sees it in a zone of their own. */
export function DateText({ seconds, format, url, fallback = '' }: DateProps) {
  const { zone } = useSlack()
  if (!seconds || !Number.isFinite(new Date(seconds * 1000).getTime())) return <span>{fallback}</span>
  const text = formatDate(seconds, format, { zone, now: new Date() })
  return (
    <time title={fullTime(String(seconds), zone)} dateTime={new Date(seconds * 1000).toISOString()}>
      {url ? <Link url={url}>{text}</Link> : text}
    </time>
  )
}

export function EmojiText({ name }: { name: string }) {
  const sign = emoji(name)
  return sign ? <span title={`:${name}:`}>{sign}</span> : <span>:{name}:</span>
}
