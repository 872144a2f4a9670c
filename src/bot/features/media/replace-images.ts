import type { Bot } from '../../slack/bot.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { findUploadsToShow, type ShownUpload, uploadNameOf } from './media-store.ts'

type Fetch = typeof fetch
type Block = Record<string, unknown>
type Image = { type: 'image'; image_url: string; alt_text: string }
type Replace = (image: Image) => Block

/**
 * Every request to Slack passes through here, because Slack rejects a whole message if it can't fetch one of the
 * images. Images from uploads get the upload's description as alternative text. Uploads that only this machine can
 * fetch are replaced by their copies in Slack, or by links. If Slack still rejects the message, links replace all
 * images.
 */
export function replaceUnreachableImages(
  { db, log, uploads }: Pick<Bot, 'db' | 'log' | 'uploads'>,
  send: Fetch,
): Fetch {
  return async (input, init) => {
    const request = typeof init?.body === 'string' ? readRequest(init.body) : undefined
    if (!request) return send(input, init)
    const { baseUrl = '', isPublic } = uploads.current
    const isUnreachable = (url: string) => !isPublic && url.startsWith(`${baseUrl}/`)
    const { content, write } = request
    const names = findImages(content).flatMap((url) => uploadNameOf(url) ?? [])
    const uploaded = await findUploadsToShow(db, names).catch((err) => {
      log.warn({ err }, 'Failed to look up the images of a message')
      return new Map<string, ShownUpload>()
    })
    const replaced = replaceImages(content, (image) => {
      const { image_url } = image
      const { slack_file_id: id, alt_text } = uploaded.get(uploadNameOf(image_url) ?? '') ?? {}
      const described = { ...image, alt_text: alt_text || image.alt_text }
      if (!isUnreachable(image_url)) return described
      return id ? { type: 'image', slack_file: { id }, alt_text: described.alt_text } : toLink(described)
    })
    const response = await send(input, { ...init, body: write(replaced) })
    if (!(await rejectsContent(response))) return response
    return send(input, { ...init, body: write(replaceImages(content, toLink)) })
  }
}

const CONTENT_REJECTED_CODES = ['invalid_blocks', 'invalid_arguments']

/** The Web API responds with JSON, which may repeat the message. A response URL may respond with only the error code. */
async function rejectsContent(response: Response): Promise<boolean> {
  try {
    const text = await response.clone().text()
    if (!text.startsWith('{')) return CONTENT_REJECTED_CODES.includes(text.trim())
    const { ok, error } = JSON.parse(text)
    return ok === false && CONTENT_REJECTED_CODES.includes(error)
  } catch {
    // If the response was cut off, the caller handles that.
    return false
  }
}

const toLink = ({ image_url, alt_text }: Image): Block => ({
  type: 'mrkdwn',
  text: `<${escapeText(image_url)}|${escapeText(alt_text)}>`,
  verbatim: true,
})

type Content = { blocks: Block[] }

/** The content of a request, and how to write it into the request's body. */
type ImageRequest = { content: Content; write: (content: Content) => string }

/** A request whose content has images: a form to the Web API, or JSON to a response URL. */
function readRequest(body: string): ImageRequest | undefined {
  if (!body.includes('image_url')) return undefined
  if (body.startsWith('{')) {
    const content = JSON.parse(body)
    // The text of a message without blocks may also contain "image_url".
    return content.blocks && { content, write: (replaced) => JSON.stringify(replaced) }
  }
  const form = new URLSearchParams(body)
  const name = ['blocks', 'view'].find((field) => form.get(field)?.includes('image_url'))
  if (!name) return undefined
  const value = JSON.parse(form.get(name) ?? '')
  return {
    content: name === 'blocks' ? { blocks: value } : value,
    write(replaced) {
      form.set(name, JSON.stringify(name === 'blocks' ? replaced.blocks : replaced))
      return form.toString()
    },
  }
}

const isImage = (value: unknown): value is Image =>
  typeof value === 'object' && value !== null && 'image_url' in value

const findImages = ({ blocks }: Content): string[] =>
  blocks.flatMap(({ accessory }) => (isImage(accessory) ? [accessory.image_url] : []))

/** Slack's limit for messages. A view can have more. */
const MAX_BLOCKS = 50

function replaceImages(content: Content, replace: Replace): Content {
  let remainingBlocks = MAX_BLOCKS - content.blocks.length
  const blocks = content.blocks.flatMap((block) => {
    const replaced = replaceImageInBlock(block, replace)
    // A link that replaces an accessory takes a block of its own.
    if (replaced.length > 1 && remainingBlocks-- <= 0) return replaced.slice(0, 1)
    return replaced
  })
  return { ...content, blocks }
}

/** Only the accessories of sections are images with a URL. All other images are files in Slack. */
function replaceImageInBlock(block: Block, replace: Replace): Block[] {
  const { accessory, ...others } = block
  if (!isImage(accessory)) return [block]
  const replacement = replace(accessory)
  return replacement.type === 'image'
    ? [{ ...block, accessory: replacement }]
    : [others, { type: 'context', elements: [replacement] }]
}
