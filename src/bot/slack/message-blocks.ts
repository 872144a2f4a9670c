import type {
  Button as ButtonElement,
  ContextBlock,
  ExternalSelect,
  ImageElement,
  KnownBlock,
  ModalView,
  MrkdwnElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types'
import { listWords } from '../../time/describe.ts'

/** A message of the bot. Notifications and screen readers use the text. */
export type Reply = { text: string; blocks?: KnownBlock[] | undefined }

/** The readers of a message: one user in their time zone, or everyone in a channel, each of them in their own time zone. */
export type Viewer = { zone: string; now: Date; isChannel?: boolean }

const MAX_SECTION_LENGTH = 3000

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Never cuts an HTML entity or a character in half. Slack rejects half a character. */
export function truncate(text: string, maxLength: number, ending = '…'): string {
  if (text.length <= maxLength) return text
  const beginning = text.slice(0, maxLength - ending.length)
  return beginning.replace(/\p{Cs}$/u, '').replace(/&\w{0,4}$/, '') + ending
}

/** Slack ignores a formatting character next to an invisible word joiner. */
const WORD_JOINER = '\u2060'

/** Like `escapeText`, but also shows formatting characters literally. */
export const escapeFormatting = (text: string): string =>
  escapeText(text).replace(/[*_~`]/g, `${WORD_JOINER}$&${WORD_JOINER}`)

/** Mentions a Slack user. An erased user and the operator have no Slack id, so their names stay as they are. */
export const mentionUser = (user_id: string): string =>
  /^[UW][A-Z0-9]+$/.test(user_id) ? `<@${user_id}>` : user_id

const MAX_NAMES = 5

/** "Yuki, Ada, 3 others and the admins". Shortens the list of `names`, but not of `requiredNames`. */
export function joinNames(names: string[], requiredNames: string[] = []): string {
  const named = names.slice(0, names.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES)
  const others = names.length - named.length
  return listWords([...named, ...(others ? [`${others} others`] : []), ...requiredNames])
}

export const plainText = (text: string) => ({ type: 'plain_text' as const, text })

/** Without `verbatim`, Slack would make links and mentions out of names that users typed. */
const markup = (text: string): MrkdwnElement => ({
  type: 'mrkdwn',
  text: truncate(text, MAX_SECTION_LENGTH),
  verbatim: true,
})

const MAX_URL_LENGTH = 3000
const IMAGE_PATH = /\.(?:png|jpe?g|gif|webp)$/i

/** Omits a thumbnail whose link Slack would reject, because Slack would then reject the whole message. */
export function thumbnail(url: string, alt_text: string): { accessory?: ImageElement } {
  const link = URL.canParse(url) ? new URL(url) : undefined
  const isImage = link && /^https?:$/.test(link.protocol) && IMAGE_PATH.test(link.pathname)
  return isImage && url.length <= MAX_URL_LENGTH && !/\s/.test(url)
    ? { accessory: { type: 'image', image_url: url, alt_text } }
    : {}
}

/** Types of files that Slack shows as images. */
const SLACK_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif']

/** A thumbnail of a file in Slack. */
export function slackThumbnail(file: { id: string; name: string; content_type: string }) {
  const { id, name, content_type } = file
  const image = { type: 'image' as const, slack_file: { id }, alt_text: name }
  return SLACK_IMAGE_TYPES.includes(content_type) ? { accessory: image } : {}
}

export const withoutAccessories = (blocks: KnownBlock[], type: 'image' | 'overflow'): KnownBlock[] =>
  blocks.map((block) => {
    if (block.type !== 'section' || block.accessory?.type !== type) return block
    const { accessory: _removed, ...rest } = block
    return rest
  })

/** Shows text exactly as it was typed, without formatting or emoji. */
export const literalSection = (text: string): SectionBlock => ({
  type: 'section',
  text: { ...plainText(text), emoji: false },
})

export const section = (text: string): SectionBlock => ({
  type: 'section',
  text: markup(text),
})

export const context = (text: string): ContextBlock => ({
  type: 'context',
  elements: [markup(text)],
})

export const textReply = (text: string, ...blocks: KnownBlock[]): Reply => ({
  text,
  blocks: [section(text), ...blocks],
})

/** Packs lines into as few sections as possible. */
export function lineSections(lines: string[]): KnownBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const joined = [...texts.slice(-1), line].join('\n')
    if (texts.length && joined.length <= MAX_SECTION_LENGTH) texts[texts.length - 1] = joined
    else texts.push(line)
  }
  return texts.map(section)
}

export type Button = {
  action_id: string
  label: string
  value?: string | undefined
  /** Asked before an action that cannot be undone. */
  confirmation?: string
  /** Makes the button red without a confirmation, because the message already asks for one. */
  isDangerous?: boolean
  /** The next step that most people take. */
  isPrimary?: boolean
}

const MAX_BUTTON_LENGTH = 75
const MAX_CONFIRMATION_LENGTH = 300
const MAX_CONFIRM_LABEL_LENGTH = 30

export const buttonElement = ({
  action_id,
  label,
  value,
  confirmation,
  isDangerous,
  isPrimary,
}: Button): ButtonElement => ({
  type: 'button',
  action_id,
  text: plainText(truncate(label, MAX_BUTTON_LENGTH)),
  ...(value !== undefined && { value }),
  ...(isPrimary && { style: 'primary' }),
  ...(isDangerous && { style: 'danger' }),
  ...(confirmation && {
    style: 'danger',
    confirm: {
      title: plainText(`${label}?`),
      text: plainText(truncate(confirmation, MAX_CONFIRMATION_LENGTH)),
      confirm: plainText(truncate(label, MAX_CONFIRM_LABEL_LENGTH)),
      deny: plainText('Cancel'),
      style: 'danger',
    },
  }),
})

export const buttonRow = (...buttons: Button[]): KnownBlock[] =>
  buttons.length ? [{ type: 'actions', elements: buttons.map(buttonElement) }] : []

/** An entry of a select menu: the value it submits and the label it shows. */
export type Choice = { value: string; label: string }

const MAX_OPTION_LABEL_LENGTH = 75
export const MAX_OPTION_VALUE_LENGTH = 150

/** Slack allows this many options in a static select menu. Longer lists are searched as the user types. */
export const MAX_OPTIONS = 100

export const toMenuOption = ({ value, label }: Choice): PlainTextOption => ({
  text: plainText(truncate(label, MAX_OPTION_LABEL_LENGTH) || '(no name)'),
  value,
})

/** The action id of menus whose entries start different actions. */
export const MENU_ACTION = 'record:menu'

/** The prefix of the ids of blocks with a record's actions, in messages that show only this record. */
export const CONFIRMATION_BLOCK_PREFIX = 'confirmation'

export const toMenuValue = (action_id: string, value: string): string => `${action_id} ${value}`

export function splitMenuValue(entry: string): [action_id: string, value: string] {
  const end = entry.indexOf(' ')
  return [entry.slice(0, end), entry.slice(end + 1)]
}

export const searchMenu = (action_id: string, choice: Choice | undefined): ExternalSelect => ({
  type: 'external_select',
  action_id,
  min_query_length: 0,
  ...(choice && { initial_option: toMenuOption(choice) }),
})

/** A modal without inputs, such as the one shown while a form loads or after it is submitted. */
export const messageView = (title: string, ...blocks: KnownBlock[]): ModalView => ({
  type: 'modal',
  title: plainText(title),
  close: plainText('Close'),
  blocks,
})

/** Turns a large argument of the Web API into a string. Slack's SDK copies objects for a log line that it never writes. */
export const toJson = <T>(content: T): T => JSON.stringify(content) as T
