import type { KnownBlock, Option, OptionGroup, PlainTextElement } from '@slack/types'
import type { Path } from './problems.ts'

/** The fields of interactive elements that the local Slack reads. */
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

/** An interactive element and the block that contains it. `input` is set if that is an input block. */
export type PlacedElement = {
  block_id: string
  element: Element
  path: Path
  input?: { optional: boolean; dispatches: boolean }
}

type BlockWithPath = { block: KnownBlock; path: Path }

/** Lists every block, including the blocks inside containers and carousels. */
export function walkBlocks(blocks: KnownBlock[], path: Path = []): BlockWithPath[] {
  return blocks.flatMap((block, index) => {
    const blockPath = [...path, index]
    const childKey =
      block.type === 'container' ? 'child_blocks' : block.type === 'carousel' ? 'elements' : undefined
    if (!childKey) return [{ block, path: blockPath }]
    const children = (block as unknown as Record<typeof childKey, KnownBlock[]>)[childKey]
    return [{ block, path: blockPath }, ...walkBlocks(children, [...blockPath, childKey])]
  })
}

const INTERACTIVE_TYPES =
  /^(button|overflow|checkboxes|radio_buttons|workflow_button|icon_button|feedback_buttons|(multi_)?\w+_select|date(time)?picker|timepicker|(plain_|email_|url_|rich_)?text_input|number_input|file_input)$/

const isInteractive = (element: unknown): element is Element =>
  typeof element === 'object' &&
  element !== null &&
  'type' in element &&
  INTERACTIVE_TYPES.test(String(element.type))

/** Lists the interactive elements of blocks in the order in which the page shows them. */
export function findElements(blocks: KnownBlock[]): PlacedElement[] {
  return walkBlocks(blocks).flatMap(({ block, path }): PlacedElement[] => {
    const block_id = block.block_id ?? ''
    const placeElement = (element: unknown, ...keys: Path): PlacedElement[] =>
      isInteractive(element) ? [{ block_id, element, path: [...path, ...keys] }] : []
    const placeAll = (key: string, elements: unknown[] = []) =>
      elements.flatMap((element, index) => placeElement(element, key, index))
    switch (block.type) {
      case 'input': {
        const input = { optional: block.optional ?? false, dispatches: block.dispatch_action ?? false }
        return placeElement(block.element, 'element').map((placed) => ({ ...placed, input }))
      }
      case 'section':
        return placeElement(block.accessory, 'accessory')
      case 'actions':
      case 'context_actions':
        return placeAll('elements', block.elements)
      case 'card':
        return placeAll('actions', block.actions)
      default:
        return []
    }
  })
}

/** Fills in the fields that Slack adds: missing block and action ids, and the defaults of text objects. */
export function fillDefaults<Content extends { blocks: KnownBlock[] }>(
  content: Content,
  createId: () => string,
): Content {
  const filled = structuredClone(content)
  for (const { block } of walkBlocks(filled.blocks)) block.block_id ||= createId()
  for (const { element } of findElements(filled.blocks)) element.action_id ||= createId()
  fillTextDefaults(filled)
  return filled
}

function fillTextDefaults(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && value.type === 'plain_text') Object.assign(value, { emoji: true, ...value })
  if ('type' in value && value.type === 'mrkdwn') Object.assign(value, { verbatim: false, ...value })
  for (const child of Object.values(value)) fillTextDefaults(child)
}

export const getOptions = ({ options = [], option_groups = [] }: Element): Option[] => [
  ...options,
  ...option_groups.flatMap((group) => group.options),
]
