import type { WebClient } from '@slack/web-api'
import type { Bot } from '../bot.ts'
import type { MediaFile } from '../database/tables.ts'
import { uploadImage } from '../pictures/upload-picture.ts'
import { drawThumbnail } from './clean-picture.ts'
import { readRange } from './media-store.ts'
import { isPicture, type MediaType } from './media-type.ts'

type Shown = { file: MediaFile; file_name: string; alt_text: string | null }

/** A small copy in Slack for messages, if Slack can't fetch the file itself. Undefined if there is none. */
export async function uploadThumbnail(
  bot: Pick<Bot, 'db' | 'log' | 'runtime' | 'uploads'>,
  client: WebClient,
  { file, file_name, alt_text }: Shown,
): Promise<string | undefined> {
  if (bot.uploads.current.isPublic || !isPicture(file.content_type as MediaType)) return undefined
  try {
    const original = await readRange(bot.db, file.id, { from: 0, to: file.size - 1 })
    const thumbnail = await drawThumbnail(original)
    return await uploadImage(bot, client, { image: thumbnail, title: file_name, alt_text: alt_text ?? '' })
  } catch (err) {
    bot.log.warn({ err }, 'Uploading the thumbnail of a file failed')
    return undefined
  }
}
