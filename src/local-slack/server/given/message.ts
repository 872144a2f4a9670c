import type { KnownBlock, MessageAttachment } from '@slack/types'
import { z } from 'zod'
import { complete } from '../../blocks/elements-in.ts'
import type { Judge, Verdict } from '../../blocks/judge.ts'
import type { Slack } from '../workspace/slack.ts'
import { findUnreachableImages, findUnreadyFiles } from './images.ts'

/** What a message says: text, blocks, and the older attachments. */
export type Content = { text: string; blocks?: KnownBlock[]; attachments?: MessageAttachment[] }

export type GivenContent = {
  text?: string | undefined
  blocks?: unknown
  attachments?: unknown
  markdown_text?: string | undefined
}

export type Reading = { slack: Slack; judge: Judge }

/** Longer texts are cut off. */
const LONGEST_TEXT = 40_000
const MOST_ATTACHMENTS = 100

/** Reads and judges what a message is to say, whichever way the app gave it. */
export async function readContent(reading: Reading, given: GivenContent): Promise<Verdict<Content>> {
  const { slack, judge } = reading
  const { text = '', blocks, attachments, markdown_text } = given
  if (markdown_text !== undefined) {
    if (text || blocks) return refused('markdown_text_conflict')
    return readContent(reading, { text: markdown_text, blocks: [{ type: 'markdown', text: markdown_text }] })
  }
  const judged = judge.message(isNothing(blocks) ? [] : blocks)
  if ('error' in judged) return judged
  const pictures = [
    ...findUnreadyFiles(slack, judged.passed, '/blocks'),
    ...(await findUnreachableImages(slack, judged.passed)),
  ]
  if (pictures.length) return refused('invalid_blocks', pictures)
  const attached = readAttachments(reading, attachments)
  if ('error' in attached) return attached
  if (!text.trim() && !judged.passed.length && !attached.passed.length) return refused('no_text')
  return {
    passed: {
      text: escapeStray([...text].slice(0, LONGEST_TEXT).join('')),
      ...(judged.passed.length > 0 && complete({ blocks: judged.passed }, slack.ids.short)),
      ...(attached.passed.length > 0 && { attachments: attached.passed }),
    },
  }
}

export const isTooLong = (text = '') => [...text].length > LONGEST_TEXT

/** What is no markup must not be taken for it. */
const escapeStray = (text: string) =>
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

const isNothing = (value: unknown) => value === undefined || value === null || value === ''

const refused = (error: string, messages: string[] = []) => ({ error, messages })

/** Of the older attachments only the shape is looked at, and the blocks in them. */
const word = z.string().optional()
const Attachments = z
  .array(
    z.looseObject({
      blocks: z.unknown().optional(),
      color: word,
      pretext: word,
      author_name: word,
      title: word,
      title_link: word,
      text: word,
      image_url: word,
      footer: word,
      fields: z.array(z.looseObject({ title: z.string(), value: z.string() })).optional(),
    }),
  )
  .max(MOST_ATTACHMENTS)

function readAttachments({ slack, judge }: Reading, given: unknown): Verdict<MessageAttachment[]> {
  if (isNothing(given)) return { passed: [] }
  const { data, error } = Attachments.safeParse(given)
  if (error)
    return refused(error.issues[0]?.code === 'too_big' ? 'too_many_attachments' : 'invalid_attachments')
  const passed: MessageAttachment[] = []
  for (const [index, attachment] of data.entries()) {
    const judged = judge.message(attachment.blocks ?? [], `/attachments/${index}/blocks`)
    if ('error' in judged) return refused('invalid_attachments', judged.messages)
    const blocks = judged.passed.length > 0 && complete({ blocks: judged.passed }, slack.ids.short)
    const { blocks: _unnamed, ...rest } = attachment
    passed.push({
      id: index + 1,
      fallback: '[no preview available]',
      ...rest,
      ...blocks,
    } as MessageAttachment)
  }
  return { passed }
}
