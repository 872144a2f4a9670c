import type { Bot } from '../bot.ts'
import { drawThumbnail } from './clean-picture.ts'
import { findUploadByLink, readRange } from './media-store.ts'
import { isPicture, type MediaType } from './media-type.ts'

/** A small JPEG of an uploaded picture. Other links aren't fetched, because they may lead anywhere. */
export async function loadPreview(
  { db, log }: Pick<Bot, 'db' | 'log'>,
  team_id: string,
  link: string | undefined,
): Promise<Buffer | undefined> {
  const upload = await findUploadByLink(db, team_id, link ?? '')
  if (!upload || !isPicture(upload.content_type as MediaType)) return undefined
  try {
    return await drawThumbnail(await readRange(db, upload.file_id, { from: 0, to: upload.size - 1 }))
  } catch (err) {
    log.warn({ err }, 'Drawing the preview of a file failed')
    return undefined
  }
}
