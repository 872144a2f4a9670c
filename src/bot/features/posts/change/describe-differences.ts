import type { Post, PostBody } from '../../../../api/records.ts'
import { postTime, postZone } from '../../../../api/timestamps.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { momentToWords } from '../../../../time/describe.ts'
import { quotePost, skipToDifference, textOf } from '../display/post-blocks.ts'

type Version = Post | PostBody

export const listPlatforms = ({ Platforms = [] }: Version): string =>
  Platforms.map(platformName).join(', ') || 'no platform'

/** A version's text, and everything else that differs from another version. Not escaped. */
export function describeDifferences(version: Version, other: Version): string {
  const at = postTime(version)
  const isMoved = at && +at !== +(postTime(other) ?? 0)
  const platforms = listPlatforms(version)
  return [
    quotePost({ ...version, Content: skipToDifference(textOf(version), textOf(other)) }),
    ...(isMoved ? [momentToWords(at.toJSDate(), postZone(version))] : []),
    ...(platforms === listPlatforms(other) ? [] : [platforms]),
    ...describeOtherDifferences(version, other),
  ].join(' · ')
}

/** The differences between two versions besides the text, the time and the platforms. */
export function describeOtherDifferences(version: Version, other: Version): string[] {
  const { Media, MediaDescription, Status, TemplateId, PromptId } = version
  const differs = (name: 'Media' | 'MediaDescription' | 'TemplateId' | 'PromptId') =>
    (version[name] ?? '') !== (other[name] ?? '')
  return [
    ...describeByPlatform(
      version.Titles,
      other.Titles,
      'title',
      (title) => `titled ${JSON.stringify(title)}`,
    ),
    ...describeByPlatform(
      version.Texts,
      other.Texts,
      'text',
      (text, otherText, name) => `on ${name}: ${quotePost({ Content: skipToDifference(text, otherText) })}`,
    ),
    ...((Status === 'DRAFT') === (other.Status === 'DRAFT')
      ? []
      : [Status === 'DRAFT' ? 'a draft' : 'not a draft']),
    ...(differs('Media') ? [Media ? `with ${Media}` : 'without media'] : []),
    ...(differs('TemplateId') ? [TemplateId ? 'with another template' : 'without a template'] : []),
    ...(differs('PromptId') ? [PromptId ? 'with another prompt' : 'without a prompt'] : []),
    ...(differs('MediaDescription')
      ? [MediaDescription ? `described as ${JSON.stringify(MediaDescription)}` : 'without a description']
      : []),
  ]
}

/** The text or titles of single platforms, also of those that only the other version has. */
function describeByPlatform(
  values: Partial<Record<string, string>> = {},
  others: Partial<Record<string, string>> = {},
  noun: string,
  describe: (value: string, other: string, name: string) => string,
): string[] {
  return [...new Set([...Object.keys(values), ...Object.keys(others)])].flatMap((platform) => {
    const [value, other = ''] = [values[platform], others[platform]]
    const name = platformName(platform)
    if (value === other) return []
    return value ? describe(value, other, name) : `without its own ${noun} on ${name}`
  })
}
