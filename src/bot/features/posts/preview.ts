import type { KnownBlock } from '@slack/types'
import { checkPost } from '../../../platforms/check-post.ts'
import { foldText, PLATFORM_DISPLAY } from '../../../platforms/platform-display.ts'
import type { MediaFacts } from '../../../platforms/platform-media.ts'
import { isPlatform, type Platform, platformName } from '../../../platforms/platform-names.ts'
import {
  drawableText,
  FAINT_INK,
  fittingLength,
  fittingText,
  LINE_COLOR,
  platformChips,
  svgDocument,
  svgText,
} from '../../slack/images/svg.ts'
import type { Picture } from '../../slack/images/upload-picture.ts'
import { context, escapeText, plainText, section, thumbnail, truncate } from '../../slack/message-blocks.ts'

export type PreviewedPost = {
  Content?: string | undefined
  Media?: string | undefined
  Platforms?: string[] | undefined
  /** A file that the user picked, and that isn't uploaded yet. */
  file?: MediaFacts | undefined
}

const MAX_FACTS_LENGTH = 600
/** Ten platforms share the characters of a message. */
const MAX_TEXT_LENGTH = 700

/** A post as each of its platforms shows it, with what is missing. */
export function previewBlocks({ Content = '', Media, Platforms = [], file }: PreviewedPost): KnownBlock[] {
  const known = Platforms.filter(isPlatform)
  if (!known.length) return [section('Pick a platform to see how the post will look.')]
  return known.flatMap((platform): KnownBlock[] => {
    const { errors, warnings, characterCounts } = checkPost({ Content, Media, file, Platforms: [platform] })
    const { visible, isFolded } = foldText(platform, Content)
    const problems = [...errors.Content, ...errors.Media, ...warnings].map(
      (text) => `:warning: ${escapeText(text)}`,
    )
    const facts = [...characterCounts, ...listFacts(platform, { Content, Media })].map(escapeText)
    const text = {
      ...plainText(truncate(`${visible || '(no text)'}${isFolded ? '… more' : ''}`, MAX_TEXT_LENGTH)),
      emoji: false,
    }
    return [
      { type: 'divider' },
      section(`*${platformName(platform)}*`),
      { type: 'section', text, ...thumbnail(Media ?? '', 'The media of this post') },
      context(truncate([facts.join(' · '), ...problems].join('\n'), MAX_FACTS_LENGTH)),
    ]
  })
}

/** What a platform makes of the post. */
function listFacts(
  platform: Platform,
  { Content, Media }: { Content: string; Media: string | undefined },
): string[] {
  const { foldLength, mediaRatio } = PLATFORM_DISPLAY[platform]
  const { isFolded } = foldText(platform, Content)
  const links = Content.match(/https?:\/\/\S+/g) ?? []
  const hashtags = Content.match(/#[\p{L}\p{N}_]+/gu) ?? []
  return [
    isFolded ? `about ${foldLength} characters before "more"` : '',
    links.length ? count(links.length, 'link') : '',
    hashtags.length ? hashtags.join(' ') : '',
    Media && mediaRatio ? `media cropped to about ${mediaRatio.join(':')}` : '',
  ].filter(Boolean)
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`

// Sized like the calendar, so that the texts stay readable on a phone.
const CARD_WIDTH = 348
const GAP = 12
const PADDING = 14
const TEXT_SIZE = 17
const LINE_HEIGHT = 24
const MAX_LINES = 8
const MAX_MEDIA_HEIGHT = 260

/**
 * Cards side by side, with the text where each platform folds it, and the media as it crops them: a JPEG, or their shape
 * alone.
 */
export function drawPreview(post: PreviewedPost, jpeg?: Buffer): Picture | undefined {
  const { Content = '', Media, Platforms = [] } = post
  const known = Platforms.filter(isPlatform)
  if (!known.length) return undefined
  const cards = known.map((platform) => drawCard(platform, { Content, Media, jpeg }))
  let y = GAP
  const rows: string[] = []
  for (let first = 0; first < cards.length; first += 2) {
    const row = cards.slice(first, first + 2)
    for (const [column, { svg }] of row.entries())
      rows.push(`<g transform="translate(${GAP + column * (CARD_WIDTH + GAP)} ${y})">${svg}</g>`)
    y += Math.max(...row.map(({ height }) => height)) + GAP
  }
  const width = GAP + Math.min(2, known.length) * (CARD_WIDTH + GAP)
  return {
    svg: svgDocument(width, y, rows.join('')),
    title: 'Preview',
    alt_text: describePreview(post, known),
  }
}

type Card = { svg: string; height: number }

function drawCard(
  platform: Platform,
  { Content, Media, jpeg }: { Content: string; Media: string | undefined; jpeg: Buffer | undefined },
): Card {
  const { visible, isFolded } = foldText(platform, Content)
  const lines = wrapText(visible || '(no text)', CARD_WIDTH - PADDING * 2)
  const textTop = 58
  const drawn = lines.map((line, index) =>
    svgText(PADDING, textTop + index * LINE_HEIGHT, line, { size: TEXT_SIZE }),
  )
  const moreY = textTop + lines.length * LINE_HEIGHT
  const more = isFolded ? svgText(PADDING, moreY, '… more', { size: TEXT_SIZE, color: FAINT_INK }) : ''
  const mediaTop = moreY + (isFolded ? LINE_HEIGHT : 0) - 8
  const media = drawMedia(platform, { Media, jpeg }, mediaTop)
  const height = mediaTop + media.height + PADDING
  const name = svgText(PADDING + 44, 30, platformName(platform), { size: 18, isBold: true })
  const frame = `<rect width="${CARD_WIDTH}" height="${height}" rx="10" fill="#fff" stroke="${LINE_COLOR}"/>`
  return {
    svg: [frame, platformChips([platform], PADDING, 29, 60, 13), name, ...drawn, more, media.svg].join(''),
    height,
  }
}

const SQUARE: [number, number] = [1, 1]

/** The part of the media that the feed shows. Without a picture, its frame. */
function drawMedia(
  platform: Platform,
  { Media, jpeg }: { Media: string | undefined; jpeg: Buffer | undefined },
  y: number,
): Card {
  const { mediaRatio = jpeg && SQUARE } = PLATFORM_DISPLAY[platform]
  if (!Media || !mediaRatio) return { svg: '', height: 0 }
  const [ratioWidth, ratioHeight] = mediaRatio
  const fullWidth = CARD_WIDTH - PADDING * 2
  const height = Math.min(MAX_MEDIA_HEIGHT, (fullWidth * ratioHeight) / ratioWidth)
  const width = (height * ratioWidth) / ratioHeight
  const x = PADDING + (fullWidth - width) / 2
  if (jpeg) {
    const href = `data:image/jpeg;base64,${jpeg.toString('base64')}`
    const size = `x="${x}" y="${y}" width="${width}" height="${height}"`
    return { svg: `<image ${size} preserveAspectRatio="xMidYMid slice" href="${href}"/>`, height }
  }
  const label = svgText(x + width / 2, y + height / 2, mediaRatio.join(':'), {
    size: 18,
    color: FAINT_INK,
    anchor: 'middle',
  })
  const rect = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="#e8e8ec" stroke="${LINE_COLOR}"/>`
  return { svg: rect + label, height }
}

/** More than the lines can show. */
const MAX_DRAWN_LENGTH = 2000

function wrapText(text: string, width: number): string[] {
  const maxLength = fittingLength(width, TEXT_SIZE)
  const lines: string[] = []
  for (const paragraph of text.slice(0, MAX_DRAWN_LENGTH).toWellFormed().split('\n')) {
    let line = ''
    let length = 0
    for (const word of drawableText(paragraph).split(' ')) {
      const wordLength = [...word].length
      const isFull = line !== '' && length + 1 + wordLength > maxLength
      if (isFull) lines.push(line)
      length = isFull || !line ? wordLength : length + 1 + wordLength
      line = isFull || !line ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  const shown = lines.map((line) => fittingText(line, width, TEXT_SIZE))
  return shown.length <= MAX_LINES ? shown : [...shown.slice(0, MAX_LINES - 1), '…']
}

const MAX_ALT_TEXT_LENGTH = 2000

function describePreview({ Content = '', Media }: PreviewedPost, platforms: Platform[]): string {
  const cards = platforms.map((platform) => {
    const { visible, isFolded } = foldText(platform, Content)
    const { mediaRatio } = PLATFORM_DISPLAY[platform]
    const media = Media && mediaRatio ? `, media cropped to about ${mediaRatio.join(':')}` : ''
    return `${platformName(platform)}: "${visible}"${isFolded ? ', then more' : ''}${media}`
  })
  return truncate(`How the post will look. ${cards.join('. ')}.`, MAX_ALT_TEXT_LENGTH)
}
