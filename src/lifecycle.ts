import { isStartedByNpm } from './config.ts'

type Cleanup = () => Promise<void>
export type Lifecycle = {
  addCleanup: (cleanup: Cleanup) => void
  /** Reports the error and shuts down, as after a failed start. */
  fail: (error: unknown) => void
  /** `drain` runs when the shutdown begins. Its duration doesn't count toward the shutdown's timeout. */
  onDrain: (drain: Cleanup) => void
  isStopping: () => boolean
}

const SHUTDOWN_TIMEOUT_MS = 30_000
const DUPLICATE_SIGNAL_WINDOW_MS = 1000
const PARENT_CHECK_INTERVAL_MS = 500

/** Runs `start`. When a signal arrives or something fails, runs the cleanups that were added, the last one first. */
export async function runUntilStopped(start: (lifecycle: Lifecycle) => Promise<void>): Promise<void> {
  const cleanups: Cleanup[] = []
  let drain: Cleanup = async () => {}
  let stoppingSince: number | undefined
  const stop = () => {
    // npm forwards the Ctrl-C that the terminal already sent, so only a later signal means "exit immediately".
    if (stoppingSince && performance.now() - stoppingSince > DUPLICATE_SIGNAL_WINDOW_MS) process.exit(1)
    if (stoppingSince) return
    stoppingSince = performance.now()
    console.log('stopping')
    void starting
      .catch(() => {})
      .then(() => drain())
      .then(() => exitAfter(cleanups))
  }
  const fail = (error: unknown) => {
    process.exitCode = 1
    console.error(error instanceof Error ? error.message : error)
    stop()
  }
  const starting = start({
    addCleanup: (cleanup) => cleanups.unshift(cleanup),
    fail,
    onDrain: (newDrain) => {
      drain = newDrain
    },
    isStopping: () => stoppingSince !== undefined,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (isStartedByNpm()) onParentExit(stop)
  await starting.catch(fail)
}

/** Needed because a SIGTERM to npm ends the shell between npm and this process, but doesn't reach this process. */
function onParentExit(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, PARENT_CHECK_INTERVAL_MS).unref()
}

async function exitAfter(cleanups: Cleanup[]): Promise<void> {
  setTimeout(() => {
    console.error(
      `Some parts of Upnext didn't stop within ${SHUTDOWN_TIMEOUT_MS / 1000} s. The process exits anyway.`,
    )
    process.exit(1)
  }, SHUTDOWN_TIMEOUT_MS).unref()
  for (const cleanup of cleanups)
    await cleanup().catch((error) => {
      process.exitCode = 1
      console.error(error)
    })
  process.exit()
}
