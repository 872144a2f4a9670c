import { Fragment, type ReactNode } from 'react'
import { SafeLink } from '../text/inline-elements.tsx'

/** A markdown block: the part of Markdown that chat bots write. */
export function Markdown({ text }: { text: string }) {
  const parts = text.split(/(```[\s\S]*?```)/)
  return (
    <div className="rich-text">
      {parts.map((part, index) => {
        const code = /^```\w*\n?([\s\S]*?)\n?```$/.exec(part)?.[1]
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and do not move
        return <Fragment key={index}>{code === undefined ? lines(part) : <pre>{code}</pre>}</Fragment>
      })}
    </div>
  )
}

const lines = (text: string): ReactNode[] =>
  text
    .split(/\n{2,}|(?<=^#{1,6} .*)\n|\n(?=[#>*-]|\d+\.)/m)
    .filter((line) => line.trim())
    .map((line, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name, and do not move
      return <Fragment key={index}>{drawLine(line.trim())}</Fragment>
    })

function drawLine(line: string): ReactNode {
  const [, marks = '', heading] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
  if (heading) return <p className={`heading-${marks.length}`}>{inline(heading)}</p>
  const [, sign = '', item] = /^([*-]|\d+\.)\s+(.*)$/s.exec(line) ?? []
  if (item)
    return (
      <p>
        {sign.length > 1 ? sign : '•'} {inline(item)}
      </p>
    )
  const quote = /^>\s?(.*)$/s.exec(line)?.[1]
  return quote ? <blockquote>{inline(quote)}</blockquote> : <p>{inline(line)}</p>
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|~~([^~]+)~~|(?<!\w)\*([^*]+)\*(?!\w)|(?<!\w)_([^_]+)_(?!\w)|\[([^\]]+)\]\(([^)\s]+)\)/g

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const {
    0: whole,
    1: code,
    2: bold,
    3: strike,
    4: star,
    5: under,
    6: label,
    7: url,
    index,
  } of text.matchAll(INLINE)) {
    const italic = star ?? under
    parts.push(
      text.slice(end, index),
      <Fragment key={index}>
        {code && <code>{code}</code>}
        {bold && <strong>{inline(bold)}</strong>}
        {strike && <s>{inline(strike)}</s>}
        {italic && <em>{inline(italic)}</em>}
        {url && <SafeLink url={url}>{label}</SafeLink>}
      </Fragment>,
    )
    end = index + whole.length
  }
  return [...parts, text.slice(end)]
}
