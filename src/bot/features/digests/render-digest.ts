import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Bot } from '../../slack/bot.ts'
import { imageBlock } from '../../slack/images/upload-drawing.ts'
import {
  buttonRow,
  context,
  lineSections,
  type Reply,
  section,
  withoutAccessories,
} from '../../slack/message-blocks.ts'
import { addDayHeadings, INCOMPLETE_NOTE } from '../posts/display/post-list.ts'
import { saveContent } from './digest-store.ts'
import type { DigestContent, DigestContentSection } from './tables.ts'

type SectionName = DigestContentSection['name']
type Items = DigestContentSection['items']

const MAX_COLLAPSED_LINES = 8
const MAX_COLLAPSED_LENGTH = 1500
/** The limit for all expanded sections of a message together. */
const MAX_EXPANDED_LENGTH = 6000

/** The id of the stored content, and its expanded sections. The value of the buttons that expand or collapse them. */
export const Expansion = z.object({
  id: z.uuid(),
  expanded: z.array(z.enum(['upcoming', 'published', 'drafts', 'problems'])),
})
type Expansion = z.infer<typeof Expansion>

export const EXPAND_ACTION_PREFIX = 'digest:expand:'

/** Renders a new digest, and stores its content if readers can expand it. */
export async function renderNewDigest(
  { db, runtime }: Bot,
  team_id: string,
  content: DigestContent,
): Promise<Reply> {
  const id = runtime.newId()
  const isExpandable = content.sections.some(({ items }) => collapse(items).length < items.length)
  if (isExpandable && !content.isExtShared)
    await saveContent(db, { id, team_id, content, created_at: runtime.now() })
  return renderDigest(content, { id, expanded: [] })
}

export function renderDigest(content: DigestContent, expansion: Expansion): Reply {
  const { project_id, title, summary, next, sections, chart, isLate, isExtShared = false } = content
  const apology = 'Sorry, this digest is late. Upnext, Slack or the scheduling service had a problem.'
  return {
    text: `${title}: ${summary}`,
    blocks: [
      ...(isLate ? [context(apology)] : []),
      section(`*${title}*`),
      ...(isExtShared ? withoutAccessories(next, 'overflow') : next),
      ...(chart ? [imageBlock(chart)] : []),
      ...sections.flatMap((part) => sectionBlocks(part, expansion, isExtShared)),
      ...(isExtShared
        ? [context('For more, type `/upnext posts`.')]
        : buttonRow(
            { action_id: 'schedule:open', label: 'Schedule a post', value: project_id },
            { action_id: 'posts:show', label: 'All posts', value: project_id },
          )),
    ],
  }
}

/** Everyone in a channel sees the same message, so it has no buttons if people from other organizations are there. */
function sectionBlocks(
  { name, title, items, hasMore }: DigestContentSection,
  { id, expanded }: Expansion,
  isExtShared: boolean,
): KnownBlock[] {
  const isExpanded = expanded.includes(name)
  const shown = isExpanded ? fitLength(items, MAX_EXPANDED_LENGTH / expanded.length) : collapse(items)
  const hiddenCount = items.length - shown.length
  const button = (label: string, nextExpanded: SectionName[]) => {
    const value = JSON.stringify({ id, expanded: nextExpanded })
    return buttonRow({ action_id: EXPAND_ACTION_PREFIX + name, label, value })
  }
  const blocks = [section(`*${title}*`), ...lineSections(addDayHeadings(shown))]
  const hiddenNote = hasMore ? INCOMPLETE_NOTE : `and ${hiddenCount} more`
  if (isExtShared) return hiddenCount || hasMore ? [...blocks, context(hiddenNote)] : blocks
  if (!isExpanded && hiddenCount) {
    const more = hasMore ? 'many more' : `${hiddenCount} more`
    return [...blocks, ...button(`Show ${more}`, [...expanded, name])]
  }
  if (hiddenCount || hasMore)
    blocks.push(context(`${hiddenNote}${hasMore ? '' : '.'} Press *All posts* below to see them.`))
  const otherSections = expanded.filter((other) => other !== name)
  return isExpanded ? [...blocks, ...button('Show less', otherSections)] : blocks
}

const collapse = (items: Items): Items => fitLength(items.slice(0, MAX_COLLAPSED_LINES), MAX_COLLAPSED_LENGTH)

function fitLength(items: Items, maxLength: number): Items {
  let length = 0
  return items.filter(({ line }) => {
    length += line.length + 1
    return length <= maxLength
  })
}
