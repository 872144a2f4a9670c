import type { TextObject } from '@slack/types'
import { type ElementType, Fragment, memo, type ReactNode } from 'react'
import { replaceEmojiNames } from '../../emoji.ts'
import {
  ChannelMention,
  DateText,
  EmojiText,
  GroupMention,
  SafeLink,
  UserGroupMention,
  UserMention,
} from './inline-elements.tsx'
import { type MrkdwnNode, parseMrkdwn } from './parse-mrkdwn.ts'

/** A text object of Block Kit: plain text or mrkdwn. */
export function Text({ text }: { text: TextObject }) {
  if (text.type === 'mrkdwn') return <Mrkdwn text={text.text} />
  return (
    <span className="plain-text" dir="auto">
      {plainText(text)}
    </span>
  )
}

export const plainText = ({ text }: { text: string }) => replaceEmojiNames(text)

/** Text in mrkdwn, Slack's own markup. */
export const Mrkdwn = memo(function Mrkdwn({ text }: { text: string }) {
  return (
    <div className="mrkdwn" dir="auto">
      <MrkdwnNodes nodes={parseMrkdwn(text)} />
    </div>
  )
})

function MrkdwnNodes({ nodes }: { nodes: MrkdwnNode[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text have no ID and never move
  return nodes.map((node, index) => <Fragment key={index}>{renderNode(node)}</Fragment>)
}

const TAGS = {
  bold: 'strong',
  italic: 'em',
  strike: 's',
  code: 'code',
  code_block: 'pre',
  quote: 'blockquote',
} as const satisfies Record<string, ElementType>

function renderNode(node: MrkdwnNode): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text
    case 'user':
      return <UserMention id={node.id} />
    case 'channel':
      return <ChannelMention id={node.id} label={node.label} />
    case 'group':
      return <UserGroupMention id={node.id} label={node.label} />
    case 'broadcast':
      return <GroupMention text={node.text} />
    case 'link':
      return <SafeLink url={node.url}>{node.label ?? node.url}</SafeLink>
    case 'date':
      return <DateText {...node} />
    case 'emoji':
      return <EmojiText name={node.name} />
    default: {
      const Tag = TAGS[node.type]
      return (
        <Tag>
          <MrkdwnNodes nodes={node.children} />
        </Tag>
      )
    }
  }
}
