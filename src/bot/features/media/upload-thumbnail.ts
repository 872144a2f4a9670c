import type { WebClient } from '@slack/web-api'
import type { Bot } from '../../slack/bot.ts'
import { uploadImage, waitUntilProcessed } from '../../slack/images/upload-drawing.ts'
import { saveSlackCopy } from './media-store.ts'
import type { MediaFileRow, MediaUpload } from './tables.ts'

/** Gives Slack a small copy of the image for messages, unless Slack can fetch the image itself. */
export async function uploadThumbnail(
  { db, log, runtime, uploads }: Pick<Bot, 'db' | 'log' | 'runtime' | 'uploads'>,
  client: WebClient,
  { thumbnail }: MediaFileRow,
  upload: MediaUpload,
): Promise<void> {
  if (uploads.current.isPublic || !thumbnail) return
  const { file_name: title, alt_text } = upload
  try {
    const image = { image: thumbnail, filename: 'image.jpg', title, alt_text: alt_text ?? '' }
    const file_id = await uploadImage(client, image)
    if (!file_id) return
    await saveSlackCopy(db, upload, file_id)
    await waitUntilProcessed({ runtime })
  } catch (err) {
    log.warn({ err }, 'Failed to upload the thumbnail of a file')
  }
}

/** Deletes the copies that Slack has of deleted uploads. */
export async function deleteThumbnails(
  { log }: Pick<Bot, 'log'>,
  client: WebClient,
  uploads: MediaUpload[],
): Promise<void> {
  for (const { slack_file_id: file } of uploads)
    if (file)
      await client.files
        .delete({ file })
        .catch((err) => log.warn({ err }, 'Failed to delete the thumbnail of a file'))
}
