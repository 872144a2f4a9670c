import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 90_000

/** Runs `work` in one process of this machine at a time; the lock of a process that died counts for nothing. */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (!(await take(path))) {
    if (performance.now() > giveUpAt)
      throw new Error(`Another start seems to be under way. If there is none, delete ${path}.`)
    if (await isHeld(path)) await sleep(50)
    else await discard(path)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Linked into place when it is complete: nobody ever reads half a lock. */
async function take(path: string): Promise<boolean> {
  const mine = `${path}.${process.pid}`
  await writeFile(mine, await identityOf(process.pid))
  try {
    await link(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(mine, { force: true })
  }
}

async function isHeld(path: string): Promise<boolean> {
  const holder = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(holder, 10)
  return pid > 0 && isAlive(pid) && holder === (await identityOf(pid))
}

/** Moved away first: of several that find it stale one gets it, and puts it back if it was replaced meanwhile. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.stale.${process.pid}`
  try {
    await rename(path, aside)
    if (await isHeld(aside)) await link(aside, path)
  } catch {
    // Another one was faster.
  } finally {
    await rm(aside, { force: true })
  }
}

/** A pid alone may belong to somebody else after a restart; together with its start it does not. */
async function identityOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // elsewhere than on Linux the pid has to do
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `${pid} ${startedAt}`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
