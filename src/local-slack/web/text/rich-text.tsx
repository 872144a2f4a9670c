import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextSection,
} from '@slack/types'
import { Fragment, type ReactNode } from 'react'
import {
  ChannelMention,
  DateText,
  EmojiText,
  GroupMention,
  SafeLink,
  UserGroupMention,
  UserMention,
} from './inline-elements.tsx'

export function RichText({ block }: { block: RichTextBlock }) {
  return (
    <div className="rich-text">
      {block.elements.map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the elements of a rich text have no ID and never move
        <BlockLevelElement key={index} element={element} />
      ))}
    </div>
  )
}

function BlockLevelElement({ element }: { element: RichTextBlockElement }) {
  if (element.type === 'rich_text_list') return <List list={element} />
  const TAGS = {
    rich_text_section: 'p',
    rich_text_quote: 'blockquote',
    rich_text_preformatted: 'pre',
  } as const
  const Tag = TAGS[element.type]
  return (
    <Tag>
      <InlineElements elements={element.elements} />
    </Tag>
  )
}

function List({ list }: { list: RichTextList }) {
  const items = (list.elements as RichTextSection[]).map(({ elements }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no ID and never move
    <li key={index}>
      <InlineElements elements={elements} />
    </li>
  ))
  const style = { marginInlineStart: `${(list.indent ?? 0) * 1.25}rem` }
  if (list.style === 'bullet') return <ul style={style}>{items}</ul>
  const offset = 'offset' in list ? Number(list.offset ?? 0) : 0
  return (
    <ol style={style} start={offset + 1}>
      {items}
    </ol>
  )
}

function InlineElements({ elements }: { elements: RichTextElement[] }) {
  return elements.map((element, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the elements of a rich text have no ID and never move
    <Fragment key={index}>{applyStyle(element, renderElement(element))}</Fragment>
  ))
}

function renderElement(element: RichTextElement): ReactNode {
  switch (element.type) {
    case 'text':
      return element.text
    case 'link':
      return <SafeLink url={element.url}>{element.text || element.url}</SafeLink>
    case 'user':
      return <UserMention id={element.user_id} />
    case 'channel':
      return <ChannelMention id={element.channel_id} />
    case 'usergroup':
      return <UserGroupMention id={element.usergroup_id} />
    case 'broadcast':
      return <GroupMention text={`@${element.range}`} />
    case 'emoji':
      return <EmojiText name={element.name} unicode={element.unicode} />
    case 'date': {
      const { timestamp, format, url, fallback } = element
      return <DateText seconds={timestamp} format={format} url={url} fallback={fallback} />
    }
    case 'color':
      return (
        <code>
          <span className="color-swatch" style={{ background: element.value }} /> {element.value}
        </code>
      )
    default:
      return null
  }
}

function applyStyle({ style }: RichTextElement, content: ReactNode): ReactNode {
  let styled = content
  if (style?.code) styled = <code>{styled}</code>
  if (style?.bold) styled = <strong>{styled}</strong>
  if (style?.italic) styled = <em>{styled}</em>
  if (style?.strike) styled = <s>{styled}</s>
  return styled
}
