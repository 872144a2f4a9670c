import type { KnownBlock } from '@slack/types'
import { memo } from 'react'
import type { ClientMessage } from '../protocol.ts'
import { Attachment } from './attachment.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Place } from './blocks/place.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { fullTime, timeOf } from './moments.ts'
import { useSlack } from './slack.tsx'
import { emoji } from './words/emoji.ts'
import { Mrkdwn } from './words/mrkdwn-text.tsx'

const NONE: KnownBlock[] = []

type Props = {
  message: ClientMessage
  continued: boolean
  openThread?: ((ts: string) => void) | undefined
  highlighted: boolean
}

export const Message = memo(function Message({ message, continued, openThread, highlighted }: Props) {
  const { person, zone } = useSlack()
  const { ts, user, isEphemeral } = message
  const app = 'bot_profile' in message ? message.bot_profile : undefined
  const name = ('username' in message && message.username) || app?.name || person(user)?.name || user
  return (
    <article
      className="message"
      id={`message-${ts}`}
      data-continued={continued}
      data-only={isEphemeral}
      data-highlighted={highlighted}
      aria-label={`${name}, ${timeOf(ts, zone)}`}
    >
      <div className="margin">
        {continued ? null : <img src={`/avatars/${user}.svg`} alt="" width="36" height="36" />}
      </div>
      <div className="said">
        {isEphemeral && <p className="only">Only visible to you</p>}
        {!continued && (
          <p className="byline">
            <strong>{name}</strong>
            {(app || user === 'USLACKBOT') && <span className="badge">APP</span>}
            <time title={fullTime(ts, zone)}>{timeOf(ts, zone)}</time>
          </p>
        )}
        <Place at={{ channel: message.channel, ts }} blocks={message.blocks ?? NONE}>
          <Body message={message} />
        </Place>
        <Reactions message={message} />
        {message.reply_count && openThread && (
          <button type="button" className="replies" onClick={() => openThread(ts)}>
            {message.reply_count} {message.reply_count === 1 ? 'reply' : 'replies'}
          </button>
        )}
      </div>
      <Tools message={message} openThread={openThread} />
    </article>
  )
})

function Body({ message }: { message: ClientMessage }) {
  const { text, blocks, attachments, files = [], edited } = message
  return (
    <>
      {blocks ? <Blocks blocks={blocks} /> : text && <Mrkdwn text={text} />}
      {edited && <span className="edited"> (edited)</span>}
      {attachments?.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no name of their own
        <Attachment key={index} attachment={attachment} />
      ))}
      {files.map((file) => (
        <SharedFile key={file.id} file={file} />
      ))}
    </>
  )
}

function SharedFile({ file }: { file: NonNullable<ClientMessage['files']>[number] }) {
  const { fileAddress } = useSlack()
  if (!('url_private' in file)) return <p className="empty">This file was deleted.</p>
  if (file.mimetype.startsWith('image/'))
    return (
      <figure className="picture">
        <figcaption>{file.title}</figcaption>
        <img src={fileAddress(file.url_private)} alt={file.title} />
      </figure>
    )
  return (
    <a className="file" href={fileAddress(file.url_private_download)}>
      {file.title} <small>{file.pretty_type}</small>
    </a>
  )
}

function Reactions({ message }: { message: ClientMessage }) {
  const { me, act, person } = useSlack()
  if (!message.reactions?.length) return null
  return (
    <ul className="reactions">
      {message.reactions.map(({ name, users }) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={users.includes(me.id)}
            title={users.map((id) => person(id)?.name).join(', ')}
            onClick={() =>
              act('addReaction', { message: { channel: message.channel, ts: message.ts }, name })
            }
          >
            {emoji(name) ?? `:${name}:`} {users.length}
          </button>
        </li>
      ))}
    </ul>
  )
}

const QUICK = ['+1', 'white_check_mark', 'eyes', 'tada', 'heart']

function Tools({ message, openThread }: Pick<Props, 'message' | 'openThread'>) {
  const { act, seen, say } = useSlack()
  if (message.isEphemeral) return null
  const at = { channel: message.channel, ts: message.ts }
  const shortcuts = seen.app.shortcuts.filter(({ type }) => type === 'message')
  const use = async (callback_id: string) => {
    const used = await act('runShortcut', { callback_id, message: at })
    if ('error' in used) say(used.error)
  }
  return (
    <div className="tools">
      <Menu
        label="React"
        items={QUICK.map((name) => ({
          label: `${emoji(name)} ${name}`,
          choose: () => act('addReaction', { message: at, name }),
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
            hint: seen.app.name,
            choose: () => use(callback_id),
          }))}
        >
          <Icon name="more" />
        </Menu>
      )}
    </div>
  )
}
