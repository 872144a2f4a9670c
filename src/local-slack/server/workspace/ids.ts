import type { Clock } from '../../clock.ts'
import type { Runtime } from '../../runtime.ts'

export type Ids = {
  /** An id like Slack's: a letter for the kind, then a sequence number. */
  next: (letter: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'Q' | 'S' | 'T' | 'U' | 'V') => string
  /** A random string that can't be guessed. */
  secret: () => string
  /** A block_id or action_id for a block or an element that lacks one. */
  short: () => string
  uuid: () => string
  /** A unique message timestamp. */
  ts: () => string
}

export function createIds(clock: Clock, runtime: Pick<Runtime, 'randomBytes' | 'newId'>): Ids {
  // Users and channels get the same ids on every start. Views must not: an app that stores view ids would mistake a
  // new view for an old one.
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
