import type { KnownBlock, SectionBlock } from '@slack/types'
import { memo } from 'react'
import { useSlack } from '../slack.tsx'
import { Mrkdwn } from '../words/mrkdwn-text.tsx'
import { RichText } from '../words/rich-text.tsx'
import { plainText, Text } from '../words/text-object.tsx'
import { AnyElement } from './any-element.tsx'
import { InputField } from './input-field.tsx'
import { Markdown } from './markdown.tsx'
import { AlertBox, Card, Container, Plan, TaskCard } from './newer-blocks.tsx'
import { DataTable, Table } from './table.tsx'

/** Blocks in their order, as Slack draws them. */
export const Blocks = memo(function Blocks({ blocks }: { blocks: KnownBlock[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <OneBlock key={block.block_id ?? index} block={block} />
      ))}
    </div>
  )
})

export function OneBlock({ block }: { block: KnownBlock }) {
  const { block_id = '' } = block
  switch (block.type) {
    case 'section':
      return <Section block={block} />
    case 'divider':
      return <hr />
    case 'header':
      return <h3 className="block-header">{plainText(block.text)}</h3>
    case 'context':
      return (
        <div className="block-context">
          {block.elements.map((element, index) =>
            element.type === 'image' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: elements of a context have no name
              <Picture key={index} image={element} small />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: elements of a context have no name
              <Text key={index} text={element} />
            ),
          )}
        </div>
      )
    case 'image':
      return (
        <figure className="picture">
          {block.title && <figcaption>{plainText(block.title)}</figcaption>}
          <Picture image={block} />
        </figure>
      )
    case 'actions':
    case 'context_actions':
      return (
        <div className="block-actions">
          {block.elements.map((element, index) => (
            <AnyElement key={element.action_id ?? index} block_id={block_id} element={element} />
          ))}
        </div>
      )
    case 'input':
      return <InputField block={block} />
    case 'rich_text':
      return <RichText block={block} />
    case 'markdown':
      return <Markdown text={block.text} />
    case 'table':
      return <Table block={block} />
    case 'data_table':
      return <DataTable block={block} />
    case 'video':
      return (
        <figure className="picture">
          <figcaption>
            <a href={block.title_url ?? block.video_url} target="_blank" rel="noreferrer">
              {plainText(block.title)}
            </a>
          </figcaption>
          <img src={block.thumbnail_url} alt={block.alt_text} />
        </figure>
      )
    case 'alert':
      return <AlertBox block={block} />
    case 'card':
      return <Card block={block} />
    case 'carousel':
      return (
        <div className="carousel">
          {block.elements.map((card, index) => (
            <Card key={card.block_id ?? index} block={card} />
          ))}
        </div>
      )
    case 'container':
      return <Container block={block} />
    case 'plan':
      return <Plan block={block} />
    case 'task_card':
      return <TaskCard block={block} />
    default:
      return <p className="empty">A block of type {block.type}.</p>
  }
}

function Section({ block }: { block: SectionBlock }) {
  const { text, fields, accessory, block_id = '' } = block
  return (
    <div className="block-section">
      <div className="section-text">
        {text && (text.type === 'mrkdwn' ? <Mrkdwn text={text.text} /> : <Text text={text} />)}
        {fields && (
          <div className="fields">
            {fields.map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have no name
              <Text key={index} text={field} />
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div className="accessory">
          {accessory.type === 'image' ? (
            <Picture image={accessory} />
          ) : (
            <AnyElement block_id={block_id} element={accessory} />
          )}
        </div>
      )}
    </div>
  )
}

export type Image = {
  alt_text: string
  image_url?: string
  slack_file?: { id?: string; url?: string }
}

export function Picture({ image, small = false }: { image: Image; small?: boolean }) {
  const { fileAddress } = useSlack()
  const { alt_text, image_url, slack_file } = image
  const source = image_url ?? fileAddress(slack_file?.url ?? `/files-pri/T-${slack_file?.id}/image`)
  return <img className={small ? 'small' : ''} src={source} alt={alt_text} title={alt_text} />
}
