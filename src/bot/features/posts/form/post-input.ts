import type { PlatformTexts } from '../../../../api/field-readers.ts'
import type { PostBody } from '../../../../api/records.ts'
import { checkPost } from '../../../../platforms/check-post.ts'
import { hasVisibleText } from '../../../../platforms/has-visible-text.ts'
import { describeMedia, type MediaFacts } from '../../../../platforms/platform-media.ts'
import { firstValue } from '../../../forms/fields.ts'
import type { UploadField } from '../../../forms/form.ts'
import type { Actor } from '../../../slack/actor.ts'
import type { Bot } from '../../../slack/bot.ts'
import type { SlackFile } from '../../../slack/slack-file.ts'
import { findUploadByLink, markUsed, saveAltText, uploadNameOf } from '../../media/media-store.ts'
import type { OpenedPost } from '../display/post-reference.ts'

/** The input of the forms for posts: a post, or a post with a file whose link is added once the file is uploaded. */
export type PostInput = PostBody & { MediaFile?: SlackFile | undefined; AltText?: string | undefined }

/** The types of files that the file input accepts, as Slack names them. */
export const FILE_TYPES = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic', 'mp4', 'mov']

export const POST_UPLOAD: UploadField<PostInput> = {
  file: 'MediaFile',
  link: 'Media',
  altText: 'AltText',
  explainUnavailable: explainUnavailableUploads,
  findUploaded: async (bot, { team_id }, { Media }, opened) => {
    const link = firstValue(Media) ?? ''
    const found = await findUploadByLink(bot.db, team_id, link)
    if (!found) return undefined
    const description = `${found.file_name}, ${describeMedia(found)}`
    // A service with accounts stores the description with the post, where it may have been cleared.
    const isInPost = opened && bot.extensions.current.hasAccounts
    return {
      attachment: { field: 'Media', input: { value: link }, description },
      values: found.alt_text && !isInPost ? { AltText: found.alt_text } : {},
    }
  },
  check: ({ Media: _, ...post }, file) => {
    if (post.Status === 'DRAFT') return { errors: [], warnings: [] }
    const checks = checkTexts(post, file)
    return {
      errors: checks.flatMap(({ errors }) => errors.Media),
      warnings: checks.flatMap(({ warnings }) => warnings),
    }
  },
}

/** The fields for the text and the title on one platform. */
export const textFieldName = (platform: string): string => `Texts.${platform}`
export const titleFieldName = (platform: string): string => `Titles.${platform}`

/** All text of a post, each part with its field and the platforms that show it. */
export function textParts({ Content = '', Texts, Platforms = [] }: Partial<PostInput>) {
  const used = selectUsedText({ Platforms }, Texts, Content) ?? {}
  const hasOwnText = (platform: string) => used[platform] !== undefined
  const ownParts = Platforms.filter(hasOwnText).map((platform) => {
    return { field: textFieldName(platform), Content: used[platform] ?? '', Platforms: [platform] }
  })
  const otherPlatforms = Platforms.filter((platform) => !hasOwnText(platform))
  const usesContent = otherPlatforms.length > 0 || !ownParts.length
  return [...(usesContent ? [{ field: 'Content', Content, Platforms: otherPlatforms }] : []), ...ownParts]
}

/** Whether readers will see the text of a template or a prompt, which only the service knows. */
export const hasUnknownText = (body: Partial<PostInput>): boolean =>
  Boolean(body.TemplateId || body.PromptId) && textParts(body).some(({ Content }) => !hasVisibleText(Content))

/** Checks each part of a post's text, with the media, against the limits of its platforms. */
export const checkTexts = (post: Partial<PostInput>, file: MediaFacts | undefined = post.MediaFile) =>
  textParts(post).map(({ field, ...text }) => {
    return { field, ...checkPost({ ...text, Media: post.Media, file }) }
  })

function explainUnavailableUploads(bot: Bot, { client }: Actor): string | undefined {
  if (!bot.uploads.current.baseUrl)
    return "Uploads aren't set up yet. Ask the person who runs Upnext to set PUBLIC_URL."
  if (!bot.scopes.mayUse(client, 'files:read'))
    return 'To upload files, ask a workspace admin to reinstall Upnext and allow it to read files (files:read).'
  return undefined
}

/** Image descriptions, titles and text per platform aren't part of the API, but of our extension. */
export function toPostBody({ extensions }: Pick<Bot, 'extensions'>, input: PostInput): PostBody {
  const { MediaFile: _file, AltText, Titles, Texts, ...body } = input
  const titles = selectUsedText(body, Titles)
  const texts = selectUsedText(body, Texts, body.Content)
  return {
    ...body,
    ...(AltText && extensions.current.hasAccounts && { MediaDescription: AltText }),
    // The input has these fields only if the service takes them.
    ...(titles && { Titles: titles }),
    ...(texts && { Texts: texts }),
  }
}

/** The titles or text for the post's platforms, without those that are empty or equal to `common`. */
function selectUsedText(
  { Platforms = [] }: Pick<PostBody, 'Platforms'>,
  texts: PlatformTexts = {},
  common = '',
): PlatformTexts | undefined {
  const used = Platforms.flatMap((platform) => {
    const text = texts[platform]?.trim()
    return text && text !== common.trim() ? [[platform, text]] : []
  })
  return used.length ? Object.fromEntries(used) : undefined
}

/** Splits a post by its text, for services that don't support text for individual platforms. */
export function splitByText(input: PostInput): PostInput[] {
  const { Texts: _, ...post } = input
  return textParts(input).map(({ Content, Platforms }) => ({
    ...post,
    ...(Content && { Content }),
    Platforms,
  }))
}

/**
 * Keeps the description for later uses of the file, and the file for as long as posts may need it. `opened` is the post as
 * a form showed it, which may have had a description that was cleared.
 */
export async function rememberUpload(
  { db, log, runtime }: Bot,
  { team_id, user_id }: Actor,
  { Media = '', AltText }: PostInput,
  opened?: OpenedPost,
): Promise<void> {
  const name = uploadNameOf(Media)
  if (name === undefined) return
  const wasShown = Media === opened?.Media
  // Someone else's upload keeps its description, unless the form showed it.
  const upload = { team_id, user_id: wasShown ? undefined : user_id, link: Media }
  // The post is saved, so a failure here must not look like a failure of the form.
  await Promise.all([
    ...(AltText || wasShown ? [saveAltText(db, { ...upload, alt_text: AltText ?? null })] : []),
    markUsed(db, { team_id, names: [name] }, runtime.now()),
  ]).catch((err) => log.error({ err }, 'Failed to record that an upload is used'))
}

export const DELETED_UPLOAD = 'This file was deleted. Upload it again.'

/** Whether the link leads to a deleted upload. */
export async function isDeletedUpload({ db, uploads }: Bot, team_id: string, link = ''): Promise<boolean> {
  const { baseUrl } = uploads.current
  if (baseUrl === undefined || !link.startsWith(`${baseUrl}/`) || uploadNameOf(link) === undefined)
    return false
  return (await findUploadByLink(db, team_id, link)) === undefined
}
