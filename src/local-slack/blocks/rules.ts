import { type Element, elementsIn, optionsOf } from './elements-in.ts'
import type { Fault, Path } from './fault-words.ts'
import type { Surface } from './surface.ts'

/** What fits its schema, with the surface that it is for. */
export type Fitting = { surface: Surface; blocks: Block[]; submit?: unknown }

type Block = Record<string, unknown> & { type: string; block_id?: string }
type Rule = (fitting: Fitting) => Fault[]
type Part = Record<string, unknown>

/** What no field tells alone. Slack looks at these once the fields are right. */
export const rules: Record<string, Rule> = {
  'a modal with an input has a submit': ({ surface, blocks, submit }) =>
    surface === 'modal' && !submit
      ? inBlocks(
          blocks,
          'input',
          ['input'],
          () => 'must define `submit` to use an `input` block in modals',
        ).slice(0, 1)
      : [],

  'a section has a text or fields': ({ blocks }) =>
    inBlocks(
      blocks,
      'section',
      ['type'],
      ({ text, fields }) => !text && !fields && 'must define either `text` or `fields`',
    ),

  'block ids are unique': ({ blocks }) =>
    doubles(blocks.map(({ block_id }) => block_id)).map(([index, id]) => ({
      message: `\`block_id\` "${id}" already exists`,
      path: [index, 'block_id'],
    })),

  'action ids are unique within their block': ({ blocks }) =>
    blocks.flatMap(({ elements }, index) =>
      doubles(Array.isArray(elements) ? elements.map((one: Part) => one.action_id) : []).map(
        ([place, id]) => ({
          message: `\`action_id\` "${id}" already exists`,
          path: [index, 'elements', place, 'action_id'],
        }),
      ),
    ),

  'a list has its options alone or in groups': ({ blocks }) =>
    inElements(blocks, ({ type, options, option_groups }) => {
      if (!/^(multi_)?static_select$/.test(type)) return false
      if (options && option_groups) return ['option_groups', 'cannot be used together with `options`']
      return !options && !option_groups && ['options', 'must define either `options` or `option_groups`']
    }),

  'option values are unique': ({ blocks }) =>
    inElements(blocks, (element) => {
      const [double] = doubles(optionsOf(element).map(({ value }) => value))
      return double !== undefined && ['options', `option value "${double[1]}" is not unique`]
    }),

  'what is chosen at first is among the options': ({ blocks }) =>
    inElements(blocks, (element) => {
      const offered = optionsOf(element).map(canonical)
      if (!offered.length) return false
      if (element.initial_option && !offered.includes(canonical(element.initial_option)))
        return ['initial_option', 'must be one of the provided options']
      const initial = (element.initial_options as unknown[] | undefined) ?? []
      return (
        initial.some((option) => !offered.includes(canonical(option))) && [
          'initial_options',
          'must be one of the provided options',
        ]
      )
    }),

  'the least is not above the most': ({ blocks }) =>
    inElements(blocks, (element) => {
      const { min_length, max_length, min_value, max_value, min_lines, max_lines } = element as Part
      if (above(min_length, max_length)) return ['min_length', 'must not be greater than `max_length`']
      if (above(min_value, max_value)) return ['min_value', 'must not be greater than `max_value`']
      return above(min_lines, max_lines) && ['min_lines', 'must not be greater than `max_lines`']
    }),

  'a number at first is one that could be typed': ({ blocks }) =>
    inElements(blocks, (element) => {
      const { type, initial_value, min_value, max_value, is_decimal_allowed } = element as Part
      if (type !== 'number_input') return false
      const values = { initial_value, min_value, max_value }
      const fraction = Object.entries(values).find(([, value]) => String(value ?? '').includes('.'))
      if (!is_decimal_allowed && fraction)
        return [fraction[0], 'must be an integer as decimals are not allowed']
      const outside = above(min_value, initial_value) || above(initial_value, max_value)
      return outside && ['initial_value', 'must be between `min_value` and `max_value`']
    }),

  'an initial text is no longer than what may be typed': ({ blocks }) =>
    inElements(blocks, (element) => {
      const { type, initial_value, max_length = 3000 } = element as Part
      const long = type === 'plain_text_input' && String(initial_value ?? '').length > Number(max_length)
      return long && ['initial_value', `must be less than ${Number(max_length) + 1} characters`]
    }),

  'a filter of conversations filters': ({ blocks }) =>
    inElements(blocks, (element) => {
      const { filter } = element as { filter?: object }
      return (
        filter !== undefined && !Object.keys(filter).length && ['filter', 'must define at least one property']
      )
    }),

  'one element has the focus': ({ blocks }) => {
    const focused = elementPaths(blocks).filter(({ element }) => (element as Part).focus_on_load)
    return focused.slice(1).map(({ path }) => ({
      message: '`focus_on_load` can only be set to true for one element',
      path: [...path, 'focus_on_load'],
    }))
  },

  'a file input does not dispatch': ({ blocks }) =>
    inBlocks(
      blocks,
      'input',
      ['element', 'type'],
      ({ dispatch_action, element }) =>
        Boolean(dispatch_action) && (element as Part).type === 'file_input' && 'unsupported type: file_input',
    ),

  'an address is one': ({ blocks }) =>
    everyPart(blocks).flatMap(({ part, path }) =>
      ['url', 'image_url', 'thumbnail_url', 'video_url', 'title_url'].flatMap((key) =>
        typeof part[key] === 'string' && !('slack_file' in part) && part.type !== 'text' && !isUrl(part[key])
          ? [{ message: 'invalid url', path: [...path, key] }]
          : [],
      ),
    ),

  'an image comes from one place': ({ blocks }) =>
    everyPart(blocks).flatMap(({ part, path }) => {
      if (part.type !== 'image') return []
      if (part.image_url && part.slack_file)
        return [{ message: 'must define either `image_url` or `slack_file`', path }]
      return part.image_url || part.slack_file ? [] : [{ message: 'missing required field: image_url', path }]
    }),

  'a file of Slack is named by its id or its address': ({ blocks }) =>
    everyPart(blocks).flatMap(({ part, path }) => {
      const file = part.slack_file as Part | undefined
      return file && Boolean(file.id) === Boolean(file.url)
        ? [{ message: 'must define either `id` or `url`', path: [...path, 'slack_file'] }]
        : []
    }),

  'a message has one table': ({ blocks }) => {
    const tables = blocks.filter(({ type }) => type === 'table' || type === 'data_table')
    return tables.length > 1 ? [{ message: 'only_one_table_allowed', path: [] }] : []
  },

  'a table is no longer than 10,000 characters': ({ blocks }) =>
    inBlocks(
      blocks,
      'table',
      ['rows'],
      ({ rows }) => textLength(rows) > 10_000 && 'must be less than 10001 characters',
    ),

  'rows of data are of one length': ({ blocks }) =>
    inBlocks(
      blocks,
      'data_table',
      ['rows'],
      ({ rows }) =>
        new Set((rows as unknown[][]).map((row) => row.length)).size > 1 && 'rows must be of equal length',
    ),

  'markdown is no longer than 12,000 characters in all': ({ blocks }) => {
    const all = blocks.filter(({ type }) => type === 'markdown')
    const long = all.reduce((sum, { text }) => sum + [...String(text)].length, 0) > 12_000
    return long
      ? [{ message: 'must be less than 12001 characters', path: [blocks.indexOf(all[0] as Block), 'text'] }]
      : []
  },

  'a card shows something': ({ blocks }) =>
    inBlocks(blocks, 'card', [], ({ hero_image, title, body, actions, icon, slack_icon }) => {
      if (icon && slack_icon) return 'must define either `icon` or `slack_icon`'
      return (
        !hero_image &&
        !title &&
        !body &&
        !actions &&
        'must define at least one of `hero_image`, `title`, `body` or `actions`'
      )
    }),

  'a container has a title': ({ blocks }) =>
    inBlocks(
      blocks,
      'container',
      [],
      ({ title, rich_text_title }) => !title && !rich_text_title && 'missing required field: title',
    ),
}

function inBlocks(
  blocks: Block[],
  type: string,
  at: Path,
  complaint: (block: Block) => string | false,
): Fault[] {
  return blocks.flatMap((block, index) => {
    const message = block.type === type && complaint(block)
    return message ? [{ message, path: [index, ...at] }] : []
  })
}

function inElements(blocks: Block[], complaint: (element: Element) => [string, string] | false): Fault[] {
  return elementPaths(blocks).flatMap(({ element, path }) => {
    const found = complaint(element)
    return found ? [{ message: found[1], path: [...path, found[0]] }] : []
  })
}

/** Each element with the way to it. */
function elementPaths(blocks: Block[]): { element: Element; path: Path }[] {
  return blocks.flatMap((block, index) =>
    elementsIn([block as never]).map(({ element }) => {
      const place = (block.elements as unknown[] | undefined)?.indexOf(element) ?? -1
      const key = block.type === 'section' ? 'accessory' : 'element'
      return { element, path: [index, ...(place >= 0 ? ['elements', place] : [key])] }
    }),
  )
}

/** Every object anywhere in it, with the way to it. */
function everyPart(value: unknown, path: Path = []): { part: Part; path: Path }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    everyPart(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inside : [{ part: value as Part, path }, ...inside]
}

const doubles = (ids: unknown[]): [number, unknown][] =>
  [...ids.entries()].filter(([index, id]) => id !== undefined && id !== '' && ids.indexOf(id) < index)

const above = (least: unknown, most: unknown) =>
  least !== undefined && most !== undefined && Number(least) > Number(most)

/** The same however its keys are ordered, and whether Slack has filled in `emoji` or its author has not. */
const canonical = (option: unknown): string =>
  JSON.stringify(option, (key, value) => {
    if (key === 'emoji' || key === 'verbatim') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  })

const isUrl = (value: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value)

export const textLength = (value: unknown): number =>
  everyPart(value).reduce(
    (sum, { part }) => sum + (typeof part.text === 'string' ? [...part.text].length : 0),
    0,
  )
