import type { KnownBlock } from '@slack/types'
import { memo } from 'react'
import { findEmoji } from '../emoji.ts'
import type { ClientMessage } from '../protocol.ts'
import { Attachment } from './attachment.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { BlockSurface } from './blocks/surface.tsx'
import { useClient } from './client.tsx'
import { formatFullTime, formatTime } from './date-time.ts'
import { describeAuthor } from './describe-user.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { Mrkdwn } from './text/text.tsx'

/** Messages without blocks share one array, because `useSurfaceState` checks its values again for each new array. */
const EMPTY_BLOCKS: KnownBlock[] = []

type Props = {
  message: ClientMessage
  /** Whether the previous message has the same author, so that the name isn't repeated. */
  isGrouped: boolean
  openThread?: ((ts: string) => void) | undefined
  isHighlighted: boolean
}

export const Message = memo(function Message({ message, isGrouped, openThread, isHighlighted }: Props) {
  const { findUser, timeZone } = useClient()
  const { ts, user, isEphemeral } = message
  const app = 'bot_profile' in message ? message.bot_profile : undefined
  const author = findUser(user)
  const name = ('username' in message && message.username) || app?.name || author?.name || user
  const isBot = app !== undefined || author?.role === 'bot' || author?.role === 'workflow_bot'
  const authorDescription = author && describeAuthor(author)
  return (
    <article
      className="message"
      id={`message-${ts}`}
      data-grouped={isGrouped}
      data-ephemeral={isEphemeral}
      data-highlighted={isHighlighted}
      aria-label={`${name}, ${formatTime(ts, timeZone)}`}
    >
      <div className="message-avatar">
        {!isGrouped && <img src={`/avatars/${user}.svg`} alt="" width="36" height="36" />}
      </div>
      <div className="message-content">
        {isEphemeral && <p className="ephemeral-note">Only visible to you</p>}
        {!isGrouped && (
          <p className="message-header">
            <strong>{name}</strong>
            {isBot && <span className="badge">APP</span>}
            {authorDescription && <span className="author-description">{authorDescription}</span>}
            <time title={formatFullTime(ts, timeZone)}>{formatTime(ts, timeZone)}</time>
          </p>
        )}
        <BlockSurface surfaceId={{ channel: message.channel, ts }} blocks={message.blocks ?? EMPTY_BLOCKS}>
          <MessageBody message={message} />
        </BlockSurface>
        <Reactions message={message} />
        {message.reply_count && openThread && (
          <button type="button" className="replies" onClick={() => openThread(ts)}>
            {message.reply_count} {message.reply_count === 1 ? 'reply' : 'replies'}
          </button>
        )}
      </div>
      {!isEphemeral && <MessageToolbar message={message} openThread={openThread} />}
    </article>
  )
})

function MessageBody({ message }: { message: ClientMessage }) {
  const { text, blocks, attachments, files = [], edited } = message
  return (
    <>
      {blocks ? <Blocks blocks={blocks} /> : text && <Mrkdwn text={text} />}
      {edited && <span className="edited"> (edited)</span>}
      {attachments?.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no ID
        <Attachment key={index} attachment={attachment} />
      ))}
      {files.map((file) => (
        <SharedFile key={file.id} file={file} />
      ))}
    </>
  )
}

function SharedFile({ file }: { file: NonNullable<ClientMessage['files']>[number] }) {
  const { fileUrl } = useClient()
  if (!('url_private' in file)) return <p className="empty">This file was deleted.</p>
  if (file.mimetype.startsWith('image/'))
    return (
      <figure className="image-block">
        <figcaption>{file.title}</figcaption>
        <img src={fileUrl(file.url_private)} alt={file.title} />
      </figure>
    )
  return (
    <a className="file" href={fileUrl(file.url_private_download)}>
      {file.title} <small>{file.pretty_type}</small>
    </a>
  )
}

function Reactions({ message }: { message: ClientMessage }) {
  const { currentUser, runAction, findUser } = useClient()
  const { channel, ts, reactions = [] } = message
  if (!reactions.length) return null
  return (
    <ul className="reactions">
      {reactions.map(({ name, users }) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={users.includes(currentUser.id)}
            title={users.map((id) => findUser(id)?.name).join(', ')}
            onClick={() => runAction('addReaction', { message: { channel, ts }, name })}
          >
            {findEmoji(name) ?? `:${name}:`} {users.length}
          </button>
        </li>
      ))}
    </ul>
  )
}

const QUICK_REACTIONS = ['+1', 'white_check_mark', 'eyes', 'tada', 'heart']

function MessageToolbar({ message, openThread }: Pick<Props, 'message' | 'openThread'>) {
  const { runAction, runActionWithToast, state } = useClient()
  const messageId = { channel: message.channel, ts: message.ts }
  const shortcuts = state.app.shortcuts.filter(({ type }) => type === 'message')
  return (
    <div className="message-toolbar">
      <Menu
        label="Add reaction"
        items={QUICK_REACTIONS.map((name) => ({
          label: `${findEmoji(name)} ${name}`,
          onSelect: () => runAction('addReaction', { message: messageId, name }),
        }))}
      >
        <Icon name="smile" />
      </Menu>
      {openThread && (
        <button
          type="button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => openThread(message.thread_ts ?? message.ts)}
        >
          <Icon name="reply" />
        </button>
      )}
      {shortcuts.length > 0 && (
        <Menu
          label="More actions"
          items={shortcuts.map(({ name, callback_id }) => ({
            label: name,
            hint: state.app.name,
            onSelect: () => runActionWithToast('runShortcut', { callback_id, message: messageId }),
          }))}
        >
          <Icon name="more" />
        </Menu>
      )}
    </div>
  )
}
