import type { KnownBlock, MessageAttachment } from '@slack/types'
import { z } from 'zod'
import { fillDefaults } from '../../blocks/find-elements.ts'
import { NOT_WELL_FORMED } from '../../blocks/objects.ts'
import type { Validation } from '../../blocks/validate-blocks.ts'
import type { Slack } from '../workspace/slack.ts'
import { findUnreachableImages, findUnreadyFiles } from './check-images.ts'

/** The content of a message. Attachments are Slack's older form of blocks. */
export type MessageContent = { text: string; blocks?: KnownBlock[]; attachments?: MessageAttachment[] }

type ContentArgs = {
  text?: string | undefined
  blocks?: unknown
  attachments?: unknown
  markdown_text?: string | undefined
}

/** Slack truncates longer texts. */
const MAX_TEXT_LENGTH = 40_000
const MAX_ATTACHMENTS = 100

/** Validates and completes the content of a message. */
export async function readMessageContent(
  slack: Slack,
  { text = '', blocks, attachments, markdown_text }: ContentArgs,
): Promise<Validation<MessageContent>> {
  if (markdown_text !== undefined) {
    if (text || blocks) return invalid('markdown_text_conflict')
    return readMessageContent(slack, {
      text: markdown_text,
      blocks: [{ type: 'markdown', text: markdown_text }],
    })
  }
  if (!text.isWellFormed()) return invalid('invalid_arguments', [`${NOT_WELL_FORMED} [json-pointer:/text]`])
  const blockResult = slack.blockValidator.validateMessage(isEmpty(blocks) ? [] : blocks)
  if ('error' in blockResult) return blockResult
  const validBlocks = blockResult.valid
  const imageProblems = [
    ...findUnreadyFiles(slack, validBlocks, '/blocks'),
    ...(await findUnreachableImages(slack, validBlocks)),
  ]
  if (imageProblems.length) return invalid('invalid_blocks', imageProblems)
  const attachmentResult = readAttachments(slack, attachments)
  if ('error' in attachmentResult) return attachmentResult
  if (!text.trim() && !validBlocks.length && !attachmentResult.valid.length) return invalid('no_text')
  return {
    valid: {
      text: escapeText([...text].slice(0, MAX_TEXT_LENGTH).join('')),
      ...(validBlocks.length > 0 && fillDefaults({ blocks: validBlocks }, slack.ids.short)),
      ...(attachmentResult.valid.length > 0 && { attachments: attachmentResult.valid }),
    },
  }
}

export const isTextTooLong = (text = '') => [...text].length > MAX_TEXT_LENGTH

/** Escapes &, < and > except in Slack's own markup, such as <@U123>. */
const escapeText = (text: string) =>
  text
    .split(/(<(?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>\n]*>)/i)
    .map((part, index) =>
      index % 2
        ? part
        : part
            .replace(/&(?!amp;|lt;|gt;)/g, '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;'),
    )
    .join('')

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

const invalid = (error: string, messages: string[] = []) => ({ error, messages })

const optionalText = z.string().optional()
const Attachments = z
  .array(
    z.looseObject({
      blocks: z.unknown().optional(),
      color: optionalText,
      pretext: optionalText,
      author_name: optionalText,
      title: optionalText,
      title_link: optionalText,
      text: optionalText,
      image_url: optionalText,
      footer: optionalText,
      fields: z.array(z.looseObject({ title: z.string(), value: z.string() })).optional(),
    }),
  )
  .max(MAX_ATTACHMENTS)

function readAttachments(slack: Slack, attachments: unknown): Validation<MessageAttachment[]> {
  if (isEmpty(attachments)) return { valid: [] }
  const { data, error } = Attachments.safeParse(attachments)
  if (error)
    return invalid(error.issues[0]?.code === 'too_big' ? 'too_many_attachments' : 'invalid_attachments')
  const valid: MessageAttachment[] = []
  for (const [index, { blocks = [], ...fields }] of data.entries()) {
    const result = slack.blockValidator.validateMessage(blocks, `/attachments/${index}/blocks`)
    if ('error' in result) return invalid('invalid_attachments', result.messages)
    valid.push({
      id: index + 1,
      fallback: '[no preview available]',
      ...fields,
      ...(result.valid.length > 0 && fillDefaults({ blocks: result.valid }, slack.ids.short)),
    } as MessageAttachment)
  }
  return { valid }
}
