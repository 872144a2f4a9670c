import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

// The headless shell draws the same pages with less work.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** The Chromium of the system. Playwright's own download isn't used. */
export const chromiumPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

export const WITHOUT_BROWSER =
  'The browser tests are skipped because Chromium is missing. Install it (apt-get install chromium) and run the tests again.'

export const openBrowser = (): Promise<Browser> =>
  // Chromium's own sandbox doesn't work for root.
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'],
  })
