import { z } from 'zod'
import { cardButton, elementsFor, image } from './elements.ts'
import { anyText, count, flag, id, imageSource, plain, type Surface, text } from './objects.ts'
import { richText } from './rich-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks and https://docs.slack.dev/reference/views

const block = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), block_id: id, ...shape })

/** One of several objects, told apart by `type`. */
const oneOf = (schemas: z.ZodObject[]) =>
  z.discriminatedUnion('type', schemas as [z.ZodObject, ...z.ZodObject[]])

const alert = block('alert', {
  text: anyText(200),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
})
const slackIcon = z.strictObject({ type: z.literal('icon'), name: text(255) })
const card = block('card', {
  hero_image: image.optional(),
  icon: image.optional(),
  slack_icon: slackIcon.optional(),
  title: anyText(150).optional(),
  subtitle: anyText(150).optional(),
  body: anyText(200).optional(),
  subtext: anyText(200).optional(),
  actions: z.array(cardButton).min(1).max(2).optional(),
})
const carousel = block('carousel', { elements: z.array(card).min(1).max(10) })
const context = block('context', {
  elements: z
    .array(oneOf([image, ...anyText(3000).options]))
    .min(1)
    .max(10),
})
const divider = block('divider', {})
const header = block('header', { text: plain(150), level: count(4, 1) })
const imageBlock = block('image', { ...imageSource, title: plain(2000).optional() })
const markdown = block('markdown', { text: text(12_000) })
const video = block('video', {
  alt_text: text(2000),
  title: plain(199),
  thumbnail_url: text(3000),
  video_url: text(3000),
  title_url: text(3000).optional(),
  author_name: text(49).optional(),
  provider_name: text(255).optional(),
  provider_icon_url: text(3000).optional(),
  description: plain(199).optional(),
})

const rawText = z.strictObject({ type: z.literal('raw_text'), text: text(20_000) })
const rawNumber = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: text(20_000) })
const cells = z
  .array(oneOf([rawText, rawNumber, richText]))
  .min(1)
  .max(20)
const table = block('table', {
  rows: z.array(cells).min(1).max(100),
  column_settings: z
    .array(
      z.strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: flag }).nullable(),
    )
    .max(20)
    .optional(),
})
const dataTable = block('data_table', {
  caption: text(3000),
  rows: z.array(cells).min(2).max(201),
  page_size: count(100, 1),
  row_header_column_index: count(19),
})

const taskCard = block('task_card', {
  task_id: text(255),
  title: text(3000),
  hide_title: flag,
  status: z.enum(['pending', 'in_progress', 'complete', 'error']).optional(),
  details: richText.optional(),
  output: richText.optional(),
  icon: slackIcon.optional(),
  sources: z.array(z.strictObject({ type: z.literal('url'), url: text(3000), text: text(3000) })).optional(),
})
const plan = block('plan', {
  title: text(3000),
  status: text(255).optional(),
  tasks: z.array(taskCard.extend({ type: z.literal('task_card').optional() })).optional(),
})

/** The block types that a surface allows. */
function blockTypesFor(surface: Surface): z.ZodObject[] {
  const elements = elementsFor(surface)
  const actions = block('actions', { elements: z.array(oneOf(elements.actions)).min(1).max(25) })
  const contextActions = block('context_actions', {
    elements: z.array(oneOf(elements.context_actions)).min(1).max(5),
  })
  const input = block('input', {
    label: plain(2000),
    element: oneOf(elements.input),
    hint: plain(2000).optional(),
    optional: flag,
    dispatch_action: flag,
  })
  const section = block('section', {
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: oneOf(elements.section).optional(),
    expand: flag,
  })
  const commonBlocks = [actions, context, divider, header, imageBlock, input, richText, section, video]
  const container = block('container', {
    title: plain(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: anyText(150).optional(),
    icon: image.optional(),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    is_collapsible: flag,
    default_collapsed: flag,
    has_header_divider: flag,
    child_blocks: z
      .array(oneOf([...commonBlocks, table]))
      .min(1)
      .max(10),
  })
  return {
    message: [
      ...commonBlocks,
      ...[card, carousel, container, contextActions, dataTable, markdown, plan, table, taskCard],
    ],
    modal: [...commonBlocks, alert, card],
    home: [...commonBlocks, card, carousel, dataTable],
  }[surface]
}

const MAX_BLOCKS = { message: 50, modal: 100, home: 100 }

export const blocksFor = (surface: Surface) => z.array(oneOf(blockTypesFor(surface))).max(MAX_BLOCKS[surface])

const commonViewFields = {
  private_metadata: text(3000, 0).optional(),
  callback_id: text(255, 0).optional(),
  external_id: text(255, 0).optional(),
}

export const createViewSchemas = () => ({
  modal: z.strictObject({
    title: plain(24),
    blocks: blocksFor('modal'),
    type: z.literal('modal'),
    submit: plain(24).optional(),
    close: plain(24).optional(),
    clear_on_close: flag,
    notify_on_close: flag,
    ...commonViewFields,
  }),
  home: z.strictObject({ blocks: blocksFor('home'), type: z.literal('home'), ...commonViewFields }),
})
