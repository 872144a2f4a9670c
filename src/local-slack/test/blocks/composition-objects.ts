import {
  anyText,
  anything,
  conditional,
  type FieldKind,
  type Fields,
  flag,
  list,
  object,
  oneOf,
  optional,
  plain,
  reportedTwice,
  required,
  string,
  url,
} from './fields.ts'
import { option, optionGroup } from './samples.ts'

// What elements and blocks are made of, as Slack's pages have it.
// https://docs.slack.dev/reference/block-kit/composition-objects

export const id = optional(string(255))

export const style = oneOf('primary', 'danger')

export const confirm = object({
  title: required(plain(100)),
  text: required(anyText(300)),
  confirm: required(plain(30)),
  deny: required(plain(30)),
  style: optional(style),
})

const optionWith = (text: (max: number) => FieldKind, more: Fields = {}) =>
  object({
    text: required(text(75)),
    value: required(string(150)),
    description: optional(text(75)),
    ...more,
  })

/** Select menus show plain text alone. */
export const plainOption = optionWith(plain)
/** As it is listed; what is chosen at first is held against one schema. */
const listedOption = optionWith((max) => reportedTwice(plain(max)))
/** Radio buttons and checkboxes show mrkdwn as well. */
export const anyOption = optionWith(anyText)
export const linkOptionKind = optionWith(plain, {
  value: conditional(string(150)),
  url: optional(url(3000)),
})

export const options = (max: number, item = listedOption, make: (number: number) => unknown = option) =>
  list({ min: 1, max, make, item })

export const optionGroups = list({
  min: 1,
  max: 100,
  make: optionGroup,
  item: object({
    label: required(plain(75)),
    options: required(options(100, listedOption, (number) => option(100 + number))),
  }),
})

export const dispatchActionConfig = object({
  trigger_actions_on: conditional(
    list({
      min: 1,
      max: 2,
      make: (number) => (number === 1 ? 'on_enter_pressed' : 'on_character_entered'),
      item: oneOf('on_character_entered'),
    }),
  ),
})

export const conversationFilter = object({
  include: optional(list({ min: 1, make: () => 'im', item: oneOf('im', 'mpim', 'private', 'public') })),
  exclude_external_shared_channels: optional(flag),
  exclude_bot_users: optional(flag),
})

export const image: Fields = { alt_text: required(string(2000)), image_url: conditional(url(3000)) }

export const button: Fields = {
  action_id: id,
  text: required(plain(75)),
  value: optional(string(2000)),
  url: optional(url(3000)),
  style: optional(style),
  confirm: optional(confirm),
  accessibility_label: optional(string(75)),
}

export const accessibilityLabel = optional(string(75))
export const choiceFields: Fields = {
  action_id: id,
  confirm: optional(confirm),
  focus_on_load: optional(flag),
}
export const selectFields: Fields = { ...choiceFields, placeholder: optional(plain(150)) }

/** As deep as others look into it; rich text has its own tests. */
export const richTextKind = object({ block_id: optional(anything), elements: required(list({})) })
