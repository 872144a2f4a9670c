import { z } from 'zod'
import {
  confirm,
  conversationFilter,
  count,
  dispatchActionConfig,
  flag,
  id,
  imageSource,
  option,
  optionGroup,
  overflowOption,
  plain,
  richOption,
  type Surface,
  style,
  text,
} from './objects.ts'
import { richText } from './rich-text.ts'

// https://docs.slack.dev/reference/block-kit/block-elements

const element = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), action_id: id, ...shape })

const focusFields = { focus_on_load: flag }
const placeholder = { placeholder: plain(150).optional() }
const selectFields = { confirm, ...focusFields, ...placeholder }
const multiSelectFields = { ...selectFields, max_selected_items: z.int().min(1).optional() }
const textInputFields = { dispatch_action_config: dispatchActionConfig, ...focusFields, ...placeholder }
const staticOptions = {
  options: z.array(option).min(1).max(100).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
}
const ids = z.array(text(255)).optional()
const conversationFields = { default_to_current_conversation: flag, filter: conversationFilter }
/** Only the input blocks of a modal allow this field. */
const responseUrlFields = { response_url_enabled: flag }
const decimal = z
  .string()
  .regex(/^-?\d*\.?\d+$/)
  .optional()

const button = element('button', {
  text: plain(75),
  value: text(2000, 0).optional(),
  url: text(3000).optional(),
  style,
  confirm,
  accessibility_label: text(75).optional(),
})
const overflow = element('overflow', { options: z.array(overflowOption).min(1).max(5), confirm })
const checkboxes = element('checkboxes', {
  options: z.array(richOption).min(1).max(10),
  initial_options: z.array(richOption).max(10).optional(),
  confirm,
  ...focusFields,
})
const radioButtons = element('radio_buttons', {
  options: z.array(richOption).min(1).max(10),
  initial_option: richOption.optional(),
  confirm,
  ...focusFields,
})

const staticSelect = element('static_select', {
  ...staticOptions,
  initial_option: option.optional(),
  ...selectFields,
})
const externalSelect = element('external_select', {
  initial_option: option.optional(),
  min_query_length: count(3000),
  ...selectFields,
})
const usersSelect = element('users_select', { initial_user: text(255).optional(), ...selectFields })
const conversationsSelect = element('conversations_select', {
  initial_conversation: text(255).optional(),
  ...conversationFields,
  ...selectFields,
})
const channelsSelect = element('channels_select', { initial_channel: text(255).optional(), ...selectFields })

const multiStaticSelect = element('multi_static_select', {
  ...staticOptions,
  initial_options: z.array(option).max(100).optional(),
  ...multiSelectFields,
})
const multiExternalSelect = element('multi_external_select', {
  initial_options: z.array(option).max(100).optional(),
  min_query_length: count(3000),
  ...multiSelectFields,
})
const multiUsersSelect = element('multi_users_select', { initial_users: ids, ...multiSelectFields })
const multiConversationsSelect = element('multi_conversations_select', {
  initial_conversations: ids,
  ...conversationFields,
  ...multiSelectFields,
})
const multiChannelsSelect = element('multi_channels_select', { initial_channels: ids, ...multiSelectFields })

const datepicker = element('datepicker', {
  initial_date: z.iso.date().optional(),
  ...selectFields,
})
const timepicker = element('timepicker', {
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  timezone: text(255).optional(),
  ...selectFields,
})
const datetimepicker = element('datetimepicker', {
  initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  confirm,
  ...focusFields,
})

const plainTextInput = element('plain_text_input', {
  initial_value: text(3000, 0).optional(),
  multiline: flag,
  min_length: count(3000),
  max_length: count(3000, 1),
  ...textInputFields,
})
const emailInput = element('email_text_input', {
  initial_value: text(3000, 0).optional(),
  ...textInputFields,
})
const urlInput = element('url_text_input', { initial_value: text(3000, 0).optional(), ...textInputFields })
const numberInput = element('number_input', {
  is_decimal_allowed: z.boolean(),
  initial_value: decimal,
  min_value: decimal,
  max_value: decimal,
  ...textInputFields,
})
const richTextInput = element('rich_text_input', {
  initial_value: richText.optional(),
  min_lines: count(100, 1),
  max_lines: count(100, 1),
  ...textInputFields,
})
const fileInput = element('file_input', {
  filetypes: z.array(text(255)).min(1).optional(),
  max_files: count(10, 1),
})

const workflowButton = element('workflow_button', {
  action_id: text(255),
  text: plain(75),
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: text(3000),
      customizable_input_parameters: z
        .array(z.strictObject({ name: text(255), value: z.unknown() }))
        .optional(),
    }),
  }),
  style,
  confirm,
  accessibility_label: text(75).optional(),
})
const feedback = z.strictObject({
  text: plain(75),
  value: text(2000),
  accessibility_label: text(75).optional(),
})
const feedbackButtons = element('feedback_buttons', { positive_button: feedback, negative_button: feedback })
const iconButton = element('icon_button', {
  icon: z.enum(['trash']),
  text: plain(75),
  value: text(2000, 0).optional(),
  confirm,
  accessibility_label: text(75).optional(),
  visible_to_user_ids: ids,
})

export const image = z.strictObject({ type: z.literal('image'), ...imageSource })
export const cardButton = button

/** Elements that only some surfaces allow. */
const onlyOn = (surface: Surface, surfaces: Surface[], ...elements: z.ZodObject[]) =>
  surfaces.includes(surface) ? elements : []

const selects = [staticSelect, externalSelect, usersSelect, conversationsSelect, channelsSelect]
const multiSelects = [
  multiStaticSelect,
  multiExternalSelect,
  multiUsersSelect,
  multiConversationsSelect,
  multiChannelsSelect,
]
const selectsWithResponseUrl = [
  conversationsSelect.extend(responseUrlFields),
  channelsSelect.extend(responseUrlFields),
]
const pickers = [datepicker, timepicker]
const checkboxesAndRadios = [checkboxes, radioButtons]

/** The elements that each block type allows on a surface. */
export const elementsFor = (surface: Surface) => ({
  section: [
    button,
    overflow,
    ...checkboxesAndRadios,
    ...selects,
    ...multiSelects,
    ...pickers,
    image,
    ...onlyOn(surface, ['message'], workflowButton),
  ],
  actions: [
    button,
    overflow,
    ...checkboxesAndRadios,
    ...selects,
    ...pickers,
    ...onlyOn(surface, ['message', 'modal'], datetimepicker),
    // Slack's documentation allows multi-selects here, but its modals and Home tabs refuse them.
    ...onlyOn(surface, ['message'], ...multiSelects, workflowButton),
    ...onlyOn(surface, ['modal', 'home'], richTextInput),
  ],
  context_actions: [feedbackButtons, iconButton],
  input: [
    plainTextInput,
    ...checkboxesAndRadios,
    staticSelect,
    externalSelect,
    usersSelect,
    ...(surface === 'modal' ? selectsWithResponseUrl : [conversationsSelect, channelsSelect]),
    ...multiSelects,
    ...pickers,
    ...onlyOn(surface, ['message', 'modal'], datetimepicker),
    ...onlyOn(surface, ['modal', 'home'], richTextInput),
    ...onlyOn(surface, ['modal'], emailInput, urlInput, numberInput, fileInput),
  ],
})
