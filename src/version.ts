import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_FOLDER } from './package-folder.ts'

/** The running version of Upnext, such as "0.2.0". */
export const VERSION: string = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')).version
