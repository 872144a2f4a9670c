/** Does things side by side, so many at most, so that those who are slow do not hold up the others. */
export type SideBySide = {
  /** Begins with it; comes back when there is room for another. */
  begin: (task: () => Promise<unknown>) => Promise<void>
  finish: () => Promise<unknown>
}

export function sideBySide({
  most,
  onError,
}: {
  most: number
  onError: (error: unknown) => void
}): SideBySide {
  const running = new Set<Promise<void>>()
  return {
    async begin(task) {
      const run = task()
        .then(() => {}, onError)
        .finally(() => running.delete(run))
      running.add(run)
      if (running.size >= most) await Promise.race(running)
    },
    finish: () => Promise.all(running),
  }
}
