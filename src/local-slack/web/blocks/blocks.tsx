import type { ContainerBlock, KnownBlock, SectionBlock, TextObject } from '@slack/types'
import { memo } from 'react'
import { RichText } from '../text/rich-text.tsx'
import { plainText, Text } from '../text/text.tsx'
import { BlockElement } from './block-element.tsx'
import { Alert, Card, Plan, TaskCard } from './cards.tsx'
import { Image } from './image.tsx'
import { InputField } from './input-field.tsx'
import { Markdown } from './markdown.tsx'
import { DataTable, TableBlockView } from './table.tsx'

export const Blocks = memo(function Blocks({ blocks }: { blocks: KnownBlock[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <Block key={block.block_id ?? index} block={block} />
      ))}
    </div>
  )
})

function Block({ block }: { block: KnownBlock }) {
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
        // A form's notes change while someone types.
        <div className="block-context" aria-live="polite">
          {block.elements.map((element, index) =>
            element.type === 'image' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: context elements have no ID
              <Image key={index} image={element} isSmall />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: context elements have no ID
              <Text key={index} text={element} />
            ),
          )}
        </div>
      )
    case 'image':
      return (
        <figure className="image-block">
          {block.title && <figcaption>{plainText(block.title)}</figcaption>}
          <Image image={block} />
        </figure>
      )
    case 'actions':
    case 'context_actions':
      return (
        <div className="block-actions">
          {block.elements.map((element, index) => (
            <BlockElement key={element.action_id ?? index} block_id={block_id} element={element} />
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
      return <TableBlockView block={block} />
    case 'data_table':
      return <DataTable block={block} />
    case 'video':
      return (
        <figure className="image-block">
          <figcaption>
            <a href={block.title_url ?? block.video_url} target="_blank" rel="noreferrer">
              {plainText(block.title)}
            </a>
          </figcaption>
          <img src={block.thumbnail_url} alt={block.alt_text} />
        </figure>
      )
    case 'alert':
      return <Alert block={block} />
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
      return <p className="empty">This block of type "{block.type}" can't be shown here.</p>
  }
}

const MAX_SUBJECT_LENGTH = 80

/** The beginning of the text, without markup. */
const toSubject = (text: TextObject): string =>
  plainText(text)
    .replace(/<[^<>]*>|[*_~`]/g, '')
    .slice(0, MAX_SUBJECT_LENGTH)

function Section({ block }: { block: SectionBlock }) {
  const { text, fields, accessory, block_id = '' } = block
  return (
    <div className="block-section">
      <div className="section-text">
        {text && <Text text={text} />}
        {fields && (
          <div className="section-fields">
            {fields.map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: section fields have no ID
              <Text key={index} text={field} />
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div className="accessory">
          {accessory.type === 'image' ? (
            <Image image={accessory} />
          ) : (
            <BlockElement block_id={block_id} element={accessory} subject={text && toSubject(text)} />
          )}
        </div>
      )}
    </div>
  )
}

function Container({ block }: { block: ContainerBlock }) {
  const { title, rich_text_title, subtitle, is_collapsible, default_collapsed, child_blocks } = block
  const heading = (
    <>
      {rich_text_title ? <RichText block={rich_text_title} /> : title && <strong>{plainText(title)}</strong>}
      {subtitle && <Text text={subtitle} />}
    </>
  )
  const content = child_blocks.map((child, index) => <Block key={child.block_id ?? index} block={child} />)
  if (!is_collapsible)
    return (
      <div className="card">
        {heading}
        {content}
      </div>
    )
  return (
    <details className="card" open={!default_collapsed}>
      <summary>{heading}</summary>
      {content}
    </details>
  )
}
