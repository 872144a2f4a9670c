import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that has package.json. The sources and the built program are at different depths in it. */
export const PACKAGE_FOLDER = findPackage(import.meta.dirname)

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder))
}
