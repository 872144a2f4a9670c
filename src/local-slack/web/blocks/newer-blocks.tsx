import type { AlertBlock, CardBlock, ContainerBlock, PlanBlock, TaskCardBlock } from '@slack/types'
import { RichText } from '../words/rich-text.tsx'
import { plainText, Text } from '../words/text-object.tsx'
import { AnyElement } from './any-element.tsx'
import { OneBlock, Picture } from './blocks.tsx'

export const AlertBox = ({ block }: { block: AlertBlock }) => (
  <div className="alert" data-level={block.level ?? 'default'}>
    <Text text={block.text} />
  </div>
)

export function Card({ block }: { block: CardBlock }) {
  const { hero_image, icon, title, subtitle, body, actions, block_id = '' } = block
  return (
    <div className="card">
      {hero_image && <Picture image={hero_image} />}
      {icon && <Picture image={icon} small />}
      {title && (
        <strong>
          <Text text={title} />
        </strong>
      )}
      {subtitle && (
        <small>
          <Text text={subtitle} />
        </small>
      )}
      {body && <Text text={body} />}
      {actions && (
        <div className="block-actions">
          {actions.map((button, index) => (
            <AnyElement key={button.action_id ?? index} block_id={block_id} element={button} />
          ))}
        </div>
      )}
    </div>
  )
}

export function Container({ block }: { block: ContainerBlock }) {
  const { title, rich_text_title, subtitle, is_collapsible, default_collapsed, child_blocks } = block
  const head = (
    <>
      {rich_text_title ? <RichText block={rich_text_title} /> : title && <strong>{plainText(title)}</strong>}
      {subtitle && <Text text={subtitle} />}
    </>
  )
  const inside = child_blocks.map((child, index) => <OneBlock key={child.block_id ?? index} block={child} />)
  if (!is_collapsible)
    return (
      <div className="card">
        {head}
        {inside}
      </div>
    )
  return (
    <details className="card" open={!default_collapsed}>
      <summary>{head}</summary>
      {inside}
    </details>
  )
}

export const Plan = ({ block }: { block: PlanBlock }) => (
  <div className="card">
    <strong>{block.title}</strong>
    {(block.tasks as TaskCardBlock[] | undefined)?.map((task) => (
      <TaskCard key={task.task_id} block={task} />
    ))}
  </div>
)

const SIGNS = { pending: '○', in_progress: '◐', complete: '✓', error: '✕' }

export const TaskCard = ({ block }: { block: TaskCardBlock }) => (
  <div className="task">
    <span title={block.status}>{SIGNS[block.status]}</span> {block.title}
    {block.details && <RichText block={block.details} />}
    {block.output && <RichText block={block.output} />}
  </div>
)
