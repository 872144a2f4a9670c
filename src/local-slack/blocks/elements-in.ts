import type { KnownBlock, Option, OptionGroup, PlainTextElement } from '@slack/types'
import type { Path } from './fault-words.ts'
import { walkBlocks } from './walk-blocks.ts'

/** What all elements that a person can use have in common, as far as we look at them. */
export type Element = {
  type: string
  action_id: string
  text?: PlainTextElement
  value?: string
  url?: string
  style?: string
  options?: Option[]
  option_groups?: OptionGroup[]
  placeholder?: PlainTextElement
  confirm?: unknown
  timezone?: string
  [initial: `initial_${string}`]: unknown
}

/** An element where it stands. An input's label and rules are its block's. */
export type Placed = {
  block_id: string
  element: Element
  path: Path
  input?: { optional: boolean; dispatches: boolean }
}

const USABLE =
  /^(button|overflow|checkboxes|radio_buttons|workflow_button|icon_button|feedback_buttons|(multi_)?\w+_select|date(time)?picker|timepicker|(plain_|email_|url_|rich_)?text_input|number_input|file_input)$/

const isUsable = (element: unknown): element is Element =>
  typeof element === 'object' && element !== null && 'type' in element && USABLE.test(String(element.type))

/** All that a person can press, choose or fill in, in the order of the page. */
export function elementsIn(blocks: KnownBlock[]): Placed[] {
  return walkBlocks(blocks).flatMap(({ block, path }): Placed[] => {
    const block_id = block.block_id ?? ''
    const one = (key: string, element: unknown, more: Path = []): Placed[] =>
      isUsable(element) ? [{ block_id, element, path: [...path, key, ...more] }] : []
    const several = (key: string, elements: unknown[] = []) =>
      elements.flatMap((element, index) => one(key, element, [index]))
    switch (block.type) {
      case 'input': {
        const input = { optional: block.optional ?? false, dispatches: block.dispatch_action ?? false }
        return one('element', block.element).map((placed) => ({ ...placed, input }))
      }
      case 'section':
        return one('accessory', block.accessory)
      case 'actions':
      case 'context_actions':
        return several('elements', block.elements)
      case 'card':
        return several('actions', block.actions)
      default:
        return []
    }
  })
}

/** Fills in what the author left to Slack: the ids, and what a text is when nothing is said. */
export function complete<Given extends { blocks: KnownBlock[] }>(given: Given, makeId: () => string): Given {
  const whole = structuredClone(given)
  for (const { block } of walkBlocks(whole.blocks)) block.block_id ||= makeId()
  for (const { element } of elementsIn(whole.blocks)) element.action_id ||= makeId()
  completeTexts(whole)
  return whole
}

function completeTexts(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  if ('type' in part && part.type === 'plain_text') Object.assign(part, { emoji: true, ...part })
  if ('type' in part && part.type === 'mrkdwn') Object.assign(part, { verbatim: false, ...part })
  for (const inner of Object.values(part)) completeTexts(inner)
}

export const optionsOf = ({ options = [], option_groups = [] }: Element): Option[] => [
  ...options,
  ...option_groups.flatMap((group) => group.options),
]
