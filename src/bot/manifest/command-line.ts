import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PACKAGE_FOLDER } from '../../package-folder.ts'
import { toHttpManifest } from './http-manifest.ts'

const HELP = `Usage: npm run --silent manifest -- [--url https://upnext.example.com]

Prints the Slack app's manifest for Socket Mode. With the public URL of the bot, prints it for HTTP.`

try {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const { url, help } = values
  if (url !== undefined && !(URL.canParse(url) && new URL(url).protocol === 'https:'))
    throw new Error(`"${url}" isn't an https:// URL. Enter the public URL of the bot.`)
  const manifest = readFileSync(join(PACKAGE_FOLDER, 'manifest.yml'), 'utf8')
  console.log(help ? HELP : (url ? toHttpManifest(manifest, url) : manifest).trimEnd())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
