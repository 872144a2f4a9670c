type Close = () => Promise<void>

type RunOptions = { endsWithParent: boolean }

/** Opens the rooms one after the other, and closes them the other way round: on a signal, or where one does not open. */
export async function runUntilStopped(
  open: (opened: (close: Close) => void) => Promise<void>,
  { endsWithParent }: RunOptions,
): Promise<void> {
  const closers: Close[] = []
  const opening = open((close) => closers.unshift(close))
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    console.log('stopping')
    void opening.catch(() => {}).then(() => closeAll(closers))
  }
  // npm passes on a Ctrl-C that the terminal has sent already: the second one is not a second wish.
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
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

async function closeAll(closers: Close[]): Promise<void> {
  for (const close of closers)
    await close().catch((error) => {
      process.exitCode = 1
      console.error(error)
    })
  process.exit()
}
