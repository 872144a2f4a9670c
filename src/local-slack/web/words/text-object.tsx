import type { TextObject } from '@slack/types'
import { withEmoji } from './emoji.ts'
import { Mrkdwn } from './mrkdwn-text.tsx'

/** Plain text, or text with markup. */
export function Text({ text }: { text: TextObject }) {
  if (text.type === 'mrkdwn') return <Mrkdwn text={text.text} />
  return <span className="plain-text">{plainText(text)}</span>
}

export const plainText = ({ text }: { text: string }) => withEmoji(text)
