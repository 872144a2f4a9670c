import type { Button as ButtonElement, KnownBlock } from '@slack/types'

/** What a person is answered: text for those who see no blocks, and the blocks. */
export type Reply = { text: string; blocks?: KnownBlock[] }

const LONGEST_SECTION = 3000

/** Somebody else's words in a message of ours: shown as they are, and taken for no markup. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const shortened = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

export const section = (text: string): KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: shortened(text, LONGEST_SECTION) },
})

export const context = (text: string): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: shortened(text, LONGEST_SECTION) }],
})

/** What a press does, by its action, and what it says. */
export type Button = { action_id: string; label: string; value?: string }

export const buttonElement = ({ action_id, label, value }: Button): ButtonElement => ({
  type: 'button',
  action_id,
  text: { type: 'plain_text', text: label },
  ...(value !== undefined && { value }),
})

export const buttons = (...some: Button[]): KnownBlock[] =>
  some.length ? [{ type: 'actions', elements: some.map(buttonElement) }] : []
