import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextSection,
} from '@slack/types'
import { Fragment, type ReactNode } from 'react'
import { Broadcast, ChannelName, DateText, EmojiText, Link, Mention } from './leaves.tsx'

export function RichText({ block }: { block: RichTextBlock }) {
  return (
    <div className="rich-text">
      {block.elements.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and do not move
        <Part key={index} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { part: RichTextBlockElement }) {
  switch (part.type) {
    case 'rich_text_section':
      return (
        <p>
          <Leaves elements={part.elements} />
        </p>
      )
    case 'rich_text_quote':
      return (
        <blockquote>
          <Leaves elements={part.elements} />
        </blockquote>
      )
    case 'rich_text_preformatted':
      return (
        <pre>
          <Leaves elements={part.elements} />
        </pre>
      )
    case 'rich_text_list':
      return <List list={part} />
  }
}

function List({ list }: { list: RichTextList }) {
  const rows = list.elements as RichTextSection[]
  const inside = rows.map(({ elements }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name, and do not move
    <li key={index}>
      <Leaves elements={elements} />
    </li>
  ))
  const style = { marginInlineStart: `${(list.indent ?? 0) * 1.25}rem` }
  if (list.style === 'bullet') return <ul style={style}>{inside}</ul>
  return (
    <ol style={style} start={('offset' in list ? Number(list.offset ?? 0) : 0) + 1}>
      {inside}
    </ol>
  )
}

function Leaves({ elements }: { elements: RichTextElement[] }) {
  return elements.map((element, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no name, and do not move
    <Fragment key={index}>{styled(element, leaf(element))}</Fragment>
  ))
}

function leaf(element: RichTextElement): ReactNode {
  switch (element.type) {
    case 'text':
      return element.text
    case 'link':
      return <Link url={element.url}>{element.text || element.url}</Link>
    case 'user':
      return <Mention id={element.user_id} />
    case 'channel':
      return <ChannelName id={element.channel_id} />
    case 'usergroup':
      return <Broadcast text={`@${element.usergroup_id}`} />
    case 'broadcast':
      return <Broadcast text={`@${element.range}`} />
    case 'emoji':
      return <EmojiText name={element.name} />
    case 'date': {
      const { timestamp, format, url, fallback } = element
      return <DateText seconds={timestamp} format={format} url={url} fallback={fallback} />
    }
    case 'color':
      return (
        <code>
          <span className="swatch" style={{ background: element.value }} /> {element.value}
        </code>
      )
    default:
      return null
  }
}

function styled({ style }: RichTextElement, inside: ReactNode): ReactNode {
  let drawn = inside
  if (style?.code) drawn = <code>{drawn}</code>
  if (style?.bold) drawn = <strong>{drawn}</strong>
  if (style?.italic) drawn = <em>{drawn}</em>
  if (style?.strike) drawn = <s>{drawn}</s>
  return drawn
}
