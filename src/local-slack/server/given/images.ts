import type { KnownBlock } from '@slack/types'
import { fileNamed, imagesIn } from '../workspace/shown-files.ts'
import type { Slack } from '../workspace/slack.ts'

/** The images that stand for a file of Slack which is none, or which it has not looked at yet. */
export function findUnreadyFiles(slack: Slack, blocks: KnownBlock[], at: string): string[] {
  return imagesIn(blocks, at).flatMap(({ image, path }) => {
    if (!image.slack_file) return []
    const file = fileNamed(slack, image.slack_file)
    const key = image.slack_file.id ? 'id' : 'url'
    const ready = file?.processed && file.mimetype.startsWith('image/')
    return ready ? [] : [`invalid slack file [json-pointer:${path}/slack_file.${key}/slack_file]`]
  })
}

/** Slack fetches what an image block shows, and refuses the whole message where it cannot. */
export async function findUnreachableImages(slack: Slack, blocks: KnownBlock[]): Promise<string[]> {
  const faults = blocks.map(async (block, index) => {
    if (block.type !== 'image' || !('image_url' in block) || !block.image_url) return []
    const reached = await canFetch(slack, block.image_url)
    return reached ? [] : [`downloading image failed [json-pointer:/blocks/${index}/image_url]`]
  })
  return (await Promise.all(faults)).flat()
}

const FETCH_PATIENCE_MS = 2000

async function canFetch({ runtime, clock }: Slack, url: string): Promise<boolean> {
  const patience = new AbortController()
  const cancel = clock.after(FETCH_PATIENCE_MS, () => patience.abort())
  try {
    const response = await runtime.fetch(url, { signal: patience.signal })
    await response.body?.cancel()
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('image/')
  } catch {
    return false
  } finally {
    cancel()
  }
}
