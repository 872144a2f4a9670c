import { createHash } from 'node:crypto'
import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../bot.ts'
import { truncate } from '../message-blocks.ts'
import { findPicture, savePicture } from './picture-store.ts'
import { drawPng } from './svg.ts'

/** Slack processes an upload after its call. Until then it rejects messages with the file. */
export const UPLOAD_PROCESSING_MS = 2500

const MAX_FILE_ALT_TEXT_LENGTH = 1000

/** The SDK doesn't type the result: for each batch of files, the response of the last call. */
type UploadResult = { files?: { files?: { id?: string }[] }[] }

export type Picture = { svg: string; title: string; alt_text: string }

/** A picture that Slack has, and whether Slack may still be processing it. */
export type UploadedPicture = { file_id: string; alt_text: string; isNew: boolean }

/** Draws a picture and uploads it, unless Slack has the same one already. Undefined if that fails. */
export async function uploadPicture(
  { db, log, runtime }: Pick<Bot, 'db' | 'log' | 'runtime'>,
  { client, team_id }: { client: WebClient; team_id: string },
  { svg, title, alt_text }: Picture,
): Promise<UploadedPicture | undefined> {
  const hash = createHash('sha256').update(svg).update(alt_text).digest('base64url')
  try {
    const known = await findPicture(db, { team_id, hash }, runtime.now())
    if (known) return { file_id: known, alt_text, isNew: false }
    const file_id = await sendImage(client, {
      image: await drawPng(svg),
      filename: 'picture.png',
      title,
      alt_text,
    })
    if (!file_id) return undefined
    const ready_at = addMs(runtime.now(), UPLOAD_PROCESSING_MS)
    await savePicture(db, { team_id, hash, file_id, ready_at })
    return { file_id, alt_text, isNew: true }
  } catch (err) {
    log.warn({ err }, 'Uploading a picture failed')
    return undefined
  }
}

type Image = { image: Buffer; filename: string; title: string; alt_text: string }

/** Returns the file's id. Slack may still be processing it. */
export async function sendImage(client: WebClient, { image, filename, title, alt_text }: Image) {
  const upload = await client.files.uploadV2({
    file: image,
    filename,
    title,
    // The block has the whole text.
    alt_text: truncate(alt_text, MAX_FILE_ALT_TEXT_LENGTH),
  })
  return (upload as UploadResult).files?.[0]?.files?.[0]?.id
}

export const pictureBlock = ({
  file_id,
  alt_text,
}: Pick<UploadedPicture, 'file_id' | 'alt_text'>): KnownBlock => ({
  type: 'image',
  slack_file: { id: file_id },
  alt_text,
})

/** Waits until Slack accepts messages with the picture. */
export const waitForPicture = async (bot: Pick<Bot, 'runtime'>, picture: UploadedPicture | undefined) => {
  if (picture?.isNew) await waitUntilProcessed(bot)
}

export const waitUntilProcessed = ({ runtime }: Pick<Bot, 'runtime'>): Promise<void> =>
  runtime.sleep(UPLOAD_PROCESSING_MS)
