import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Runtime } from '../runtime.ts'

const SECRET_BYTES = 32
export const MIN_SECRET_LENGTH = 32

/** Reads the secret next to the embedded database, or creates it first. Only the user who runs Upnext can read the file. */
export async function readSecretFile(
  dataDir: string,
  { randomBytes, newId }: Pick<Runtime, 'randomBytes' | 'newId'>,
) {
  const path = join(dataDir, 'secret-key')
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${path}.${newId()}`
  await writeFile(unfinished, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  try {
    // Unlike a rename, a link fails if a process that started at the same moment has already created its secret.
    await link(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await chmod(path, 0o600)
  } finally {
    await rm(unfinished, { force: true })
  }
  const secret = (await readFile(path, 'utf8')).trim()
  // If the disk was full, for example, the file may be incomplete, and anyone could guess such a key.
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Error(
      `${path} doesn't contain a complete key. Restore this file from a backup. If no data is encrypted with it yet, delete it.`,
    )
  return { path, secret }
}
