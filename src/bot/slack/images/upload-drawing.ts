import { createHash } from 'node:crypto'
import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../bot.ts'
import { truncate } from '../message-blocks.ts'
import { findImage, saveImage } from './image-store.ts'
import { drawPng } from './svg.ts'

/** Slack still processes an upload after the call has returned. Until then, Slack rejects messages with the file. */
export const UPLOAD_PROCESSING_MS = 2500

const MAX_FILE_ALT_TEXT_LENGTH = 1000

/** Missing in the SDK's types: the result holds, for each batch of files, the response to the last call. */
type UploadResult = { files?: { files?: { id?: string }[] }[] }

export type Drawing = { svg: string; title: string; alt_text: string }

type SlackImage = { file_id: string; alt_text: string }

/** An image that Slack has, and whether Slack may still be processing it. */
export type UploadedImage = SlackImage & { isNew: boolean }

/** Draws and uploads an image, unless Slack already has it. Returns undefined if that fails. */
export async function uploadDrawing(
  { db, log, runtime }: Pick<Bot, 'db' | 'log' | 'runtime'>,
  { client, team_id }: { client: WebClient; team_id: string },
  { svg, title, alt_text }: Drawing,
): Promise<UploadedImage | undefined> {
  const hash = createHash('sha256').update(svg).update(alt_text).digest('base64url')
  try {
    const uploadedId = await findImage(db, { team_id, hash }, runtime.now())
    if (uploadedId) return { file_id: uploadedId, alt_text, isNew: false }
    const file_id = await uploadImage(client, {
      image: await drawPng(svg),
      filename: 'image.png',
      title,
      alt_text,
    })
    if (!file_id) return undefined
    const ready_at = addMs(runtime.now(), UPLOAD_PROCESSING_MS)
    await saveImage(db, { team_id, hash, file_id, ready_at })
    return { file_id, alt_text, isNew: true }
  } catch (err) {
    log.warn({ err }, 'Failed to draw or upload an image')
    return undefined
  }
}

type Image = { image: Buffer; filename: string; title: string; alt_text: string }

/** Returns the file's id. Slack may still be processing it. */
export async function uploadImage(client: WebClient, { image, filename, title, alt_text }: Image) {
  const upload = await client.files.uploadV2({
    file: image,
    filename,
    title,
    // The block that shows the image has the whole alt text.
    alt_text: truncate(alt_text, MAX_FILE_ALT_TEXT_LENGTH),
  })
  return (upload as UploadResult).files?.[0]?.files?.[0]?.id
}

export const imageBlock = ({ file_id: id, alt_text }: SlackImage): KnownBlock => {
  return { type: 'image', slack_file: { id }, alt_text }
}

/** Waits until Slack accepts messages with the image. */
export const waitForImage = async (bot: Pick<Bot, 'runtime'>, image: UploadedImage | undefined) => {
  if (image?.isNew) await waitUntilProcessed(bot)
}

export const waitUntilProcessed = ({ runtime }: Pick<Bot, 'runtime'>): Promise<void> =>
  runtime.sleep(UPLOAD_PROCESSING_MS)
