import { fileTypeFromBuffer } from 'file-type'

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
export type VideoType = 'video/mp4' | 'video/quicktime'
export type MediaType = PictureType | VideoType

const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'video/mp4',
  'video/quicktime',
] as const satisfies MediaType[]

export const isMediaType = (type: string): boolean => MEDIA_TYPES.some((known) => known === type)

/** The detector reads no further. */
export const TYPE_SAMPLE_BYTES = 4100

const CONVERTIBLE_TYPES = ['image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/bmp']

/** The type of a file by its first bytes: its name and the type that its sender states prove nothing. */
export async function detectMediaType(
  beginning: Uint8Array,
): Promise<{ type: MediaType } | { problem: 'unknown type' | 'convert to JPEG' }> {
  const detected = await fileTypeFromBuffer(beginning).catch(() => undefined)
  const mime = detected?.mime.split(';', 1)[0] ?? ''
  // An animated PNG is shown as its first frame.
  const type = MEDIA_TYPES.find((known) => known === (mime === 'image/apng' ? 'image/png' : mime))
  if (type) return { type }
  return { problem: CONVERTIBLE_TYPES.includes(mime) ? 'convert to JPEG' : 'unknown type' }
}

export const isPicture = (type: MediaType): type is PictureType => type.startsWith('image/')
