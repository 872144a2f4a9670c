type Close = () => Promise<void>

type RunOptions = { endsWithParent: boolean }

const PATIENCE_MS = 30_000

/** Opens the rooms one after the other, and closes them the other way round: on a signal, or where one does not open. */
export async function runUntilStopped(
  open: (opened: (close: Close) => void) => Promise<void>,
  { endsWithParent }: RunOptions,
): Promise<void> {
  const closers: Close[] = []
  const opening = open((close) => closers.unshift(close))
  let stoppingSince: number | undefined
  const stop = () => {
    // npm passes on a Ctrl-C that the terminal has sent already: only a later one is a second wish.
    if (stoppingSince && performance.now() - stoppingSince > 1000) process.exit(1)
    if (stoppingSince) return
    stoppingSince = performance.now()
    console.log('stopping')
    void opening.catch(() => {}).then(() => closeAll(closers))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (endsWithParent) whenOrphaned(stop)
  try {
    await opening
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof Error ? error.message : error)
    stop()
  }
}

/** A SIGTERM to npm ends the shell between npm and us, and does not reach us. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500).unref()
}

async function closeAll(closers: Close[]): Promise<void> {
  setTimeout(() => {
    console.error(`Not everything could be stopped within ${PATIENCE_MS / 1000} s.`)
    process.exit(1)
  }, PATIENCE_MS).unref()
  for (const close of closers)
    await close().catch((error) => {
      process.exitCode = 1
      console.error(error)
    })
  process.exit()
}
