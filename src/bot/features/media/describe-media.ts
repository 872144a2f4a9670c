import { formatBytes, type MediaFacts } from '../../../platforms/platform-media.ts'

/** "1080 × 1350, 64.7 KB" */
export function describeMedia({ width, height, seconds, size }: MediaFacts): string {
  const facts = [
    width && height ? `${width} × ${height}` : '',
    seconds ? `${Math.round(seconds)} s` : '',
    formatBytes(size),
  ]
  return facts.filter(Boolean).join(', ')
}
