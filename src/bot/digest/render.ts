import type { KnownBlock } from '@slack/types'
import { buttons, context, type Reply, section, sections } from '../reply.ts'
import type { Content, Part, PartName } from './gather.ts'

/** Longer lists are folded: a channel reads it in passing. */
const MOST_LINES = 8

/** Of what is unfolded, as much as a message holds. */
const MOST_CHARACTERS = 6000
const MOST_FOLDED = 1500

/** What it is kept under, and which of its parts are unfolded. */
export type Folding = { id: string; open: PartName[] }

export const isFolded = ({ parts }: Content): boolean =>
  parts.some(({ items }) => firstOf(items).length < items.length)

/** What a channel reads. */
export function renderDigest(content: Content, folding: Folding): Reply {
  const { project_id, title, summary, next, parts, picture, isLate } = content
  return {
    text: `${title}: ${summary}`,
    blocks: [
      ...(isLate ? [context('This comes late: the bot or the scheduling service was away.')] : []),
      section(`*${title}*`),
      ...next,
      ...(picture ? [pictureBlock(picture)] : []),
      ...parts.flatMap((part) => partBlocks(part, folding)),
      ...buttons(
        { action_id: 'schedule:open', label: 'Schedule a post', value: project_id },
        { action_id: 'posts:show', label: 'All posts', value: project_id },
      ),
    ],
  }
}

/** Slack takes no message with a picture that it cannot fetch, and the media of a post may be anywhere. */
export const withoutImages = ({ picture: _, next, ...content }: Content): Content => ({
  ...content,
  next: next.map((block) => {
    if (block.type !== 'section' || block.accessory?.type !== 'image') return block
    const { accessory, ...rest } = block
    return rest
  }),
})

const pictureBlock = ({ file_id, alt_text }: NonNullable<Content['picture']>): KnownBlock => ({
  type: 'image',
  slack_file: { id: file_id },
  alt_text,
})

function partBlocks({ name, title, items, isMore }: Part, { id, open }: Folding): KnownBlock[] {
  const isOpen = open.includes(name)
  const shown = isOpen ? fitting(items, MOST_CHARACTERS / open.length) : firstOf(items)
  const left = items.length - shown.length
  const more = isMore ? 'many more' : `${left} more`
  const turn = (label: string, then: PartName[]) =>
    buttons({ action_id: `digest:turn:${name}`, label, value: JSON.stringify({ id, open: then }) })
  return [
    section(`*${title}*`),
    ...sections(linesOf(shown)),
    ...(isOpen && (left || isMore) ? [context(`and ${more}: *All posts* below has them.`)] : []),
    ...(isOpen
      ? turn(
          'Show less',
          open.filter((one) => one !== name),
        )
      : left
        ? turn(`and ${more}`, [...open, name])
        : []),
  ]
}

const firstOf = (items: Part['items']): Part['items'] => fitting(items.slice(0, MOST_LINES), MOST_FOLDED)

function fitting(items: Part['items'], most: number): Part['items'] {
  let characters = 0
  return items.filter(({ line }) => {
    characters += line.length + 1
    return characters <= most
  })
}

/** Each day is named once. */
const linesOf = (items: Part['items']): string[] =>
  items.flatMap(({ under, line }, index) =>
    under && under !== items[index - 1]?.under ? [`_${under}_`, line] : [line],
  )
