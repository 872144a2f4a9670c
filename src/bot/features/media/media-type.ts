import { fileTypeFromBuffer } from 'file-type'

/** The types of files that can be uploaded. */
export const FILE_EXTENSIONS = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

export type MediaType = keyof typeof FILE_EXTENSIONS
export type ImageType = Extract<MediaType, `image/${string}`>

export const isMediaType = (type: string): type is MediaType => Object.hasOwn(FILE_EXTENSIONS, type)

/** The type detector reads only this many bytes. */
export const TYPE_SAMPLE_BYTES = 4100

const CONVERTIBLE_TYPES = ['image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/bmp']

/** Detects a file's type by its first bytes, because its name and the type that the sender states prove nothing. */
export async function detectMediaType(
  beginning: Uint8Array,
): Promise<{ type: MediaType } | { problem: 'unknown type' | 'convert to JPEG' }> {
  const detected = await fileTypeFromBuffer(beginning).catch(() => undefined)
  const mime = detected?.mime.split(';', 1)[0] ?? ''
  // Only the first frame of an animated PNG is kept.
  const type = mime === 'image/apng' ? 'image/png' : mime
  if (isMediaType(type)) return { type }
  return { problem: CONVERTIBLE_TYPES.includes(mime) ? 'convert to JPEG' : 'unknown type' }
}

export const isImage = (type: MediaType): type is ImageType => type.startsWith('image/')
