import type { KnownBlock } from '@slack/types'
import type { Titles } from '../../../api/field-readers.ts'
import { checkPost } from '../../../platforms/check-post.ts'
import { foldText, PLATFORM_DISPLAY } from '../../../platforms/platform-display.ts'
import type { MediaFacts } from '../../../platforms/platform-media.ts'
import { isPlatform, type Platform, platformName } from '../../../platforms/platform-names.ts'
import { TITLE_LENGTHS } from '../../../platforms/title-lengths.ts'
import { context, escapeText, plainText, section, thumbnail, truncate } from '../../slack/message-blocks.ts'

export type PreviewedPost = {
  Content?: string | undefined
  Media?: string | undefined
  Platforms?: string[] | undefined
  Titles?: Titles | undefined
  /** The file that the user picked in the form, or the upload that the post links to. */
  file?: MediaFacts | undefined
}

const MAX_FACTS_LENGTH = 600
/** Ten platforms share the characters of a message. */
const MAX_TEXT_LENGTH = 700

/** A post as each of its platforms will show it, with errors and warnings. */
export function previewBlocks({
  Content = '',
  Media,
  Platforms = [],
  Titles = {},
  file,
}: PreviewedPost): KnownBlock[] {
  const known = Platforms.filter(isPlatform)
  if (!known.length) return [section('Pick a platform to see how the post will look.')]
  return known.flatMap((platform): KnownBlock[] => {
    const { errors, warnings, characterCounts } = checkPost({ Content, Media, file, Platforms: [platform] })
    const { visible, isFolded } = foldText(platform, Content)
    const problems = [...errors.Content, ...errors.Media, ...warnings].map(
      (text) => `:warning: ${escapeText(text)}`,
    )
    const title = toTitle(platform, Titles[platform] || Content)
    const facts = [
      ...(title ? [`title: ${title}`] : []),
      ...characterCounts,
      ...listFacts(platform, { Content, Media }),
    ].map(escapeText)
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

/** On some platforms, a post without a title gets the first line of its text as title, cut if it is too long. */
function toTitle(platform: Platform, text: string): string {
  const maxLength = TITLE_LENGTHS[platform]
  const [line = ''] = text.trim().split('\n')
  return maxLength ? truncate(line, maxLength) : ''
}

/** Lists facts about how one platform shows the post. */
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
