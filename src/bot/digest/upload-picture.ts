import type { WebClient } from '@slack/web-api'

/** The SDK gives no type for it: for each batch, what the last of its calls answered. */
type Uploaded = { files?: { files?: { id?: string }[] }[] }

/** Gives Slack a picture that only a message of ours shows; undefined where it does not tell under which name. */
export async function uploadPicture(
  client: WebClient,
  { png, alt_text }: { png: Buffer; alt_text: string },
): Promise<{ file_id: string; alt_text: string } | undefined> {
  const uploaded = (await client.files.uploadV2({
    file: png,
    filename: 'week.png',
    title: 'The week by day and platform',
    alt_text,
  })) as Uploaded
  const file_id = uploaded.files?.[0]?.files?.[0]?.id
  return file_id ? { file_id, alt_text } : undefined
}
