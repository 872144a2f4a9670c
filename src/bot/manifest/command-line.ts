import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { manifestForHttp } from './for-http.ts'

const HELP = `Usage: npm run --silent manifest -- [--url https://upnext.example.com]

Prints the manifest that the Slack app is made from: for Socket Mode, or for HTTP at the address that Slack reaches the bot at.`

try {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const { url, help } = values
  if (url !== undefined && !(URL.canParse(url) && new URL(url).protocol === 'https:'))
    throw new Error(`Slack cannot send to "${url}": give an address that begins with https://.`)
  const manifest = readFileSync('manifest.yml', 'utf8')
  console.log(help ? HELP : (url ? manifestForHttp(manifest, url) : manifest).trimEnd())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
