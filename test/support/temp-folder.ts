import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MIN_MEMORY_BYTES = 4 * 1024 ** 3

/** Uses memory if the machine has enough, because creating a database there takes a fifth of the time. */
export async function createTempFolder(prefix: string, mode = 0o755): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  const hasMemory = memory && memory.bavail * memory.bsize > MIN_MEMORY_BYTES
  const folder = await mkdtemp(join(hasMemory ? '/dev/shm' : tmpdir(), prefix))
  // The account that runs PostgreSQL may not be the one that runs the tests.
  await chmod(folder, mode)
  return folder
}
