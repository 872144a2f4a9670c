import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that has package.json. The sources and the built program are at different depths in it. */
export const PROJECT_FOLDER = findProject(import.meta.dirname)

function findProject(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findProject(dirname(folder))
}
