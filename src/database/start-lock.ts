import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK_TIMEOUT_MS = 90_000

/** Runs `work` in only one process of this machine at a time. The lock of a process that has died is ignored. */
export async function withStartLock(path: string, work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  while (!(await acquireLock(path))) {
    if (performance.now() > deadline)
      throw new Error(`Another Upnext process seems to be starting. If there is none, delete ${path}.`)
    if (await isLockHeld(path)) await sleep(50)
    else await removeStaleLock(path)
  }
  try {
    await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** The link appears only once the file is complete, so no process can read a half-written lock. */
async function acquireLock(path: string): Promise<boolean> {
  const ownFile = `${path}.${process.pid}`
  await rm(ownFile, { force: true })
  await writeFile(ownFile, await readProcessIdentity(process.pid), { flag: 'wx' })
  try {
    await link(ownFile, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(ownFile, { force: true })
  }
}

async function isLockHeld(path: string): Promise<boolean> {
  const holder = await readIfExists(path)
  const pid = Number.parseInt(holder, 10)
  return pid > 0 && isProcessAlive(pid) && holder === (await readProcessIdentity(pid))
}

/** Renames the lock before deleting it, and puts it back if another process replaced it in the meantime. */
async function removeStaleLock(path: string): Promise<void> {
  const stalePath = `${path}.stale.${process.pid}`
  await rename(path, stalePath).catch(() => {}) // Another process has already removed the lock.
  if (await isLockHeld(stalePath)) await link(stalePath, path).catch(() => {})
  await rm(stalePath, { force: true })
}

/** The pid and, on Linux, the process's start time: after a restart, another process may have the same pid. */
async function readProcessIdentity(pid: number): Promise<string> {
  const stat = await readIfExists(`/proc/${pid}/stat`)
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `${pid} ${startedAt}`
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const readIfExists = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
