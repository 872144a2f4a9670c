import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { PACKAGE_FOLDER } from '../../package-folder.ts'

/** Where the build puts the page. */
const PAGE_FOLDER = join(PACKAGE_FOLDER, 'dist/web')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type Asset = { bytes: Buffer; type: string }

/** A file of the page; nothing outside its folder. */
export function readAsset(path: string): Asset | undefined {
  const file = join(PAGE_FOLDER, normalize(`/${path}`))
  const type = TYPES[extname(file)]
  return type && existsSync(file) ? { bytes: readFileSync(file), type } : undefined
}
