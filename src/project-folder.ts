import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The sources and the built program lie at different depths of this folder. */
export const PROJECT_FOLDER = findProject(import.meta.dirname)

function findProject(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findProject(dirname(folder))
}
