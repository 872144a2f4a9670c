import type { Bot } from '../../slack/bot.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import { findShownUploads, type ShownUpload, uploadName } from './media-store.ts'

type Fetch = typeof fetch
type Block = Record<string, unknown>
type Image = { type: 'image'; image_url: string; alt_text: string }
type Replace = (image: Image) => Block

/**
 * Every request to Slack passes here, because Slack rejects a whole message for one image that it can't fetch. Uploads
 * get their description. If only this machine serves them, their copies in Slack replace them. If Slack rejects the
 * message nevertheless, links replace all of its images.
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
    const names = request.images.flatMap((url) => uploadName(url) ?? [])
    const uploaded = await findShownUploads(db, names).catch((err) => {
      log.warn({ err }, 'Failed to look up the images of a message')
      return new Map<string, ShownUpload>()
    })
    const body = request.replaceImages((image) => {
      const { image_url } = image
      const { slack_file_id: id, alt_text } = uploaded.get(uploadName(image_url) ?? '') ?? {}
      const described = { ...image, alt_text: alt_text || image.alt_text }
      if (!isUnreachable(image_url)) return described
      return id ? { type: 'image', slack_file: { id }, alt_text: described.alt_text } : toLink(described)
    })
    const response = await send(input, { ...init, body })
    if (!(await refusesContent(response))) return response
    return send(input, { ...init, body: request.replaceImages(toLink) })
  }
}

const REFUSALS = ['invalid_blocks', 'invalid_arguments']

/** The Web API answers with JSON, which may repeat the message. A response URL may answer with the error alone. */
async function refusesContent(response: Response): Promise<boolean> {
  try {
    const text = await response.clone().text()
    if (!text.startsWith('{')) return REFUSALS.includes(text.trim())
    const { ok, error } = JSON.parse(text)
    return ok === false && REFUSALS.includes(error)
  } catch {
    // An answer that was cut off is the caller's to handle.
    return false
  }
}

const toLink = ({ image_url, alt_text }: Image): Block => ({
  type: 'mrkdwn',
  text: `<${escapeText(image_url)}|${escapeText(alt_text)}>`,
  verbatim: true,
})

type ImageRequest = { images: string[]; replaceImages: (replace: Replace) => string }

/** A request whose content has images: a form to the Web API, or JSON to a response URL. */
function readRequest(body: string): ImageRequest | undefined {
  if (!body.includes('image_url')) return undefined
  if (body.startsWith('{')) {
    const content = JSON.parse(body)
    // The words may be in the text of a message without blocks.
    if (!content.blocks) return undefined
    return {
      images: findImages(content),
      replaceImages: (replace) => JSON.stringify(replaceIn(content, replace)),
    }
  }
  const form = new URLSearchParams(body)
  const name = ['blocks', 'view'].find((field) => form.get(field)?.includes('image_url'))
  if (!name) return undefined
  const value = JSON.parse(form.get(name) ?? '')
  const content = name === 'blocks' ? { blocks: value } : value
  return {
    images: findImages(content),
    replaceImages(replace) {
      const replaced = replaceIn(content, replace)
      form.set(name, JSON.stringify(name === 'blocks' ? replaced.blocks : replaced))
      return form.toString()
    },
  }
}

const isImage = (value: unknown): value is Image =>
  typeof value === 'object' && value !== null && 'image_url' in value

type Content = { blocks: Block[] }

const findImages = ({ blocks }: Content): string[] =>
  blocks
    .flatMap((block) => [block, block.accessory, ...((block.elements as unknown[] | undefined) ?? [])])
    .flatMap((value) => (isImage(value) ? [value.image_url] : []))

/** Slack's limit for messages. A view can have more. */
const MAX_BLOCKS = 50

function replaceIn<T extends Content>(content: T, replace: Replace): T {
  let remainingBlocks = MAX_BLOCKS - content.blocks.length
  const blocks = content.blocks.flatMap((block) => {
    const replaced = replaceInBlock(block, replace)
    // A link to an accessory takes a block of its own.
    if (replaced.length > 1 && remainingBlocks-- <= 0) return replaced.slice(0, 1)
    return replaced
  })
  return { ...content, blocks }
}

function replaceInBlock(block: Block, replace: Replace): Block[] {
  const { accessory, elements, ...others } = block
  if (isImage(block)) {
    const { image_url: _replaced, ...image } = block
    const replacement = replace(block)
    return replacement.type === 'image' ? [{ ...image, ...replacement }] : [linkBlock(replacement)]
  }
  if (isImage(accessory)) {
    const replacement = replace(accessory)
    return replacement.type === 'image'
      ? [{ ...block, accessory: replacement }]
      : [others, linkBlock(replacement)]
  }
  if (!Array.isArray(elements)) return [block]
  const replaced = elements.map((element) => (isImage(element) ? replace(element) : element))
  return [{ ...block, elements: replaced }]
}

const linkBlock = (link: Block): Block => ({ type: 'context', elements: [link] })
