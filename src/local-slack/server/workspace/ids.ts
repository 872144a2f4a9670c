import type { Clock } from '../../clock.ts'
import type { Runtime } from '../../runtime.ts'

export type Ids = {
  /** As Slack's look: a letter for the kind, then digits and capitals. In order, so that they can be followed. */
  next: (letter: 'A' | 'B' | 'C' | 'D' | 'F' | 'G' | 'Q' | 'T' | 'U' | 'V') => string
  /** What nobody can guess. */
  secret: () => string
  /** For a block or an element whose author gave it none. */
  short: () => string
  uuid: () => string
  /** A message's `ts`: when it was written, and no two alike. */
  ts: () => string
}

export function createIds(clock: Clock, runtime: Pick<Runtime, 'randomBytes' | 'newId'>): Ids {
  // People and channels have the same ids at each start. A view of an earlier start is another view: who remembers its id
  // must not take this one for it.
  const start = clock.now().getTime().toString(36).toUpperCase()
  let count = 0
  let lastTs = 0
  return {
    next: (letter) => {
      const number = (++count).toString(36).toUpperCase()
      return letter === 'V' ? `V0${start}${number.padStart(4, '0')}` : `${letter}0${number.padStart(8, '0')}`
    },
    secret: () => runtime.randomBytes(18).toString('hex'),
    short: () => runtime.randomBytes(4).toString('base64url').slice(0, 5),
    uuid: runtime.newId,
    ts() {
      lastTs = Math.max(clock.now().getTime() * 1000, lastTs + 1)
      return `${Math.floor(lastTs / 1e6)}.${String(lastTs % 1e6).padStart(6, '0')}`
    },
  }
}
