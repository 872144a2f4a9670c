import type { KnownBlock } from '@slack/types'
import { elementsIn, optionsOf } from './elements-in.ts'
import type { Fault } from './fault-words.ts'
import {
  above,
  canonical,
  doubles,
  everyPart,
  inBlocks,
  inElements,
  isBeside,
  isSame,
  isUrl,
  type Part,
  pipeTables,
  textLength,
} from './look-for.ts'
import type { Surface } from './surface.ts'
import { walkBlocks } from './walk-blocks.ts'

/** What fits its schema, with the surface that it is for. */
export type Fitting = { surface: Surface; blocks: KnownBlock[]; submit?: unknown }

type Rule = (fitting: Fitting) => Fault[]

/** The fields that hold an address. */
const ADDRESSES = ['url', 'image_url', 'thumbnail_url', 'video_url', 'title_url']

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

  'block ids are unique': ({ blocks }) => {
    const all = walkBlocks(blocks)
    return doubles(all.map(({ block }) => block.block_id)).map(([index, id]) => ({
      message: `\`block_id\` "${id}" already exists`,
      path: [...(all[index]?.path ?? []), 'block_id'],
    }))
  },

  'action ids are unique within their block': ({ blocks }) =>
    elementsIn(blocks).flatMap(({ element, path }, index, all) =>
      // Those of one block lie next to each other, and their ways differ in the last step alone.
      all.slice(0, index).some((other) => isBeside(other.path, path) && isSame(other.element, element))
        ? [{ message: `\`action_id\` "${element.action_id}" already exists`, path: [...path, 'action_id'] }]
        : [],
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
      const initial = element.initial_options as unknown[] | undefined
      const strange =
        initial && (!initial.length || initial.some((option) => !offered.includes(canonical(option))))
      return strange ? ['initial_options', 'must be one of the provided options'] : false
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
      const long = type === 'plain_text_input' && [...String(initial_value ?? '')].length > Number(max_length)
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
    const focused = elementsIn(blocks).filter(({ element }) => (element as Part).focus_on_load)
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
      ADDRESSES.flatMap((key) => {
        const value = part[key]
        if (typeof value !== 'string' || path.includes('slack_file')) return []
        const safe = part.type !== 'video' || key === 'thumbnail_url' || value.startsWith('https:')
        return isUrl(value) && safe ? [] : [{ message: 'invalid url', path: [...path, key] }]
      }),
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
      if (typeof file?.url === 'string' && !isUrl(file.url))
        return [{ message: 'invalid_url', path: [...path, 'slack_file.url'] }]
      return file && Boolean(file.id) === Boolean(file.url)
        ? [{ message: 'must define either `id` or `url`', path: [...path, 'slack_file'] }]
        : []
    }),

  'a message has one table': ({ surface, blocks }) => {
    const tables = walkBlocks(blocks).flatMap(({ block }): unknown[] => {
      if (block.type === 'markdown') return pipeTables(block.text)
      return block.type === 'table' || block.type === 'data_table' ? [block] : []
    })
    return surface === 'message' && tables.length > 1 ? [{ message: 'only_one_table_allowed', path: [] }] : []
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
    const all = walkBlocks(blocks).filter(({ block }) => block.type === 'markdown')
    const length = all.reduce((sum, { block }) => sum + [...String(Object(block).text)].length, 0)
    const [first] = all
    return first && length > 12_000
      ? [{ message: 'must be less than 12001 characters', path: [...first.path, 'text'] }]
      : []
  },

  'a task is pending only in a plan': ({ blocks }) =>
    inBlocks(
      blocks,
      'task_card',
      ['status'],
      ({ status }) => status === 'pending' && 'must be a valid enum value',
    ),

  'the head of a data table is plain': ({ blocks }) =>
    inBlocks(blocks, 'data_table', ['rows', 0], ({ rows }) =>
      (rows as Part[][])[0]?.some(({ type }) => type === 'rich_text') ? 'unsupported type: rich_text' : false,
    ),

  'a data table is no longer than 20,000 characters': ({ blocks }) =>
    inBlocks(
      blocks,
      'data_table',
      ['rows'],
      ({ rows }) => textLength(rows) > 20_000 && 'must be less than 20001 characters',
    ),

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

  'a container is collapsed at first only if it can be': ({ blocks }) =>
    inBlocks(
      blocks,
      'container',
      ['default_collapsed'],
      ({ is_collapsible, default_collapsed }) =>
        Boolean(default_collapsed && !is_collapsible) && 'must define `is_collapsible`',
    ),
}
