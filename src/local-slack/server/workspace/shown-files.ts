import type { KnownBlock } from '@slack/types'
import type { SharedFile } from './files.ts'
import type { Slack } from './slack.ts'

type SlackFile = { id?: string; url?: string }

type Image = { type: string; slack_file?: SlackFile }

export const fileNamed = ({ files }: Slack, { id, url }: SlackFile): SharedFile | undefined =>
  id ? files.get(id) : [...files.values()].find((file) => url?.includes(`-${file.id}/`))

/** All images in blocks, in whatever they stand, with the way to them. */
export function imagesIn(value: unknown, path: string): { image: Image; path: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, inner]) => imagesIn(inner, `${path}/${key}`))
  return 'type' in value && value.type === 'image' ? [{ image: value as Image, path }, ...inside] : inside
}

/** Whoever sees the message sees the pictures in it, also those that were shared nowhere. */
export function noteShownFiles(slack: Slack, channel: string, blocks: KnownBlock[] = []): void {
  for (const { image } of imagesIn(blocks, ''))
    if (image.slack_file) fileNamed(slack, image.slack_file)?.shownIn.add(channel)
}
