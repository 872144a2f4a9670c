import type { PostBody } from '../../../api/records.ts'
import { checkPost } from '../../../platforms/check-post.ts'
import { firstValue } from '../../forms/fields.ts'
import type { UploadField } from '../../forms/form.ts'
import type { Actor } from '../../slack/actor.ts'
import type { Bot } from '../../slack/bot.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import { describeMedia } from '../media/describe-media.ts'
import { findUploadByLink, saveAltText, uploadName } from '../media/media-store.ts'
import type { OpenedPost } from './post-reference.ts'

/** The input of the forms for posts: a post, or a post with a file whose link is added once the file is uploaded. */
export type PostInput = PostBody & { MediaFile?: SlackFile | undefined; AltText?: string | undefined }

/** The types of files that the file input accepts, as Slack names them. */
export const FILE_TYPES = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic', 'mp4', 'mov']

export const POST_UPLOAD: UploadField<PostInput> = {
  file: 'MediaFile',
  link: 'Media',
  altText: 'AltText',
  explainUnavailable: explainUnavailableUploads,
  findUploaded: async (bot, { team_id }, { Media }) => {
    const link = firstValue(Media) ?? ''
    const found = await findUploadByLink(bot.db, team_id, link)
    if (!found) return undefined
    const description = `${found.file_name}, ${describeMedia(found)}`
    return {
      attachment: { field: 'Media', input: { value: link }, description },
      values: found.alt_text ? { AltText: found.alt_text } : {},
    }
  },
  check: ({ Content = '', Platforms = [], Status }, file) => {
    if (Status === 'DRAFT') return { errors: [], warnings: [] }
    const { errors, warnings } = checkPost({ Content, Media: undefined, file, Platforms })
    return { errors: errors.Media, warnings }
  },
}

/** The parts of a post that its platforms limit. */
export const checkedParts = ({ Content = '', Media, MediaFile, Platforms = [] }: Partial<PostInput>) => {
  return { Content, Media, file: MediaFile, Platforms }
}

function explainUnavailableUploads(bot: Bot, { client }: Actor): string | undefined {
  if (!bot.uploads.current.baseUrl)
    return "Uploads aren't set up yet. Ask the person who runs Upnext to set PUBLIC_URL."
  if (!bot.scopes.mayUse(client, 'files:read'))
    return 'To upload files, ask a workspace admin to reinstall Upnext and allow it to read files (files:read).'
  return undefined
}

/** The contract has no field for the description and the titles, but our extension has. */
export function toPostBody({ extensions }: Pick<Bot, 'extensions'>, input: PostInput): PostBody {
  const { MediaFile: _file, AltText, Titles = {}, ...body } = input
  const platforms: string[] = body.Platforms ?? []
  const titles = Object.entries(Titles).filter(([platform, title]) => title && platforms.includes(platform))
  return {
    ...body,
    ...(AltText && extensions.current.hasAccounts && { MediaDescription: AltText }),
    // The form has these fields only if the service takes them.
    ...(titles.length && { Titles: Object.fromEntries(titles) }),
  }
}

/** Upnext keeps the description for later uses of the file. */
export async function saveDescription(
  { db, log }: Bot,
  { team_id, user_id }: Actor,
  { Media = '', AltText }: PostInput,
  opened?: OpenedPost,
): Promise<void> {
  if (uploadName(Media) === undefined) return
  // Someone else's upload keeps its description, unless the post already showed this upload when the form was opened.
  const author = Media === opened?.Media ? undefined : user_id
  // The post is saved, so a failure here must not look like a failure of the form.
  await saveAltText(db, { team_id, user_id: author, link: Media, alt_text: AltText ?? null }).catch((err) =>
    log.error({ err }, 'Failed to save the description of an image'),
  )
}

export const DELETED_UPLOAD = 'This file was deleted. Upload it again.'

/** Whether the link leads to a deleted upload. */
export async function isDeletedUpload({ db, uploads }: Bot, team_id: string, link = ''): Promise<boolean> {
  const { baseUrl } = uploads.current
  if (baseUrl === undefined || !link.startsWith(`${baseUrl}/`) || uploadName(link) === undefined) return false
  return (await findUploadByLink(db, team_id, link)) === undefined
}
