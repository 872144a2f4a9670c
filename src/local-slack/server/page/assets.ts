import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the build made of `web/`; it lies at the same place seen from the sources and from what they compile to. */
const BUILT = fileURLToPath(new URL('../../../../dist/local-slack/web', import.meta.url))

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type Asset = { bytes: Buffer; type: string }

/** A file of the page; nothing outside its folder. */
export function readAsset(path: string): Asset | undefined {
  const file = join(BUILT, normalize(`/${path}`))
  const type = TYPES[extname(file)]
  return type && existsSync(file) ? { bytes: readFileSync(file), type } : undefined
}
