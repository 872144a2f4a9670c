import type { KnownBlock } from '@slack/types'
import {
  areSiblings,
  checkBlocks,
  checkElements,
  countTextCharacters,
  findDuplicates,
  findMarkdownTables,
  findObjects,
  isGreater,
  isUrl,
  toCanonicalJson,
  type UnknownObject,
} from './block-queries.ts'
import { findElements, getOptions, walkBlocks } from './find-elements.ts'
import type { Surface } from './objects.ts'
import type { Problem } from './problems.ts'

/** Blocks that match their schema. `submit` is the submit button of a modal. */
export type RuleInput = { surface: Surface; blocks: KnownBlock[]; submit?: unknown }

type Rule = (input: RuleInput) => Problem[]

/** The fields that hold a URL. */
const URL_FIELDS = ['url', 'image_url', 'thumbnail_url', 'video_url', 'title_url']

/**
 * Rules that involve more than one field. Slack checks them after the fields themselves. The keys only describe the
 * rules: the app gets the message that a rule returns.
 */
export const rules: Record<string, Rule> = {
  'a modal with an input block has a submit button': ({ surface, blocks, submit }) =>
    surface === 'modal' && !submit
      ? checkBlocks(
          blocks,
          'input',
          ['input'],
          () => 'must define `submit` to use an `input` block in modals',
        ).slice(0, 1)
      : [],

  'a section has text or fields': ({ blocks }) =>
    checkBlocks(
      blocks,
      'section',
      ['type'],
      ({ text, fields }) => !text && !fields && 'must define either `text` or `fields`',
    ),

  'block_ids are unique': ({ blocks }) => {
    const all = walkBlocks(blocks)
    return findDuplicates(all.map(({ block }) => block.block_id)).map(([index, id]) => ({
      message: `\`block_id\` "${id}" already exists`,
      path: [...(all[index]?.path ?? []), 'block_id'],
    }))
  },

  'action_ids are unique within a block': ({ blocks }) =>
    findElements(blocks).flatMap(({ element, path }, index, all) =>
      // The paths of elements in the same block differ only in their last key.
      all
        .slice(0, index)
        .some(
          (earlier) =>
            Boolean(element.action_id) &&
            earlier.element.action_id === element.action_id &&
            areSiblings(earlier.path, path),
        )
        ? [{ message: `\`action_id\` "${element.action_id}" already exists`, path: [...path, 'action_id'] }]
        : [],
    ),

  'a static select has either options or option groups': ({ blocks }) =>
    checkElements(blocks, ({ type, options, option_groups }) => {
      if (!/^(multi_)?static_select$/.test(type)) return false
      if (options && option_groups) return ['option_groups', 'cannot be used together with `options`']
      return !options && !option_groups && ['options', 'must define either `options` or `option_groups`']
    }),

  'option values of radio buttons, checkboxes and overflow menus are unique': ({ blocks }) =>
    checkElements(blocks, (element) => {
      if (element.type.endsWith('static_select')) return false
      const [duplicate] = findDuplicates(getOptions(element).map(({ value }) => value))
      return duplicate !== undefined && ['options', `option value "${duplicate[1]}" is not unique`]
    }),

  'an option of an overflow menu has a value or a link': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const isIncomplete =
        element.type === 'overflow' &&
        getOptions(element).some(
          ({ value, url }: { value?: string; url?: string }) => value === undefined && !url,
        )
      return isIncomplete && ['options', 'missing required field: value']
    }),

  'initial options are among the options': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const options = getOptions(element).map(toCanonicalJson)
      if (!options.length) return false
      if (element.initial_option && !options.includes(toCanonicalJson(element.initial_option)))
        return ['initial_option', 'must be one of the provided options']
      const initial = element.initial_options as unknown[] | undefined
      const hasUnknownOption =
        initial && (!initial.length || initial.some((option) => !options.includes(toCanonicalJson(option))))
      return hasUnknownOption ? ['initial_options', 'must be one of the provided options'] : false
    }),

  'a minimum is not greater than its maximum': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const { min_length, max_length, min_value, max_value, min_lines, max_lines } = element as UnknownObject
      if (isGreater(min_length, max_length)) return ['min_length', 'must not be greater than `max_length`']
      if (isGreater(min_value, max_value)) return ['min_value', 'must not be greater than `max_value`']
      return isGreater(min_lines, max_lines) && ['min_lines', 'must not be greater than `max_lines`']
    }),

  'the initial value of a number input is valid': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const { type, initial_value, min_value, max_value, is_decimal_allowed } = element as UnknownObject
      if (type !== 'number_input') return false
      const values = { initial_value, min_value, max_value }
      const fraction = Object.entries(values).find(([, value]) => String(value ?? '').includes('.'))
      if (!is_decimal_allowed && fraction)
        return [fraction[0], 'must be an integer as decimals are not allowed']
      const isOutOfRange = isGreater(min_value, initial_value) || isGreater(initial_value, max_value)
      return isOutOfRange && ['initial_value', 'must be between `min_value` and `max_value`']
    }),

  'the initial value of a text input is not too long': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const { type, initial_value, max_length = 3000 } = element as UnknownObject
      const isTooLong =
        type === 'plain_text_input' && [...String(initial_value ?? '')].length > Number(max_length)
      return isTooLong && ['initial_value', `must be less than ${Number(max_length) + 1} characters`]
    }),

  'a conversation filter has at least one property': ({ blocks }) =>
    checkElements(blocks, (element) => {
      const { filter } = element as { filter?: object }
      return (
        filter !== undefined && !Object.keys(filter).length && ['filter', 'must define at least one property']
      )
    }),

  'only one element has focus_on_load': ({ blocks }) => {
    const focused = findElements(blocks).filter(({ element }) => (element as UnknownObject).focus_on_load)
    return focused.slice(1).map(({ path }) => ({
      message: '`focus_on_load` can only be set to true for one element',
      path: [...path, 'focus_on_load'],
    }))
  },

  'a file input does not dispatch actions': ({ blocks }) =>
    checkBlocks(
      blocks,
      'input',
      ['element', 'type'],
      ({ dispatch_action, element }) =>
        Boolean(dispatch_action) &&
        (element as UnknownObject).type === 'file_input' &&
        'unsupported type: file_input',
    ),

  'URLs are valid': ({ blocks }) =>
    findObjects(blocks).flatMap(({ object, path }) =>
      URL_FIELDS.flatMap((key) => {
        const value = object[key]
        if (typeof value !== 'string' || path.includes('slack_file')) return []
        const isSecure = object.type !== 'video' || key === 'thumbnail_url' || value.startsWith('https:')
        return isUrl(value) && isSecure ? [] : [{ message: 'invalid url', path: [...path, key] }]
      }),
    ),

  'an image has exactly one source': ({ blocks }) =>
    findObjects(blocks).flatMap(({ object, path }) => {
      if (object.type !== 'image') return []
      if (object.image_url && object.slack_file)
        return [{ message: 'must define either `image_url` or `slack_file`', path }]
      return object.image_url || object.slack_file
        ? []
        : [{ message: 'missing required field: image_url', path }]
    }),

  'a slack_file has either an id or a url': ({ blocks }) =>
    findObjects(blocks).flatMap(({ object, path }) => {
      const file = object.slack_file as UnknownObject | undefined
      if (typeof file?.url === 'string' && !isUrl(file.url))
        return [{ message: 'invalid_url', path: [...path, 'slack_file.url'] }]
      return file && Boolean(file.id) === Boolean(file.url)
        ? [{ message: 'must define either `id` or `url`', path: [...path, 'slack_file'] }]
        : []
    }),

  'a message has at most one table': ({ surface, blocks }) => {
    const tables = walkBlocks(blocks).flatMap(({ block }): unknown[] => {
      if (block.type === 'markdown') return findMarkdownTables(block.text)
      return block.type === 'table' || block.type === 'data_table' ? [block] : []
    })
    return surface === 'message' && tables.length > 1 ? [{ message: 'only_one_table_allowed', path: [] }] : []
  },

  'a table has at most 10,000 characters': ({ blocks }) =>
    checkBlocks(
      blocks,
      'table',
      ['rows'],
      ({ rows }) => countTextCharacters(rows) > 10_000 && 'must be less than 10001 characters',
    ),

  'the rows of a data table have equal lengths': ({ blocks }) =>
    checkBlocks(
      blocks,
      'data_table',
      ['rows'],
      ({ rows }) =>
        new Set((rows as unknown[][]).map((row) => row.length)).size > 1 && 'rows must be of equal length',
    ),

  'all Markdown together has at most 12,000 characters': ({ blocks }) => {
    const markdownBlocks = walkBlocks(blocks).filter(({ block }) => block.type === 'markdown')
    const length = markdownBlocks.reduce((sum, { block }) => sum + [...String(Object(block).text)].length, 0)
    const [first] = markdownBlocks
    return first && length > 12_000
      ? [{ message: 'must be less than 12001 characters', path: [...first.path, 'text'] }]
      : []
  },

  'a task card outside a plan does not have the status "pending"': ({ blocks }) =>
    checkBlocks(
      blocks,
      'task_card',
      ['status'],
      ({ status }) => status === 'pending' && 'must be a valid enum value',
    ),

  'the header row of a data table has no rich text': ({ blocks }) =>
    checkBlocks(blocks, 'data_table', ['rows', 0], ({ rows }) =>
      (rows as UnknownObject[][])[0]?.some(({ type }) => type === 'rich_text')
        ? 'unsupported type: rich_text'
        : false,
    ),

  'a data table has at most 20,000 characters': ({ blocks }) =>
    checkBlocks(
      blocks,
      'data_table',
      ['rows'],
      ({ rows }) => countTextCharacters(rows) > 20_000 && 'must be less than 20001 characters',
    ),

  'a card has some content': ({ blocks }) =>
    checkBlocks(blocks, 'card', [], ({ hero_image, title, body, actions, icon, slack_icon }) => {
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
    checkBlocks(
      blocks,
      'container',
      [],
      ({ title, rich_text_title }) => !title && !rich_text_title && 'missing required field: title',
    ),

  'only a collapsible container can be collapsed by default': ({ blocks }) =>
    checkBlocks(
      blocks,
      'container',
      ['default_collapsed'],
      ({ is_collapsible, default_collapsed }) =>
        Boolean(default_collapsed && !is_collapsible) && 'must define `is_collapsible`',
    ),
}
