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

/** The same of what is escaped already: what stands for one letter is not cut in two. */
export const shortenedEscaped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/&\w{0,4}$/, '')}…` : text

/** Their words in a list, with no markup made of their asterisks and underscores. */
export const unmarked = (text: string): string => escaped(text).replace(/[*_~`]/g, `${JOINER}$&${JOINER}`)

/** It takes no room, and no mark is read beside it. */
const JOINER = '\u2060'

export const plain = (text: string) => ({ type: 'plain_text' as const, text })

export const section = (text: string): KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: shortenedEscaped(text, LONGEST_SECTION) },
})

export const context = (text: string): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: shortenedEscaped(text, LONGEST_SECTION) }],
})

/** A reply of words alone. */
export const said = (text: string): Reply => ({ text, blocks: [section(text)] })

/** Lines in as many sections as they need. */
export function sections(lines: string[]): KnownBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const joined = [...texts.slice(-1), line].join('\n')
    if (texts.length && joined.length <= LONGEST_SECTION) texts[texts.length - 1] = joined
    else texts.push(line)
  }
  return texts.map(section)
}

/** What a press does, by its action, and what it says. */
export type Button = {
  action_id: string
  label: string
  value?: string
  /** What is asked before it is done, where it cannot be undone. */
  ask?: string
}

export const buttonElement = ({ action_id, label, value, ask }: Button): ButtonElement => ({
  type: 'button',
  action_id,
  text: plain(label),
  ...(value !== undefined && { value }),
  ...(ask && {
    style: 'danger',
    confirm: {
      title: plain(`${label}?`),
      text: plain(shortened(ask, LONGEST_ASKED)),
      confirm: plain(shortened(label, LONGEST_ANSWER)),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }),
})

const LONGEST_ASKED = 300
const LONGEST_ANSWER = 30

export const buttons = (...some: Button[]): KnownBlock[] =>
  some.length ? [{ type: 'actions', elements: some.map(buttonElement) }] : []
