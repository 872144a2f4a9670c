import type { KnownBlock } from '@slack/types'
import type { PartialPost } from '../../../../api/records.ts'
import { checkPost } from '../../../../platforms/check-post.ts'
import { describeMedia, type MediaFacts } from '../../../../platforms/platform-media.ts'
import { isPlatform, type Platform, platformName } from '../../../../platforms/platform-names.ts'
import { LENGTHS_BEFORE_MORE, textBeforeMore } from '../../../../platforms/text-before-more.ts'
import { MAX_TITLE_LENGTHS } from '../../../../platforms/title-lengths.ts'
import {
  context,
  escapeText,
  literalSection,
  section,
  slackThumbnail,
  thumbnail,
  truncate,
  type Viewer,
} from '../../../slack/message-blocks.ts'
import { formatSchedule, textSourceLabel } from './post-blocks.ts'

type PreviewedPost = PartialPost & {
  /** The upload that the post links to, or the file that the user picked in the form. */
  file?: (MediaFacts & { name: string; id?: string }) | undefined
}

const MAX_FACTS_LENGTH = 600
/** The previews of ten platforms must fit into one message. */
export const MAX_TEXT_LENGTH = 700

/** When a post goes out, and how each of its platforms will show it, with errors and warnings. */
export function previewBlocks(post: PreviewedPost, viewer: Viewer): KnownBlock[] {
  const { Content = '', Media = '', MediaDescription, Platforms = [] } = post
  const { Titles = {}, Texts = {}, file } = post
  const platforms = Platforms.filter(isPlatform)
  const schedule = `*${formatSchedule(post, viewer)}*`
  const image = file?.id
    ? slackThumbnail({ ...file, id: file.id })
    : thumbnail(Media, file?.name ?? (MediaDescription || 'Image without description'))
  const mediaName = file ? `${file.name} · ${describeMedia(file)}` : 'accessory' in image ? '' : Media
  const heading = [
    section(platforms.length ? schedule : `${schedule}\nPick a platform to see how the post will look.`),
    ...(mediaName ? [context(escapeText(truncate(mediaName, MAX_FACTS_LENGTH)))] : []),
  ]
  const previews = platforms.flatMap((platform): KnownBlock[] => {
    const text = Texts[platform]?.trim() || Content
    const { errors, warnings, characterCounts } = checkPost({
      Content: text,
      Media,
      file,
      Platforms: [platform],
    })
    const { visible, hasMore } = textBeforeMore(platform, text)
    const problems = [...errors.Content, ...errors.Media, ...warnings].map(
      (text) => `:warning: ${escapeText(text)}`,
    )
    const title = toTitle(platform, Titles[platform] || text)
    const facts = [
      ...(title ? [`title: ${title}`] : []),
      ...characterCounts,
      ...listFacts(platform, text),
    ].map(escapeText)
    const shown = `${visible || textSourceLabel(post) || '(no text)'}${hasMore ? '… more' : ''}`
    return [
      { type: 'divider' },
      section(`*${platformName(platform)}*`),
      { ...literalSection(truncate(shown, MAX_TEXT_LENGTH)), ...image },
      context(truncate([...problems, facts.join(' · ')].join('\n'), MAX_FACTS_LENGTH)),
    ]
  })
  return [...heading, ...previews]
}

/** On some platforms, a post without a title gets the first line of its text as its title, cut if it is too long. */
function toTitle(platform: Platform, text: string): string {
  const maxLength = MAX_TITLE_LENGTHS[platform]
  const [line = ''] = text.trim().split('\n')
  return maxLength ? truncate(line, maxLength) : ''
}

/** Lists facts about how one platform shows the post. */
function listFacts(platform: Platform, Content: string): string[] {
  const { hasMore } = textBeforeMore(platform, Content)
  const links = Content.match(/https?:\/\/\S+/g) ?? []
  const hashtags = Content.match(/#[\p{L}\p{N}_]+/gu) ?? []
  return [
    hasMore ? `about ${LENGTHS_BEFORE_MORE[platform]} characters before "more"` : '',
    links.length ? count(links.length, 'link') : '',
    hashtags.length ? hashtags.join(' ') : '',
  ].filter(Boolean)
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`
