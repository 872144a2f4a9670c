import { formatBytes } from '../../../platforms/platform-media.ts'
import type { MediaFile } from './tables.ts'

type StoredMedia = Pick<MediaFile, 'width' | 'height' | 'seconds' | 'size'>

/** "1080 × 1350, 64.7 KB" */
export function describeMedia({ width, height, seconds, size }: StoredMedia): string {
  const facts = [
    width && height ? `${width} × ${height}` : '',
    seconds ? `${Math.round(seconds)} s` : '',
    formatBytes(size),
  ]
  return facts.filter(Boolean).join(', ')
}
