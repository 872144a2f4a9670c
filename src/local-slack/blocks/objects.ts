import { z } from 'zod'

// https://docs.slack.dev/reference/block-kit/composition-objects

/** Where blocks are shown. Each surface allows different blocks and elements. */
export type Surface = 'message' | 'modal' | 'home'

/** JSON can contain half of a character, which UTF-8 can't. */
export const NOT_WELL_FORMED = 'must be well-formed Unicode'

export const wellFormed = z.string().refine((value) => value.isWellFormed(), NOT_WELL_FORMED)

/** A string of limited length. Like Slack, this counts code points: an emoji is one character. */
export const text = (max: number, min = 1) =>
  z.string().check(({ value, issues }) => {
    const length = [...value].length
    if (length > max) issues.push({ code: 'too_big', origin: 'string', maximum: max, input: value })
    else if (!value.isWellFormed()) issues.push({ code: 'custom', message: NOT_WELL_FORMED, input: value })
    else if (length < min) issues.push({ code: 'too_small', origin: 'string', minimum: min, input: value })
  })

export const id = text(255).optional()
export const flag = z.boolean().optional()
const integer = z.number({ error: 'must provide an integer' }).int({ error: 'must provide an integer' })

export const count = (max: number, min = 0) => integer.min(min).max(max).optional()

export const plain = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(max), emoji: flag })

const mrkdwn = (max: number) => z.strictObject({ type: z.literal('mrkdwn'), text: text(max), verbatim: flag })

export const anyText = (max: number) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)])

export const style = z.enum(['primary', 'danger']).optional()

export const confirm = z
  .strictObject({
    title: plain(100),
    text: anyText(300),
    confirm: plain(30),
    deny: plain(30),
    style,
  })
  .optional()

/** An option of a select or overflow menu, which takes plain text only. */
export const option = z.strictObject({
  text: plain(75),
  value: text(150, 0),
  description: plain(75).optional(),
})
/** An option of radio buttons or checkboxes, which also takes mrkdwn. */
export const richOption = z.strictObject({
  text: anyText(75),
  value: text(150, 0),
  description: anyText(75).optional(),
})
/** An option that opens a link needs no value. */
export const overflowOption = option.extend({ value: text(150, 0).optional(), url: text(3000).optional() })

export const optionGroup = z.strictObject({ label: plain(75), options: z.array(option).min(1).max(100) })

export const dispatchActionConfig = z
  .strictObject({
    trigger_actions_on: z
      .array(z.enum(['on_enter_pressed', 'on_character_entered']))
      .min(1)
      .max(2)
      .refine((triggers) => new Set(triggers).size === triggers.length, 'Input contains duplicate items')
      .optional(),
  })
  .optional()

export const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  })
  .optional()

export const slackFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^[F][A-Z0-9]{8,}$/)
      .optional(),
    url: text(3000).optional(),
  })
  .optional()

export const imageSource = {
  alt_text: text(2000),
  image_url: text(3000).optional(),
  slack_file: slackFile,
}
