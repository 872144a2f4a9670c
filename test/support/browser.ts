import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The system's Chromium: nothing is downloaded for the tests. */
export const chromiumPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

export const WITHOUT_BROWSER =
  'There is no Chromium here, so nothing of the page was tried. Install one (apt-get install chromium) and run this again.'

export const openBrowser = (): Promise<Browser> =>
  // A sandbox of its own is not to be had as root.
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'],
  })
