import type { KnownBlock, MessageAttachment } from '@slack/types'
import { Blocks } from './blocks/blocks.tsx'
import { SafeLink } from './text/inline-elements.tsx'
import { Mrkdwn } from './text/text.tsx'

const NAMED_COLORS: Record<string, string> = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' }

/** An attachment below a message, Slack's older format for what blocks do now. */
export function Attachment({ attachment }: { attachment: MessageAttachment }) {
  const { color = '', pretext, author_name, title, title_link, text, fields, image_url, footer } = attachment
  // The server has validated these blocks.
  const blocks = attachment.blocks as KnownBlock[] | undefined
  const borderColor = NAMED_COLORS[color] ?? (color ? `#${color.replace('#', '')}` : '#8888')
  return (
    <>
      {pretext && <Mrkdwn text={pretext} />}
      <div className="attachment" style={{ borderColor }}>
        {author_name && <small>{author_name}</small>}
        {title && <strong>{title_link ? <SafeLink url={title_link}>{title}</SafeLink> : title}</strong>}
        {text && <Mrkdwn text={text} />}
        {fields && (
          <div className="section-fields">
            {fields.map((field) => (
              <div key={field.title}>
                <strong>{field.title}</strong>
                <Mrkdwn text={field.value} />
              </div>
            ))}
          </div>
        )}
        {blocks && <Blocks blocks={blocks} />}
        {image_url && <img src={image_url} alt={title ?? ''} />}
        {footer && <small>{footer}</small>}
      </div>
    </>
  )
}
