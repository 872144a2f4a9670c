import type { PostBody } from '../../api/records.ts'
import { checkPost } from '../../platforms/check-post.ts'
import { formatBytes, type MediaFacts } from '../../platforms/platform-media.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { MediaFile } from '../database/tables.ts'
import { firstValue } from '../form/fields.ts'
import type { Upload } from '../form/form.ts'
import type { SlackFile } from '../form/form-value.ts'
import { findUploadByLink, saveAltText } from '../media/media-store.ts'

/** What the forms for posts send: a post, or a post whose link follows once its file is uploaded. */
export type PostInput = PostBody & { MediaFile?: SlackFile | undefined; AltText?: string | undefined }

/** Slack's names for the types of files that its input offers. */
export const FILE_TYPES = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic', 'mp4', 'mov']

export const POST_UPLOAD: Upload<PostInput> = {
  file: 'MediaFile',
  link: 'Media',
  altText: 'AltText',
  explainUnavailable: explainUploads,
  findUploaded: async (bot, { team_id }, { Media }) => {
    const link = firstValue(Media) ?? ''
    const found = await findUploadByLink(bot.db, team_id, link)
    if (!found) return undefined
    const { file_name, alt_text } = found
    const description = [file_name, ...describeMedia(found)].join(', ')
    return {
      attachment: { field: 'Media', input: { value: link }, description },
      values: alt_text ? { AltText: alt_text } : {},
    }
  },
  check: (body, media) => {
    if (body.Status === 'DRAFT') return []
    const { Content = '', Platforms = [] } = body
    return checkPost({ Content, Media: undefined, file: media, Platforms }).errors.Media
  },
}

export const toMediaFacts = ({ mimetype, size }: SlackFile): MediaFacts => ({
  contentType: mimetype,
  bytes: size,
})

type StoredMedia = Pick<MediaFile, 'width' | 'height' | 'seconds' | 'size'>

function describeMedia({ width, height, seconds, size }: StoredMedia): string[] {
  const length = seconds ? [`${Math.round(seconds)} s`] : []
  return [...(width && height ? [`${width} × ${height}`] : []), ...length, formatBytes(size)]
}

async function explainUploads(bot: Bot, { client }: Actor): Promise<string | undefined> {
  if (!bot.uploads.current.baseUrl)
    return "Files can't be uploaded: the scheduling service couldn't fetch them. Ask whoever runs Upnext to set PUBLIC_URL."
  if (!(await bot.scopes.includes(client, 'files:read')))
    return 'To upload files here, ask a workspace admin to install Upnext again and allow it to read files (files:read).'
  return undefined
}

/** The body for the service. Keeps what the file shows in words here, because the contract has no field for it. */
export async function toPostBody(bot: Bot, { team_id }: Actor, input: PostInput): Promise<PostBody> {
  const { MediaFile: _file, AltText, ...body } = input
  if (AltText && body.Media) await saveAltText(bot.db, { team_id, link: body.Media, alt_text: AltText })
  return body
}
