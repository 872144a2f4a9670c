import type { AlertBlock, CardBlock, PlanBlock, TaskCardBlock } from '@slack/types'
import { RichText } from '../text/rich-text.tsx'
import { Text } from '../text/text.tsx'
import { BlockElement } from './block-element.tsx'
import { Image } from './image.tsx'

export const Alert = ({ block }: { block: AlertBlock }) => (
  <div className="alert" data-level={block.level ?? 'default'}>
    <Text text={block.text} />
  </div>
)

export function Card({ block }: { block: CardBlock }) {
  const { hero_image, icon, title, subtitle, body, actions, block_id = '' } = block
  return (
    <div className="card">
      {hero_image && <Image image={hero_image} />}
      {icon && <Image image={icon} isSmall />}
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
            <BlockElement key={button.action_id ?? index} block_id={block_id} element={button} />
          ))}
        </div>
      )}
    </div>
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

const STATUS_SYMBOLS = { pending: '○', in_progress: '◐', complete: '✓', error: '✕' }

export const TaskCard = ({ block }: { block: TaskCardBlock }) => (
  <div>
    <span title={block.status}>{STATUS_SYMBOLS[block.status]}</span> {block.title}
    {block.details && <RichText block={block.details} />}
    {block.output && <RichText block={block.output} />}
  </div>
)
