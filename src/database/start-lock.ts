import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `work` in one process of this machine at a time; the lock of a process that died counts for nothing. */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) {
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder && isAlive(holder)) await sleep(50)
    else await rm(path, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
