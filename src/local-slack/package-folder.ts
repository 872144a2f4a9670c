import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of this package, even when this code is bundled into another program. */
export const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('local-slack/package.json'))
