import type { KnownBlock } from '@slack/types'
import { findImages, findSlackFile } from '../workspace/files.ts'
import type { Slack } from '../workspace/slack.ts'

const IMAGE_FETCH_TIMEOUT_MS = 2000

/** Finds images whose `slack_file` doesn't exist, isn't an image or hasn't been processed yet. */
export function findUnreadyFiles(slack: Slack, blocks: KnownBlock[], rootPointer: string): string[] {
  return findImages(blocks, rootPointer).flatMap(({ image, pointer }) => {
    if (!image.slack_file) return []
    const file = findSlackFile(slack, image.slack_file)
    const key = image.slack_file.id ? 'id' : 'url'
    const isReady = file?.isProcessed && file.mimetype.startsWith('image/')
    return isReady ? [] : [`invalid slack file [json-pointer:${pointer}/slack_file.${key}/slack_file]`]
  })
}

/** Finds image blocks whose image cannot be downloaded. Slack rejects the whole message for them. */
export async function findUnreachableImages(slack: Slack, blocks: KnownBlock[]): Promise<string[]> {
  const problems = blocks.map(async (block, index) => {
    if (block.type !== 'image' || !('image_url' in block) || !block.image_url) return []
    const isReachable = await canFetchImage(slack, block.image_url)
    return isReachable ? [] : [`downloading image failed [json-pointer:/blocks/${index}/image_url]`]
  })
  return (await Promise.all(problems)).flat()
}

async function canFetchImage({ runtime, clock }: Slack, url: string): Promise<boolean> {
  const controller = new AbortController()
  const cancelTimeout = clock.after(IMAGE_FETCH_TIMEOUT_MS, () => controller.abort())
  try {
    const response = await runtime.fetch(url, { signal: controller.signal })
    await response.body?.cancel()
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('image/')
  } catch {
    return false
  } finally {
    cancelTimeout()
  }
}
