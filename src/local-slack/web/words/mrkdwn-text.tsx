import { Fragment, memo } from 'react'
import { Broadcast, ChannelName, DateText, EmojiText, Link, Mention } from './leaves.tsx'
import { parseMrkdwn, type Word } from './parse-mrkdwn.ts'

/** Text in Slack's own markup. */
export const Mrkdwn = memo(function Mrkdwn({ text }: { text: string }) {
  return (
    <div className="mrkdwn">
      <Words words={parseMrkdwn(text)} />
    </div>
  )
})

function Words({ words }: { words: Word[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: words have no name, and do not move
  return words.map((word, index) => <Fragment key={index}>{draw(word)}</Fragment>)
}

function draw(word: Word) {
  switch (word.is) {
    case 'text':
      return word.text
    case 'bold':
      return (
        <strong>
          <Words words={word.of} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Words words={word.of} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Words words={word.of} />
        </s>
      )
    case 'code':
      return (
        <code>
          <Words words={word.of} />
        </code>
      )
    case 'block':
      return (
        <pre>
          <Words words={word.of} />
        </pre>
      )
    case 'quote':
      return (
        <blockquote>
          <Words words={word.of} />
        </blockquote>
      )
    case 'user':
      return <Mention id={word.id} />
    case 'channel':
      return <ChannelName id={word.id} label={word.label} />
    case 'group':
      return <Broadcast text={word.label ?? `@${word.id}`} />
    case 'broadcast':
      return <Broadcast text={word.text} />
    case 'link':
      return <Link url={word.url}>{word.label ?? word.url}</Link>
    case 'date':
      return <DateText {...word} />
    case 'emoji':
      return <EmojiText name={word.name} />
  }
}
